package d3pm_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/reverse"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// stepCase is a step of some samples: x_t, π by drawn logits, what a network adds, and random numbers.
type stepCase struct {
	m       *model.Model
	x       []ddps.PALM
	pi      [][]float64 // [sample][edge]
	out     [][]float32
	lambda  []float64
	u       []float64
	numbers []float64
	t, s    int
}

const stepSeed = 11 // of the samples' random numbers

func newStepCase(t *testing.T, g *ddps.LayeredGraph, n, from, to int) *stepCase {
	m := deviceModel(t, g, func(c *model.Config) { c.Network = model.NetworkNone })
	c := &stepCase{m: m, x: nettest.PALMs(g, n, 5), t: from, s: to}
	rng := rand.New(rand.NewPCG(8, 9))
	for range n {
		pi, out := make([]float64, g.NumEdges()), make([]float32, g.NumEdges())
		for e := range pi {
			pi[e], out[e] = 2*rng.NormFloat64(), float32(rng.NormFloat64())
			if rng.IntN(6) == 0 && g.Degree(g.Tail(e)) > 1 {
				lo, _ := g.Edges(g.Tail(e))
				if e != lo {
					pi[e] = math.Inf(-1)
				}
			}
		}
		chain.Softmax(g, pi, pi)
		c.pi, c.out = append(c.pi, pi), append(c.out, out)
		c.lambda = append(c.lambda, 10*rng.NormFloat64())
	}
	c.u = make([]float64, g.NumEdges())
	for e := range c.u {
		c.u[e] = float64(rng.IntN(3))
	}
	abar := m.Schedule.Abar
	c.numbers = reverse.NewNumbers(abar[from], abar[to], to == 0).Flat()
	return c
}

// inputs are the tensors that nodes takes.
func (c *stepCase) inputs(table *reverse.Table) []any {
	n, size := len(c.x), table.D*table.V
	x, draws := make([]int32, table.V*n), []float64{}
	pi, u, out := make([]float64, size*n), make([]float64, size*n), make([]float32, size*n)
	for k := range n {
		for v := range table.V {
			x[v*n+k] = c.x[k][v]
		}
		for rng := ddps.Rand(stepSeed, uint64(k)); len(draws) < (k+1)*table.Draws(); {
			draws = append(draws, rng.Float64())
		}
		for e, at := range table.Place {
			pi[int(at)*n+k], u[int(at)*n+k], out[int(at)*n+k] = c.pi[k][e], c.u[e], c.out[k][e]
		}
	}
	D, V := table.D, table.V
	return []any{engine.Tensor(x, V, n), engine.Tensor(draws, n, table.Draws()), engine.Tensor(c.numbers, len(c.numbers)),
		engine.Tensor(pi, D, V, n),
		engine.Tensor(out, D, V, n), engine.Tensor(u, D, V, n), engine.Tensor(c.lambda, n),
		engine.Tensor(table.Pad(c.m.Chain.P), D, V, 1)}
}

// stepKernels are the kernels in the order of nodes' outputs.
var stepKernels = []d3pm.Kernel{d3pm.Joint(), d3pm.Austin(), d3pm.Eq2(), d3pm.Occupancy(), d3pm.Algorithm2()}

// nodes builds π of the chain's exact denoiser, π corrected by the output, the gradient, and for each kernel its
// distribution, the distribution guided, and x_s of both.
func (c *stepCase) nodes(table *reverse.Table, in []*graph.Node) (outs []*graph.Node) {
	begin := func() *reverse.Step { return reverse.Begin(table, in[0], in[1], in[2]) }
	s := begin()
	pi := in[3]
	outs = append(outs, s.Posterior(in[7]), s.Correct(pi, in[4]), s.Gradient(pi, in[5]))
	for i, dist := range []func(*reverse.Step, *graph.Node) *graph.Node{(*reverse.Step).Joint, (*reverse.Step).Austin,
		(*reverse.Step).Eq2,
		(*reverse.Step).Occupancy, (*reverse.Step).Annealed} {
		s := begin()
		q, logs := dist(s, pi), i == 4
		guided := s.Guide(q, logs, s.Gradient(pi, in[5]), in[6])
		if logs {
			q = s.Guide(q, logs, nil, nil)
		}
		outs = append(outs, q, guided, s.Draw(q), s.Draw(guided))
	}
	return outs
}

