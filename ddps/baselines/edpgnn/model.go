package edpgnn

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Kind names the method in files and errors.
const Kind = "edpgnn"

// Model is the network for graphs of at most N vertices:
//
//	A_0 = (A, 1−A), masked                                  [channel, n, n]
//	for each layer: X ← GIN(A_l, X)                         [n, Hidden]
//	                M_ij = f(A_l,ij, X_i, X_j; σ)           an MLP with two hidden layers
//	                A_{l+1} = M + Mᵀ, masked
//	s(A; σ)_ij = g(A_0,ij, …, A_L,ij; σ), masked, 0 for i = j
//
// f and g are MLPs with ELU and two hidden layers; after each of them stand, in f, a batch normalisation and then a gain and
// a bias of the level σ, which is all that the network knows of the noise. A GIN starts from X and the channels' degrees, takes Rounds rounds
// h ← tanh(W₂·relu(W₁·((A_c + 1 + ε)·h)_c + b₁) + b₂), and sums a two-layer readout of each round's h.
type Model struct {
	N      int // most vertices
	cfg    Config
	params engine.Params
	stats  []int // numbers of the parameters that are running statistics: mean and variance of each normalisation
	engine engine.Engine
}

// file is what a model's file says of it.
type file struct {
	N      int
	Config Config
}

// New makes the network for graphs of at most n vertices, with weights drawn from seed. The error names the setting out
// of range.
func New(n int, cfg Config, seed uint64) (*Model, error) {
	if n < 1 || n > maxWidth {
		return nil, fmt.Errorf("edpgnn: %d vertices, want 1…%d", n, maxWidth)
	}
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("edpgnn: %w", err)
	}
	m := &Model{N: n, cfg: cfg}
	m.init(rand.New(rand.NewPCG(seed, 0x65647067)))
	return m, nil
}

// Config returns the settings that the network was made with.
func (m *Model) Config() Config { return m.cfg }

// SetBackend sets what the network runs on, before its first use.
func (m *Model) SetBackend(spec string) { m.cfg.Backend = spec }

// Params returns the live arrays, running statistics too, in an order that never changes.
func (m *Model) Params() []baselines.Param { return m.params }

// NumWeights returns how many numbers the network learns: not the running statistics.
func (m *Model) NumWeights() int {
	n := 0
	for _, p := range m.params {
		n += len(p.Data)
	}
	for _, i := range m.stats {
		n -= len(m.params[i].Data)
	}
	return n
}

// Save writes the network in the safetensors format. The same network gives the same bytes.
func (m *Model) Save(w io.Writer) error { return baselines.Write(w, Kind, m.file(), m.params) }

// file leaves out the backend: weights do not depend on it.
func (m *Model) file() file {
	cfg := m.cfg
	cfg.Backend = ""
	return file{m.N, cfg}
}

// Load reads a network from its file, or from a checkpoint, whose averaged weights it takes. The error says what is
// missing or damaged.
func Load(r io.Reader) (*Model, error) {
	f, err := baselines.Read(r, Kind)
	if err != nil {
		return nil, fmt.Errorf("edpgnn: load: %w", err)
	}
	var c file
	if err := f.Config(&c); err != nil {
		return nil, fmt.Errorf("edpgnn: load: %w", err)
	}
	m, err := New(c.N, c.Config, 0)
	if err != nil {
		return nil, err
	}
	if err := f.Weights(m.params); err != nil {
		return nil, fmt.Errorf("edpgnn: load: %w", err)
	}
	return m, nil
}

// ReadWeights sets the weights to those of a file, or a checkpoint's averaged ones. It is an error if the file is of another
// network, or damaged.
func (m *Model) ReadWeights(r io.Reader) error {
	f, err := baselines.Read(r, Kind)
	if err != nil {
		return fmt.Errorf("edpgnn: load: %w", err)
	}
	var c file
	if err := f.Config(&c); err != nil {
		return fmt.Errorf("edpgnn: load: %w", err)
	}
	if !reflect.DeepEqual(c, m.file()) {
		return fmt.Errorf("edpgnn: load: weights of another network: %+v, this one is %+v", c, m.file())
	}
	if err := f.Weights(m.params); err != nil {
		return fmt.Errorf("edpgnn: load: %w", err)
	}
	return nil
}

