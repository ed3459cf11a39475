package d3pm

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// PairConfig describes a Pair. The zero value is not valid: start from DefaultPair.
type PairConfig struct {
	Hidden int  `toml:"hidden"` // H, length of the vectors, at least 1
	Shared bool `toml:"shared"` // vectors of places times scales of layers; needs the graph's Meta().Place
	Time   int  `toml:"time"`   // features of t in γ_t, at least 1

	// Backend is what LossGrad runs on, opened at its first call: "" is plain Go, made for this network; else a GoMLX
	// backend, "go", "go:large", "xla:cpu", "xla:cuda", "xla:/abs/x.so" or "auto".
	Backend string `toml:"backend"`
}

// DefaultPair returns the settings for maps of Heights' size: H = 32, shared by place. On graphs without places
// set Shared to false, on larger maps H to 16.
func DefaultPair() PairConfig { return PairConfig{Hidden: 32, Shared: true, Time: 8} }

// Pair corrects a chain by what pairs of vertices say of each other. Every vertex has vectors a_v, b_v ∈ ℝᴴ, and
// a path has the pair score Σ_{i<j} ⟨a_i, γ_t ⊙ b_j⟩. Under the law of the path given x_t that the chain has, with
// its exact posterior π_v(e) and the probabilities p_v of visiting v, Pair takes the expectations
//
//	C_w = Σ_{v→w} q_vw (C_v + a_v), q_vw = p_v π_v(w)/p_w    E[Σ of a over earlier vertices | w on the path]
//	S_v = Σ_{v→w} π_v(w) (b_w + S_w)                         E[Σ of b over later vertices | v on the path]
//	T_v = ⟨a_v, γ_t ⊙ S_v⟩ + Σ_{v→w} π_v(w) T_w              E[pair score of the path from v on]
//
// with C_{v¹} = 0, S = T = 0 on the last layer and C_w = 0 where p_w = 0, and gives edge v → w
//
//	out(v→w) = ⟨C_v + a_v, γ_t ⊙ (b_w + S_w)⟩ + T_w,
//
// to be added to log π_v(w). For a law chain · exp(score) that is right to first order in the score. It is always
// residual. b starts at zero, so that a fresh Pair is the chain. No gradient goes through π. Goes beyond the paper.
//
// With Shared, vertex v of layer l has a_v = A[row] ⊙ (1 + s_l), row that of its place, and
// b_v = (B[row] + r_l·A[row]) ⊙ (1 + s'_l); vertices of no place (−1) have a row each. The A of places are nearly
// orthogonal, so that the number r_l says how a path likes to come back to a place at layer l. γ_t = 1 + Σ_k
// cos(πkt/T)·Γ_k, k in 1…Time. The scales s and s', r and Γ start at zero.
//
// Cost: O(E·H) a sample, three sweeps over the edges for Forward and four for LossGrad. Writing to the arrays of
// Params while either runs is a race.
type Pair struct {
	cfg    PairConfig
	posts  Base
	times  int // T
	graph  pairGraph
	row    []int32 // [V] row of the vertex in a and b
	layer  []int32 // [V]
	a, b   pairTable
	gamma  []float32 // [Time, H]
	params engine.Params

	pool, trainers, work sync.Pool // *pairScratch, *pairTrainer, *pairWork
	device               pairDevice
}

// pairTable holds a or b: rows, and where shared (else nil) scales of the layers; b has r and the rows of a too.
type pairTable struct{ rows, scale, back, other []float32 }

// rowOf returns the table's row r in layer l, before the scale, in x, which is room for it.
func (t *pairTable) rowOf(x []float32, r, l int) []float32 {
	row := t.rows[r*len(x):][:len(x)]
	if t.back == nil {
		return row
	}
	back, other := t.back[l], t.other[r*len(x):][:len(x)]
	for h, y := range row {
		x[h] = y + back*other[h]
	}
	return x
}

