package chain

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/optimize"
)

// FitMixture fits a mixture to paths with weights (nil: all 1). Class k is a base, tilted by potentials of vertices and,
// where the order is 2, of turns, a move from place v to w of a path that was in another place u before, over any wait,
//
//	P_k(path) = base(path)·exp(Σ_v φ_k(v) + Σ_turns ψ(u, v, w) + ψ'(layer)·1[w = u] + ψ''(layer)·1[w = v, once more])/Z_k,
//
// which is again a chain, on the lift Turns where there are turns: a class costs a number a vertex, and all of them
// together one a turn of places, whatever its layer, and two a layer. The base is the chain c, fitted to the same paths,
// where the order is 1; turns tell of edges too, and the base is then the law uniform over all paths, which costs no
// number at all. Of φ, ψ and ω it seeks the most likely under Gaussian priors,
//
//	Σ_n w_n log Σ_k ω_k P_k(path_n) − ½ρ (Σ φ² + Σ ψ²) − ½τ Σ (φ_k(v) − φ_k(v'))²,
//
// v and v' the same place (Meta.Place) in layers that follow each other, by L-BFGS (Liu and Nocedal 1989) from
// potentials drawn from seed; the gradient is closed form, a class's visits to v less those that it expects. A
// maximum it finds need not be the greatest. each, unless it is nil, is called after every round; an error of its own
// ends the fit and is returned. The other errors are Fit's and Check's. O(Rounds·K·(n·L + edges of the lift)).
func FitMixture(c *Chain, paths []ddps.Path, weights []float64, cfg MixtureConfig, seed uint64, each func(round int) error) (*Mixture, error) {
	if err := cfg.Check(c.Graph); err != nil {
		return nil, err
	}
	if _, err := edgeWeights(c.Graph, paths, weights); err != nil {
		return nil, err
	}
	if cfg.Simple() {
		return c.Law().Single(), nil
	}
	f := newMixtureFit(c, paths, weights, cfg)
	x := f.start(seed)
	at, slope := []float64(nil), make([]float64, len(x)) // where the gradient was asked for last: it comes with the loss
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			at = append(at[:0], x...)
			return f.loss(x, slope)
		},
		Grad: func(grad, x []float64) {
			if !slices.Equal(x, at) {
				at = append(at[:0], x...)
				f.loss(x, slope)
			}
			copy(grad, slope)
		},
	}
	told := &rounds{each: each}
	settings := &optimize.Settings{MajorIterations: cfg.Rounds, GradientThreshold: 1e-7, Recorder: told}
	r, err := optimize.Minimize(problem, x, settings, &optimize.LBFGS{Store: 10})
	if told.err != nil {
		return nil, told.err
	}
	if r == nil || !(math.Abs(r.F) <= math.MaxFloat64) || err != nil && r.Stats.MajorIterations == 0 {
		return nil, fmt.Errorf("chain: mixture: the fit cannot begin: %w", errors.Join(err, fmt.Errorf("ridge is %v, smooth %v", cfg.Ridge, cfg.Smooth)))
	}
	return f.mixture(r.X), nil // a line search that ends early leaves the best point there was
}

// rounds tells of the rounds of a fit.
type rounds struct {
	each func(round int) error
	n    int
	err  error // of each
}

func (r *rounds) Init() error { return nil }

func (r *rounds) Record(_ *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	if r.each == nil || op != optimize.MajorIteration {
		return nil
	}
	r.n++
	r.err = r.each(r.n)
	return r.err
}

// mixtureFit is the likelihood of a mixture and what it is made of. Parameters are φ, [V, K], log ω + const, [K], and ψ.
type mixtureFit struct {
	base    *Law      // on the lift
	turn    [][2]int  // by edge of the lift: which of ψ it has, −1 for none
	turns   []float64 // by ψ: weight of the paths that have it
	cfg     MixtureConfig
	V, K, L int       // L: vertices of a path without v¹
	visits  []int32   // [path, L]
	weights []float64 // [path]
	total   float64   // Σ weights
	next    []int     // [V] the same place a layer on, −1: none
	parts   []*mixturePart
	classes []*mixtureClass
}

// mixtureParts is into how many parts the paths are split, whatever the number of processors: sums are the same then.
const mixtureParts = 16

// mixturePart is the sum over some paths.
type mixturePart struct {
	lo, hi        int
	loss          float64
	n, class, row []float64 // [V, K] visits, [K] paths, [K]
}

