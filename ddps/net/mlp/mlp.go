package mlp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
)

// Config describes an MLP. The zero value is not valid: start from DefaultConfig.
type Config struct {
	Hidden int `toml:"hidden"` // width H, at least 1
	Layers int `toml:"layers"` // hidden residual layers, at least 0
	Time   int `toml:"time"`   // sinusoidal features of t, even, at least 2
	// the output corrects the log of the chain's exact denoiser (the caller's Batch.Base)
	Residual bool    `toml:"residual"`
	Gamma    float64 `toml:"gamma"` // γ of Total = CE + γ·VB, at least 0; with 0 VB is neither computed nor reported
	// what LossGrad runs on: "" is the host; else GoMLX, opened at its first call: "go", "go:large", "xla:cpu",
	// "xla:/abs/x.so", "auto"
	Backend string `toml:"backend"`
}

// DefaultConfig returns the settings for Toy: 192×2, residual, γ = 0, trained on the host.
func DefaultConfig() Config {
	return Config{Hidden: 192, Layers: 2, Time: 32, Residual: true}
}

// Network is a residual multilayer perceptron from x_t and t to one number per edge:
//
//	h ← silu(Σ_{v: D_v ≥ 2} Emb[x_t^v] + W_t·features(t) + b)
//	h ← h + silu(W_k·h + b_k)                 for each hidden layer k
//	out = W_out·h + b_out                     [edge]
//
// W_out and b_out start at zero, so that a residual network starts as the chain. The features of t are
// sin(t·10000^(−k/K)) and cos of the same, K = Time/2, k in 0…K−1.
//
// Training (LossGrad) runs on the host, or on GoMLX where a backend is named, inference (Forward) on the host on the
// same arrays; tests hold them equal. Writing to the arrays while either runs is a race. Rows are those of Rows.
type Network struct {
	cfg     Config
	edges   int
	rows    []int32  // ddps.Rows(g)
	first   []int32  // [rows] each row's first edge
	choices [][2]int // edges first…second−1 of consecutive rows with a choice, those that no path visits too
	freq    net.Sinusoids
	params  engine.Params
	pool    sync.Pool // *mlpScratch
	train   trainer
}

// New makes the network for g with weights drawn from seed. The error names the setting out of range.
func New(g *ddps.LayeredGraph, cfg Config, seed uint64) (*Network, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	m := &Network{cfg: cfg, edges: g.NumEdges(), rows: ddps.Rows(g)}
	for _, v := range m.rows {
		lo, _ := g.Edges(int(v))
		m.first = append(m.first, int32(lo))
	}
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		switch last := len(m.choices) - 1; {
		case hi-lo < 2:
		case last >= 0 && m.choices[last][1] == lo:
			m.choices[last][1] = hi
		default:
			m.choices = append(m.choices, [2]int{lo, hi})
		}
	}
	m.freq = net.NewSinusoids(cfg.Time)
	m.init(rand.New(rand.NewPCG(seed, 0x6d6c70)))
	m.pool.New = func() any { return newScratch(m) }
	return m, nil
}

// init draws the weights: pre-activations of about unit variance, the output layer zero.
func (m *Network) init(rng *rand.Rand) {
	h, e, f := m.cfg.Hidden, m.edges, m.cfg.Time
	in := m.params.Add("in", e+f+1, h) // rows: edges, features of t, the bias b
	engine.Normal(rng, in[:e*h], 1/math.Sqrt(float64(max(1, len(m.rows)))))
	engine.Normal(rng, in[e*h:(e+f)*h], math.Sqrt(2/float64(f)))
	for k := range m.cfg.Layers {
		engine.Normal(rng, m.params.Add(fmt.Sprintf("hidden%d.weight", k), h, h), 1/math.Sqrt(float64(h)))
		m.params.Add(fmt.Sprintf("hidden%d.bias", k), h)
	}
	m.params.Add("out.weight", e, h)
	m.params.Add("out.bias", e)
}

// Params returns the live arrays, in an order that never changes: "in" [E+Time+1, H] (embeddings of the edges,
// W_t, b), "hiddenK.weight" [H, H] (to, from) and "hiddenK.bias" [H] for each layer, "out.weight" [E, H],
// "out.bias" [E].
func (m *Network) Params() []net.Param { return m.params }

// Config returns the settings that the network was made with.
func (m *Network) Config() Config { return m.cfg }
