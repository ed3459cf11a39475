package d3pm

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(b)) }

func All(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !near(got[i], want[i], tol) {
			t.Errorf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
}

func TestScheduleVectors(t *testing.T) {
	o, _, _ := oracle.Load()
	s := Cosine(o.Schedule.T)
	for k, want := range o.Schedule.Abar {
		tm, _ := strconv.Atoi(k)
		if !near(s.Abar[tm], want, 1e-12) {
			t.Errorf("ᾱ_%d = %v, want %v", tm, s.Abar[tm], want)
		}
		if !near(s.Beta(tm), o.Schedule.Beta[k], 1e-9) {
			t.Errorf("β_%d = %v, want %v", tm, s.Beta(tm), o.Schedule.Beta[k])
		}
	}
}

// stepOf makes a step of g at x_t from π.
func stepOf(g *ddps.LayeredGraph, sched *Schedule, t, s int, xt ddps.PALM, pi []float64) *Step {
	st := NewStep(g)
	st.Begin(sched, t, s, xt)
	st.Pi, st.Rand = pi, rand.New(rand.NewPCG(1, 2))
	return &st
}

func TestKernelRowVectors(t *testing.T) {
	o, _, _ := oracle.Load()
	row := o.KernelRow
	g, err := ddps.New([]int{1, row.D}, [][]int{{1, 2, 3}, {}, {}, {}})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range row.ByT {
		tm, _ := strconv.Atoi(k)
		st := stepOf(g, Cosine(o.Schedule.T), tm, tm-1, ddps.PALM{int32(row.Xt), 0, 0, 0}, row.Pi)
		austin(st)
		All(t, "Austin t="+k, st.Dist, want.Austin, 1e-9)
		eq2(st)
		All(t, "Mixture t="+k, st.Dist, want.Mixture, 1e-9)
	}
}

func TestExactDenoiserVectors(t *testing.T) {
	o, o2, g := oracle.Load()
	d := chain.NewDenoiser(chain.Uniform(g), Cosine(o.Schedule.T).Abar)
	All(t, "π⁰", chain.Uniform(g).P, o2.Pi0, 1e-9)
	pi, reach := make([]float64, g.NumEdges()), make([]float64, g.NumVertices())
	for k, want := range o.Bayes {
		tm, _ := strconv.Atoi(k)
		if err := d.Posterior(pi, []ddps.PALM{o.Xt}, tm); err != nil {
			t.Fatal(err)
		}
		chain.Reach(g, pi, reach)
		rows, _ := g.Layer(g.NumLayers() - 1) // the last layer has no rows
		All(t, "reach t="+k, reach[:rows], want.Occupancy[:rows], 1e-9)
		for e, p := range want.Pi {
			if p == nil {
				continue
			}
			if !near(pi[e], *p, 1e-9) {
				t.Errorf("t=%s edge %d: π = %v, want %v", k, e, pi[e], *p)
			}
		}
	}
	if err := d.Posterior(pi, []ddps.PALM{o2.Xt}, o2.T); err != nil {
		t.Fatal(err)
	}
	chain.Reach(g, pi, reach)
	All(t, "exact π", pi, o2.Exact.Pi, 1e-9)
	All(t, "exact reach", reach, o2.Exact.Reach, 1e-9)
}

func TestBoundStepVectors(t *testing.T) {
	o, o2, g := oracle.Load()
	b := &Bound{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), Cosine(o.Schedule.T).Abar),
		Schedule: Cosine(o.Schedule.T)}
	w := b.newScorer(1, []int{o2.T, o2.S})
	w.x[0][0], w.x[1][0] = o2.Xt, o2.Xs
	path := ddps.Path{0}
	for _, e := range o2.Bound.Edges {
		path = append(path, g.Head(e))
	}
	if err := w.step(0, []ddps.Path{path}); err != nil {
		t.Fatal(err)
	}
	All(t, "cost of the step", w.cost, []float64{o2.Bound.Cost}, 1e-9)
	copy(w.pi, o2.Exact.Pi)
	ratios(g, b.Schedule.Abar[o2.S], b.Schedule.Abar[o2.T], o2.Xs, o2.Xt, w.ratio)
	logZ, sum := w.tilter.Tilt(w.pi, w.ratio, w.out), 0.0
	for _, e := range o2.Bound.Edges {
		sum += math.Log(w.ratio[e])
	}
	All(t, "log Z, Σ log r, cost", []float64{logZ, sum, sum - logZ},
		[]float64{o2.Bound.LogZ, o2.Bound.SumLogR, o2.Bound.Cost}, 1e-9)
}

// The distribution of one row under Joint() is Occupancy()'s, and the independent program's.
func TestJointRowVectors(t *testing.T) {
	o, o2, g := oracle.Load()
	st := stepOf(g, Cosine(o.Schedule.T), o2.T, o2.S, o2.Xt, o2.Exact.Pi)
	lo, hi := g.Edges(o2.Joint.Vertex)
	occupancy(st)
	All(t, "Occupancy", st.Dist[lo:hi], o2.Joint.Dist, 1e-9)
	mean, reach := make([]float64, hi-lo), 0.0
	const n = 200000
	for range n {
		joint(st)
		for i, p := range st.Dist[lo:hi] {
			mean[i] += p / n
		}
		for _, v := range st.path {
			if v == o2.Joint.Vertex {
				reach += 1. / n
			}
		}
	}
	All(t, "Joint, mean of draws", append(mean, reach), append(o2.Joint.Dist, o2.Joint.Reach), 5e-3)
}
