package swingnn

import (
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Model is a SwinGNN: a function F(x, s, σ) of symmetric matrices with a zero diagonal, that is, of their entries
// above it, which are called coordinates here: dimension V(V−1)/2, row after row. Concurrent callers take turns.
//
// Nothing in the published network tells a token its place but biases of attention by relative position, the zeros on
// the diagonal and those of the padding; Config.Position adds a vector. Config.Permute is the published option to learn
// a graph's distribution up to its vertices' names (permutation_aug, off there by default): here, where a vertex's name
// says where in the layered graph it is, hardly a sample of such a network is a path.
type Model struct {
	V, N    int // vertices; side of the matrix with its padding
	cfg     Config
	seed    uint64
	params  engine.Params
	plan    plan
	running sync.Mutex
	inputs  []*inputs     // of each part that runs beside others
	partial [][][]float32 // gradients of parts but the first
}

// placeDeviation is that of the first vectors of Config.Position: a good part of what they are added to, which has
// deviation 1.
const placeDeviation = 0.5

// maxParams bounds the parameters: a slip of the finger must not take all memory.
const maxParams = 1 << 28

// New makes a network for matrices of V ≥ 2 vertices, its weights drawn from seed as the published ones are. The error
// names the setting that is out of range.
func New(V int, cfg Config, seed uint64) (*Model, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("swingnn: %w", err)
	}
	if V < 2 || V > 1<<12 {
		return nil, fmt.Errorf("swingnn: %d vertices, must be in 2…%d", V, 1<<12)
	}
	if size := cfg.size(); size > maxParams {
		return nil, fmt.Errorf("swingnn: %g parameters, must be at most %d", size, maxParams)
	}
	n := &Model{V: V, N: cfg.side(V), cfg: cfg, seed: seed}
	p := &n.plan
	p.time1, p.time2 = n.linear("time1", cfg.Noise, cfg.Dim, false), n.linear("time2", cfg.Noise, cfg.Noise, false)
	p.patch, p.patchNorm = n.conv("patch", cfg.Dim, 2*cfg.Patch*cfg.Patch), n.norm("patch.norm", cfg.Dim)
	p.patchFilm = n.linear("patch.film", 2*cfg.Dim, cfg.Noise, false)
	if grid := n.N / cfg.Patch; cfg.Position {
		p.position = n.add("patch.position", normal(placeDeviation), grid*grid, cfg.Dim)
	}
	for s := range cfg.Depths {
		p.down = append(p.down, n.stage("down", s))
	}
	for s := len(cfg.Depths) - 1; s >= 0; s-- {
		p.up = append(p.up, n.stage("up", s))
	}
	p.norm = n.norm("norm", cfg.Dim)
	fan := cfg.Dim * cfg.Patch * cfg.Patch
	p.spread = n.add("spread.weight", uniform(fan), cfg.Dim, cfg.Patch*cfg.Patch, cfg.Dim)
	p.spreadBias = n.add("spread.bias", uniform(fan), cfg.Dim)
	p.mix, p.out = n.conv("mix", cfg.Dim, cfg.Dim), n.conv("out", 1, cfg.Dim)
	return n, nil
}

// size is about the number of parameters, a float64 as it may be huge.
func (c Config) size() (n float64) {
	for s, depth := range c.Depths {
		d := float64(c.Dim) * math.Pow(2, float64(s))
		n += 2 * float64(depth) * d * (float64(4+2*c.Ratio)*d + 2*float64(c.Noise))
		n += 24*d*d + 2*float64(depth*c.Heads)*math.Pow(2, float64(s))*4*float64(c.Window*c.Window)
	}
	return n + float64(c.Noise*c.Noise) + float64(c.Dim*c.Dim*c.Patch*c.Patch)
}

// Config returns the settings.
func (n *Model) Config() Config { return n.cfg }

// NumWeights returns how many numbers the network learns.
func (n *Model) NumWeights() (count int) {
	for _, p := range n.params {
		count += len(p.Data)
	}
	return count
}

// Dim returns V(V−1)/2, the number of coordinates.
func (n *Model) Dim() int { return n.V * (n.V - 1) / 2 }

// shape identifies a compiled graph.
type shape struct {
	n    int
	what byte // 'f' F, 'g' F and a product with its Jacobian, 'l' loss, 't' loss and gradient
}

// run executes build on the parameters and these inputs of n examples: x and self, [n, N, N], and sigma, [n].
func (n *Model) run(what byte, in *inputs, more []any, build func(f *nodes, more []*graph.Node) []*graph.Node,
	read func([]*tensors.Tensor) error) error {
	args := append(engine.ParamTensors(n.params), engine.Tensor(in.x, in.n, n.N, n.N), engine.Tensor(in.self, in.n, n.N,
		n.N),
		engine.Tensor(in.level, in.n, n.cfg.Dim))
	return in.engine.Run(n.backend(), shape{in.n, what}, func(args []*graph.Node) []*graph.Node {
		P := len(n.params)
		return build(&nodes{n: n, p: args[:P], x: args[P], self: args[P+1], level: args[P+2]}, args[P+3:])
	}, append(args, more...), read)
}

// inputs are what a batch is to the network, filled on the host.
type inputs struct {
	engine  *engine.Engine
	n       int
	x, self []float32 // [n, N, N] c_in·x and the self-conditioning estimate
	level   []float32 // [n, Dim] features of ln(σ)/4
}

// resize allocates space for n examples.
func (in *inputs) resize(net *Model, n int) {
	in.n = n
	for p, size := range map[*[]float32]int{&in.x: n * net.N * net.N, &in.self: n * net.N * net.N,
		&in.level: n * net.cfg.Dim} {
		if cap(*p) < size {
			*p = make([]float32, size)
		}
		*p = (*p)[:size]
		clear(*p)
	}
}

// features writes cos and sin of c·10000^(−2i/Dim), c = ln(σ)/4, i in 0…Dim/2−1.
func (n *Model) features(out []float32, sigma float64) {
	half, c := n.cfg.Dim/2, math.Log(sigma)/4
	for i := range half {
		angle := c * math.Pow(10000, -float64(i)/float64(half))
		out[i], out[half+i] = float32(math.Cos(angle)), float32(math.Sin(angle))
	}
}

// expand writes scale times the coordinates c to a matrix.
func (n *Model) expand(out []float32, c []float64, scale float64) {
	eachEntry(n.V, func(k, i, j int) {
		x := float32(scale * c[k])
		out[i*n.N+j], out[j*n.N+i] = x, x
	})
}