// mixtureClass is a class as a chain on the lift: log messages and reach by its states, reach by vertex, and the chain.
type mixtureClass struct{ m, states, reach, pi, turns []float64 } // and the turns expected

func newMixtureFit(c *Chain, paths []ddps.Path, weights []float64, cfg MixtureConfig) *mixtureFit {
	g := c.Graph
	V, K := g.NumVertices(), cfg.Classes
	lift, states := Identity(g), []came(nil)
	if cfg.Order == 2 {
		lift, states, _ = turnStates(g, 0) // Check has seen to errors
		c = Uniform(g)
	}
	base := &Law{Lift: lift, P: make([]float64, len(lift.Edge))}
	lift.Pull(c.P, base.P)
	f := &mixtureFit{base: base, cfg: cfg, V: V, K: K, L: g.NumLayers() - 1, weights: weights, next: following(g)}
	for i, p := range paths {
		for _, v := range p[1:] {
			f.visits = append(f.visits, int32(v))
		}
		if weights == nil {
			f.weights = append(f.weights, 1)
		}
		f.total += f.weights[i]
	}
	if cfg.Order == 2 {
		f.count(paths, states)
	}
	for k := range mixtureParts {
		f.parts = append(f.parts, &mixturePart{lo: k * len(paths) / mixtureParts, hi: (k + 1) * len(paths) / mixtureParts,
			n: make([]float64, V*K), class: make([]float64, K), row: make([]float64, K)})
	}
	for range K {
		states := base.Lift.Graph.NumVertices()
		f.classes = append(f.classes, &mixtureClass{m: make([]float64, states), states: make([]float64, states),
			reach: make([]float64, V), pi: make([]float64, len(base.P)), turns: make([]float64, len(f.turns))})
	}
	return f
}

// following returns of each vertex the vertex of the same place a layer on, −1 where there is none.
func following(g *ddps.LayeredGraph) []int {
	next, at := make([]int, g.NumVertices()), map[int]int{}
	for l := g.NumLayers() - 1; l >= 0; l-- {
		here := map[int]int{}
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			next[v] = -1
			if g.Meta().Place == nil || g.Meta().Place[v] < 0 {
				continue
			}
			place := g.Meta().Place[v]
			if w, ok := at[place]; ok {
				next[v] = w
			}
			here[place] = v
		}
		at = here
	}
	return next
}

// start draws the first potentials, the same for all of a place's vertices: classes that are alike stay so.
func (f *mixtureFit) start(seed uint64) []float64 {
	const spread = 0.5
	x, rng := make([]float64, f.V*f.K+f.K+len(f.turns)), ddps.Rand(seed, 0)
	drawn := make([]bool, f.V)
	for v := range f.V {
		if drawn[v] {
			continue
		}
		for k := range f.K {
			x[v*f.K+k] = spread * rng.NormFloat64()
		}
		for w := f.next[v]; w >= 0; w = f.next[w] {
			copy(x[w*f.K:][:f.K], x[v*f.K:][:f.K])
			drawn[w] = true
		}
	}
	return x
}

// loss returns what FitMixture minimises, in nats a path, and sets grad to its gradient unless it is nil.
func (f *mixtureFit) loss(x, grad []float64) float64 {
	V, K := f.V, f.K
	phi, psi, omega := x[:V*K], x[V*K+K:], make([]float64, K)
	SoftmaxRow(x[V*K:V*K+K], omega)
	base := make([]float64, K)
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for k := range K {
		work.Go(func() error {
			base[k] = math.Log(omega[k]) - f.classes[k].tilt(f, x, k)
			return nil
		})
	}
	work.Wait()
	for _, p := range f.parts {
		work.Go(func() error { p.sum(f, phi, base); return nil })
	}
	work.Wait()
	all := f.parts[0]
	for _, p := range f.parts[1:] {
		all.loss += p.loss
		for i, y := range p.n {
			all.n[i] += y
		}
		for k, y := range p.class {
			all.class[k] += y
		}
	}
	loss := all.loss + f.prior(phi, grad)
	for i, y := range psi {
		loss += f.cfg.Ridge*y*y/2 - f.turns[i]*y
	}
	if grad != nil {
		for k := range K {
			for v := range V {
				grad[v*K+k] += all.class[k]*f.classes[k].reach[v] - all.n[v*K+k]
			}
			grad[k] -= all.class[k] * f.classes[k].reach[0] // v¹ is on every path: its potential says nothing
			grad[V*K+k] = f.total*omega[k] - all.class[k]
		}
		for i, y := range psi {
			grad[V*K+K+i] = f.cfg.Ridge*y - f.turns[i]
			for k := range K {
				grad[V*K+K+i] += all.class[k] * f.classes[k].turns[i]
			}
		}
		for i := range grad {
			grad[i] /= f.total
		}
	}
	return loss / f.total
}