// slope is what leaky ReLUs multiply negative numbers by.
const slope = 0.01

// widths are a layer's sizes: channels in and out, a vertex's features in.
type widths struct{ in, out, vertex int }

func (m *Model) layers() (list []widths) {
	w := widths{in: 2, vertex: 2}
	for _, out := range m.cfg.Channels {
		w.out = out
		list = append(list, w)
		w = widths{in: out, vertex: m.cfg.Hidden + out}
	}
	return list
}

// init draws the weights uniformly from ±1/√(inputs), biases too, and the levels' gains about 1.
func (m *Model) init(rng *rand.Rand) {
	H, all := m.cfg.Hidden, 2
	for l, w := range m.layers() {
		name := fmt.Sprintf("layer%d.", l)
		m.initGIN(rng, name+"gin.", w)
		h := 2 * max(w.in, w.out)
		in := w.in + 2*H
		uniform(rng, m.params.Add(name+"edge.in.weight", h, w.in), in)
		uniform(rng, m.params.Add(name+"edge.from.weight", h, H), in)
		uniform(rng, m.params.Add(name+"edge.to.weight", h, H), in)
		uniform(rng, m.params.Add(name+"edge.in.bias", h), in)
		m.initRest(rng, name+"edge.", h, w.out, true)
		all += w.out
	}
	uniform(rng, m.params.Add("score.in.weight", 2*all, all), all)
	uniform(rng, m.params.Add("score.in.bias", 2*all), all)
	m.initRest(rng, "score.", 2*all, 1, false)
}

// initNorm adds a batch normalisation of width h.
func (m *Model) initNorm(name string, h int) {
	for _, part := range []string{"gain", "bias", "mean", "variance"} {
		x := m.params.Add(name+part, h)
		for i := range x {
			if part == "gain" || part == "variance" {
				x[i] = 1
			}
		}
	}
	m.stats = append(m.stats, len(m.params)-2, len(m.params)-1)
}

// initRest adds what follows an MLP's first layer, of width h.
func (m *Model) initRest(rng *rand.Rand, name string, h, out int, norm bool) {
	S := len(m.cfg.Sigmas)
	for k := range 2 {
		if k == 1 {
			uniform(rng, m.params.Add(name+"hidden.weight", h, h), h)
			uniform(rng, m.params.Add(name+"hidden.bias", h), h)
		}
		if norm {
			m.initNorm(fmt.Sprintf("%snorm%d.", name, k), h)
		}
		gain := m.params.Add(fmt.Sprintf("%slevel%d.gain", name, k), h, S)
		for i := range gain {
			gain[i] = float32(1 + 0.02*rng.NormFloat64())
		}
		m.params.Add(fmt.Sprintf("%slevel%d.bias", name, k), h, S)
	}
	uniform(rng, m.params.Add(name+"out.weight", out, h), h)
	uniform(rng, m.params.Add(name+"out.bias", out), h)
}

// initGIN adds a layer's GIN.
func (m *Model) initGIN(rng *rand.Rand, name string, w widths) {
	H, from := m.cfg.Hidden, w.vertex
	wide := 2 * max(from, H)
	m.params.Add(name+"eps", m.cfg.Rounds)
	for k := range m.cfg.Rounds + 1 {
		read := fmt.Sprintf("%sread%d.", name, k)
		uniform(rng, m.params.Add(read+"in.weight", wide, from), from)
		uniform(rng, m.params.Add(read+"in.bias", wide), from)
		uniform(rng, m.params.Add(read+"out.weight", H, wide), wide)
		uniform(rng, m.params.Add(read+"out.bias", H), wide)
		if k == m.cfg.Rounds {
			break
		}
		round := fmt.Sprintf("%sround%d.", name, k)
		uniform(rng, m.params.Add(round+"in.weight", wide, w.in, from), w.in*from)
		uniform(rng, m.params.Add(round+"in.bias", wide), w.in*from)
		uniform(rng, m.params.Add(round+"out.weight", H, wide), wide)
		uniform(rng, m.params.Add(round+"out.bias", H), wide)
		from = H
	}
}

// uniform fills w with draws from ±1/√inputs.
func uniform(rng *rand.Rand, w []float32, inputs int) {
	for i := range w {
		w[i] = float32((2*rng.Float64() - 1) / math.Sqrt(float64(inputs)))
	}
}
