package edpgnn

import (
	"fmt"
	"io"
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
// f and g are MLPs with ELU and two hidden layers; after each of them are, in f, a batch normalisation and then a
// gain and a bias of the level σ, which is all that the network knows of the noise. A GIN starts from X and the
// channels' degrees, takes Rounds rounds h ← tanh(W₂·relu(W₁·((A_c + 1 + ε)·h)_c + b₁) + b₂), and sums a two-layer
// readout of each round's h.
//
// Config.Scaled departs from the publication: degrees and (A_c + 1 + ε)·h are divided by √N, and the first weights of
// the rounds are other ones (scaleRound). The functions that the network can be are the same. With the published first
// weights tanh is saturated by degrees, and most of what tells vertices apart is lost in the first layer, so that
// training stays long at scores that read each entry by itself.
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
		return nil, fmt.Errorf("edpgnn: %d vertices, expected 1…%d", n, maxWidth)
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

// ReadWeights sets the weights to those of a file, or a checkpoint's averaged ones. It is an error if the file is of
// another network, or damaged.
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