// NewPair makes the network on g that corrects base, a denoiser on the same graph and schedule, with a drawn from
// seed. The error names what is out of range or missing.
func NewPair(g *ddps.LayeredGraph, base Base, schedule *Schedule, cfg PairConfig, seed uint64) (*Pair, error) {
	switch {
	case g == nil || base == nil || schedule == nil:
		return nil, errors.New("d3pm: pair: graph, base and schedule must be given")
	case base.Graph().NumEdges() != g.NumEdges() || base.Graph().NumVertices() != g.NumVertices():
		return nil, fmt.Errorf("d3pm: pair: a base of %d edges for a graph of %d", base.Graph().NumEdges(), g.NumEdges())
	case cfg.Hidden < 1 || cfg.Time < 1:
		return nil, fmt.Errorf("d3pm: pair: vectors of %d, %d time features: want at least 1", cfg.Hidden, cfg.Time)
	case cfg.Shared && g.Meta().Place == nil:
		return nil, errors.New("d3pm: pair: the graph has no places to share vectors by: set Shared to false")
	}
	p := &Pair{cfg: cfg, posts: base, times: schedule.T()}
	p.graph = newPairGraph(g, (cfg.Hidden+pairWidth-1)/pairWidth)
	n := p.setRows(g)
	p.init(n, g.NumLayers(), rand.New(rand.NewPCG(seed, 0x70616972)))
	p.pool.New = func() any { return newPairScratch(p) }
	p.trainers.New = func() any { return newPairTrainer(p) }
	p.work.New = func() any { return new(pairWork) }
	return p, nil
}

// setRows sets row and layer and returns the number of rows.
func (p *Pair) setRows(g *ddps.LayeredGraph) int {
	V := g.NumVertices()
	p.row, p.layer = make([]int32, V), make([]int32, V)
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			p.row[v], p.layer[v] = int32(v), int32(l)
		}
	}
	if !p.cfg.Shared {
		return V
	}
	n, of := int32(0), map[int]int32{}
	for v, place := range g.Meta().Place {
		r, known := of[place]
		if !known || place < 0 {
			r = n
			of[place] = r
			n++
		}
		p.row[v] = r
	}
	return int(n)
}

// init makes the parameters: a of variance 1/H, all else zero.
func (p *Pair) init(rows, layers int, rng *rand.Rand) {
	H := p.cfg.Hidden
	p.a.rows, p.b.rows = p.params.Add("a", rows, H), p.params.Add("b", rows, H)
	if p.cfg.Shared {
		p.a.scale, p.b.scale = p.params.Add("a.layer", layers, H), p.params.Add("b.layer", layers, H)
	}
	if p.cfg.Shared {
		p.b.back, p.b.other = p.params.Add("b.back", layers, 1), p.a.rows
	}
	p.gamma = p.params.Add("gamma", p.cfg.Time, H)
	for i := range p.a.rows {
		p.a.rows[i] = float32(rng.NormFloat64() / math.Sqrt(float64(H)))
	}
}

// silent tells whether all of b is 0, and so every score.
func (p *Pair) silent() bool {
	some := func(x float32) bool { return x != 0 }
	return !slices.ContainsFunc(p.b.rows, some) && !slices.ContainsFunc(p.b.back, some)
}

// Params returns the live arrays: "a" and "b" [rows, H], a row a vertex, or with Shared a row a place in the order
// of its first vertex; with Shared "a.layer" and "b.layer" [L, H], and "b.back" [L, 1], r; and "gamma" [Time, H].
func (p *Pair) Params() []Param { return p.params }

// Config returns the settings that the network was made with.
func (p *Pair) Config() PairConfig { return p.cfg }

// features sets f, of length Time, to cos(πkt/T) for k in 1…Time.
func (p *Pair) features(f []float32, t int) {
	for k := range f {
		f[k] = float32(math.Cos(math.Pi * float64(k+1) * float64(t) / float64(p.times)))
	}
}