// From the same π, logits and random numbers every kernel, guide and draw is the host's.
func TestDeviceStep(t *testing.T) { nettest.OnBackends(t, deviceStep) }

func deviceStep(t *testing.T, spec string) {
	g := nettest.Graph(t, 6, 4, 3, 3)
	table := reverse.NewTable(g, ddps.Rows(g))
	var e engine.Engine
	for _, times := range [][2]int{{200, 180}, {30, 12}, {1, 0}} {
		c := newStepCase(t, g, 20, times[0], times[1])
		args := c.inputs(table)
		build := func(args []*graph.Node) []*graph.Node { return c.nodes(table, args) }
		err := e.Run(spec, "step", build, args, func(outs []*tensors.Tensor) error {
			c.check(t, table, outs)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if e.Graphs() != 1 {
		t.Errorf("%d graphs, want 1", e.Graphs())
	}
}

// check holds outs to the host's numbers.
func (c *stepCase) check(t *testing.T, table *reverse.Table, outs []*tensors.Tensor) {
	g, n := c.m.Graph, len(c.x)
	E := g.NumEdges()
	like := func(what string, i, k int, want []float64, eps float64) {
		t.Helper()
		flat := tensors.MustCopyFlatData[float64](outs[i])
		for _, v := range ddps.Rows(g) {
			lo, hi := g.Edges(int(v))
			for e := lo; e < hi; e++ {
				if got := flat[int(table.Place[e])*n+k]; !(math.Abs(got-want[e]) <= eps*(1e-3+math.Abs(want[e]))) {
					t.Fatalf("%d → %d, sample %d, %s of edge %d: %v, want %v", c.t, c.s, k, what, e, got, want[e])
				}
			}
		}
	}
	drawn := func(i, k int, want ddps.PALM) {
		t.Helper()
		flat := tensors.MustCopyFlatData[int32](outs[i])
		for v := range table.V {
			if flat[v*n+k] != want[v] {
				t.Fatalf("%d → %d, sample %d, kernel %d: vertex %d draws %d, want %d", c.t, c.s, k, (i-3)/4, v, flat[v*n+k],
					want[v])
			}
		}
	}
	pi, grad, exps := make([]float64, E), make([]float64, E), make([]float32, E)
	for k := range n {
		chain.NewDenoiser(c.m.Chain, c.m.Schedule.Abar).Posterior(pi, []ddps.PALM{c.x[k]}, c.t)
		like("exact π", 0, k, pi, 1e-11)
		copy(pi, c.pi[k])
		if err := net.Correct(g, pi, c.out[k], exps); err != nil {
			t.Fatal(err)
		}
		like("corrected π", 1, k, pi, 1e-6)
		ascend, err := guide.NewGradient(g, c.u)
		if err != nil {
			t.Fatal(err)
		}
		ascend(c.pi[k], grad)
		like("gradient", 2, k, grad, 1e-11)
		for j, kernel := range stepKernels {
			dist, x := c.host(k, kernel, nil)
			like("distribution", 3+4*j, k, dist, 1e-9)
			drawn(5+4*j, k, x)
			dist, x = c.host(k, kernel, grad)
			like("guided distribution", 4+4*j, k, dist, 1e-9)
			drawn(6+4*j, k, x)
		}
	}
}

// host returns the distribution of sample k's rows and a draw of it.
func (c *stepCase) host(k int, kernel d3pm.Kernel, grad []float64) ([]float64, ddps.PALM) {
	st, x := d3pm.NewStep(c.m.Graph), slices.Clone(c.x[k])
	st.Rand, st.Pi = ddps.Rand(stepSeed, uint64(k)), c.pi[k]
	st.Begin(c.m.Schedule, c.t, c.s, x)
	kernel.Fill(&st)
	if grad != nil || st.Log {
		d3pm.GuideStep(&st, grad, c.lambda[k])
	}
	for _, v := range ddps.Rows(c.m.Graph) {
		lo, hi := c.m.Graph.Edges(int(v))
		x[v] = int32(chain.Pick(st.Dist[lo:hi], st.Rand.Float64()))
	}
	return st.Dist, x
}
