package d3pm_test

import (
	"testing"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/dotgrad"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// incidence returns [E, V] matrices with a one at each edge's tail and head.
func incidence(g *ddps.LayeredGraph) (tail, head [][]float64) {
	for e := range g.NumEdges() {
		t, h := make([]float64, g.NumVertices()), make([]float64, g.NumVertices())
		t[g.Tail(e)], h[g.Head(e)] = 1, 1
		tail, head = append(tail, t), append(head, h)
	}
	return tail, head
}

// expectedReward builds R̄(z) by the paper's Algorithm 1: a softmax a row, then the probability of every vertex
// and edge layer by layer. printed takes line 4 as printed, p_v·1ᵀu_v.
func expectedReward(g *ddps.LayeredGraph, z, u *graph.Node, printed bool) *graph.Node {
	tailM, headM := incidence(g)
	tail, head := graph.Const(z.Graph(), tailM), graph.Const(z.Graph(), headM)
	dot := func(x, y *graph.Node, axis int) *graph.Node {
		return graph.DotGeneral(x, []int{axis}, nil, y, []int{0}, nil)
	}
	expZ := graph.Exp(z)
	pi := graph.Div(expZ, dot(tail, dot(tail, expZ, 0), 1))
	start := make([]float64, g.NumVertices())
	start[0] = 1
	p := graph.Const(z.Graph(), start)
	total := graph.ScalarZero(z.Graph(), dtypes.Float64)
	for range g.NumLayers() - 1 {
		from := dot(tail, p, 1) // p of each edge's tail
		flow := graph.Mul(from, pi)
		earned := flow
		if printed {
			earned = from
		}
		total = graph.Add(total, graph.ReduceAllSum(graph.Mul(earned, u)))
		p = dot(head, flow, 0)
	}
	return total
}

// The closed-form gradients of the expected reward are those of GoMLX's automatic differentiation.
func TestGuidanceAgainstAutodiff(t *testing.T) {
	o, _, g := oracle.Load()
	be, err := backend.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	dotgrad.Install()
	pi, got := make([]float64, len(o.Z)), make([]float64, len(o.Z))
	chain.Softmax(g, o.Z, pi)
	for name, c := range map[string]struct {
		make func(*ddps.LayeredGraph, []float64) (guide.Gradient, error)
		rbar float64
	}{"meant": {guide.NewGradient, o.RBar}, "printed": {guide.NewGradientPrinted, o.RBarPrinted}} {
		exec, err := graph.NewExec(be, func(z, u *graph.Node) []*graph.Node {
			r := expectedReward(g, z, u, name == "printed")
			return []*graph.Node{r, graph.Gradient(r, z)[0]}
		})
		if err != nil {
			t.Fatal(err)
		}
		outs, err := exec.Exec(o.Z, o.U)
		if err != nil {
			t.Fatal(err)
		}
		d3pm.All(t, name+": R̄", []float64{tensors.ToScalar[float64](outs[0])}, []float64{c.rbar}, 1e-9)
		grad, err := c.make(g, o.U)
		if err != nil {
			t.Fatal(err)
		}
		grad(pi, got)
		d3pm.All(t, name+": ∇R̄", got, outs[1].Value().([]float64), 1e-9)
	}
}