// prior returns minus the logarithm of the priors and sets grad to its gradient.
func (f *mixtureFit) prior(phi, grad []float64) float64 {
	sum, K := 0.0, f.K
	if grad != nil {
		clear(grad)
	}
	for i, y := range phi {
		sum += f.cfg.Ridge * y * y / 2
		next := f.next[i/K]
		d := 0.0
		if next >= 0 {
			d = f.cfg.Smooth * (y - phi[next*K+i%K])
			sum += d * (y - phi[next*K+i%K]) / 2
		}
		if grad != nil {
			grad[i] += f.cfg.Ridge*y + d
			if next >= 0 {
				grad[next*K+i%K] -= d
			}
		}
	}
	return sum
}

// sum adds up the part's paths: −Σ w log Σ_k ω_k P_k, up to a constant, and the classes' shares.
func (p *mixturePart) sum(f *mixtureFit, phi, base []float64) {
	K, r := f.K, p.row
	p.loss = 0
	clear(p.n)
	clear(p.class)
	for i := p.lo; i < p.hi; i++ {
		visits, w := f.visits[i*f.L:(i+1)*f.L], f.weights[i]
		copy(r, base)
		for _, v := range visits {
			for k, y := range phi[int(v)*K:][:K] {
				r[k] += y
			}
		}
		top, sum := math.Inf(-1), 0.0
		for _, y := range r {
			top = max(top, y)
		}
		for k, y := range r {
			r[k] = math.Exp(y - top)
			sum += r[k]
		}
		p.loss -= w * (top + math.Log(sum))
		for k := range r {
			r[k] *= w / sum
			p.class[k] += r[k]
		}
		for _, v := range visits {
			n := p.n[int(v)*K:][:K]
			for k, y := range r {
				n[k] += y
			}
		}
	}
}

// tilt makes class k of the parameters x and returns log Z_k.
func (s *mixtureClass) tilt(f *mixtureFit, x []float64, k int) float64 {
	base, g, vertex, K := f.base, f.base.Lift.Graph, f.base.Lift.Vertex, f.K
	phi, psi := x, x[f.V*K+K:]
	last, end := g.Layer(g.NumLayers() - 1)
	clear(s.m[last:end])
	for v := last - 1; v >= 0; v-- {
		lo, hi := g.Edges(v)
		top := math.Inf(-1)
		for e := lo; e < hi; e++ {
			w := g.Head(e)
			s.pi[e] = math.Log(base.P[e]) + phi[vertex[w]*K+k] + s.m[w]
			for _, i := range f.turnsOf(e) {
				if i >= 0 {
					s.pi[e] += psi[i]
				}
			}
			top = max(top, s.pi[e])
		}
		if s.m[v] = top; math.IsInf(top, -1) {
			copy(s.pi[lo:hi], base.P[lo:hi])
			continue
		}
		sum := 0.0
		for e := lo; e < hi; e++ {
			s.pi[e] = math.Exp(s.pi[e] - top)
			sum += s.pi[e]
		}
		for e := lo; e < hi; e++ {
			s.pi[e] /= sum
		}
		s.m[v] = top + math.Log(sum)
	}
	Reach(g, s.pi, s.states)
	clear(s.reach)
	for q, p := range s.states {
		if vertex[q] >= 0 {
			s.reach[vertex[q]] += p
		}
	}
	clear(s.turns)
	for e, both := range f.turn {
		for _, i := range both {
			if i >= 0 {
				s.turns[i] += s.states[g.Tail(e)] * s.pi[e]
			}
		}
	}
	return s.m[0]
}

// mixture returns the mixture of parameters x.
func (f *mixtureFit) mixture(x []float64) *Mixture {
	m := &Mixture{Lift: f.base.Lift, Weight: make([]float64, f.K), P: make([]float64, len(f.base.P)*f.K)}
	SoftmaxRow(x[f.V*f.K:f.V*f.K+f.K], m.Weight)
	for k, s := range f.classes {
		s.tilt(f, x, k)
		for e, p := range s.pi {
			m.P[e*f.K+k] = p
		}
	}
	return m
}
