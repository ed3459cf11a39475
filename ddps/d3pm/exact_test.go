package d3pm_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// palms enumerates all PALMs of g.
func palms(g *ddps.LayeredGraph) []ddps.PALM {
	out := []ddps.PALM{make(ddps.PALM, g.NumVertices())}
	for _, v := range ddps.Rows(g) {
		n := len(out)
		for d := 1; d < g.Degree(int(v)); d++ {
			for _, x := range out[:n] {
				y := append(ddps.PALM(nil), x...)
				y[v] = int32(d)
				out = append(out, y)
			}
		}
	}
	return out
}

// matrix is Q_t of a row by the paper's appendix, and products of them, the slow way.
func matrix(D int, betas []float64) [][]float64 {
	q := make([][]float64, D)
	for i := range q {
		q[i] = make([]float64, D)
		q[i][i] = 1
	}
	for _, b := range betas {
		next := make([][]float64, D)
		for i := range q {
			next[i] = make([]float64, D)
			for j := range D {
				for k := range D {
					step := b / float64(D)
					if k == j {
						step = 1 - float64(D-1)/float64(D)*b
					}
					next[i][j] += q[i][k] * step
				}
			}
		}
		q = next
	}
	return q
}

// betas returns β_{s+1} … β_t.
func betas(s *d3pm.Schedule, from, to int) []float64 {
	var b []float64
	for t := from + 1; t <= to; t++ {
		b = append(b, s.Beta(t))
	}
	return b
}

// exactRow returns the distribution of row v of x_s by sums over matrices, for a kernel that factorises; x0 < 0 off the
// path of Joint().
func exactRow(name string, D, xt int, pi []float64, reach float64, q0s, qst, q0t [][]float64, x0, s int) []float64 {
	dist, sum := make([]float64, D), 0.0
	for j := range D {
		austin, eq2 := 0.0, 0.0
		for i := range D {
			joint := q0s[i][j] * qst[j][xt]
			austin += joint * pi[i]
			eq2 += joint / q0t[i][xt] * pi[i]
		}
		switch name {
		case "Austin":
			dist[j] = austin
		case "Eq2":
			dist[j] = eq2
		case "Occupancy":
			if dist[j] = reach*eq2 + (1-reach)*qst[xt][j]; s == 0 {
				dist[j] = pi[j]
			}
		case "Joint":
			if dist[j] = qst[xt][j]; x0 >= 0 {
				dist[j] = q0s[x0][j] * qst[j][xt] / q0t[x0][xt]
			}
			if s == 0 {
				dist[j] = pi[j]
			}
		}
		sum += dist[j]
	}
	for j := range dist {
		dist[j] /= sum
	}
	return dist
}

// exactSampler propagates the distribution of the whole PALM through every reverse step and returns the path
// distribution.
func exactSampler(name string, s *d3pm.Sampler) []float64 {
	g, dist := s.Graph, oracle.NewDistribution(s.Graph)
	states := palms(g)
	index := map[string]int{}
	for i, x := range states {
		index[string(key(x))] = i
	}
	mass := make([]float64, len(states))
	for i := range mass {
		mass[i] = 1 / float64(len(states))
	}
	times, _ := s.Schedule.Times(s.Steps)
	for k, t := range times[:len(times)-1] {
		next := make([]float64, len(states))
		for i, x := range states {
			for j, q := range exactStep(name, s, dist, states, x, t, times[k+1]) {
				next[j] += mass[i] * q
			}
		}
		mass = next
	}
	out := make([]float64, len(dist.Paths))
	for i, x := range states {
		r, _ := ddps.NewIndex(g).Rank(g.Decode(x))
		out[r.Int64()] += mass[i]
	}
	return out
}

func key(x ddps.PALM) []byte {
	b := make([]byte, len(x))
	for i, v := range x {
		b[i] = byte(v)
	}
	return b
}

// exactStep returns the distribution of x_s over all PALMs given x_t.
func exactStep(name string, s *d3pm.Sampler, dist *oracle.Distribution, states []ddps.PALM, xt ddps.PALM, t,
	to int) []float64 {
	g, E := s.Graph, s.Graph.NumEdges()
	pi, reach, tilted, grad := make([]float64, E), make([]float64, g.NumVertices()), make([]float64, E), make([]float64, E)
	if err := s.Denoiser.Posterior(pi, []ddps.PALM{xt}, t); err != nil {
		panic(err)
	}
	full := dist.Of(pi)
	if s.Condition != nil {
		full = given(dist, full, s.Condition, pi, tilted)
		pi = tilted
	}
	if s.Guide != nil {
		s.Guide.Gradient(pi, grad)
	}
	chain.Reach(g, pi, reach)
	out := make([]float64, len(states))
	q := map[int][3][][]float64{} // by D: 0 → s, s → t, 0 → t
	for _, v := range ddps.Rows(g) {
		D := g.Degree(int(v))
		if _, ok := q[D]; !ok {
			q[D] = [3][][]float64{matrix(D, betas(s.Schedule, 0, to)), matrix(D, betas(s.Schedule, to, t)),
				matrix(D, betas(s.Schedule, 0, t))}
		}
	}
	scenario := func(weight float64, path []int) {
		rows := map[int32][]float64{}
		for _, v := range ddps.Rows(g) {
			lo, hi := g.Edges(int(v))
			x0 := -1
			for _, e := range path {
				if g.Tail(e) == int(v) {
					x0 = e - lo
				}
			}
			D := hi - lo
			r := exactRow(name, D, int(xt[v]), pi[lo:hi], reach[v], q[D][0], q[D][1], q[D][2], x0, to)
			if rows[v] = r; to == 0 && d3pm.HasMemory(s.Condition) {
				for d := range r {
					r[d] *= math.Exp(s.Scale * grad[lo+d])
				}
				continue
			}
			sum := 0.0
			for d := range r {
				r[d] *= math.Exp(s.Scale * grad[lo+d])
				sum += r[d]
			}
			for d := range r {
				r[d] /= sum
			}
		}
		if to == 0 && d3pm.HasMemory(s.Condition) {
			wholePaths(dist, full, pi, rows, states, out)
			return
		}
		for i, x := range states {
			p := weight
			for v, r := range rows {
				p *= r[x[v]]
			}
			out[i] += p
		}
	}
	if name != "Joint" || to == 0 {
		scenario(1, nil)
		return out
	}
	for i, p := range full {
		scenario(p, dist.Edges[i])
	}
	return out
}

// given conditions a path distribution by the weight of every path, and sets rows to the row distributions that it has.
func given(dist *oracle.Distribution, full []float64, c d3pm.Condition, pi, rows []float64) []float64 {
	out, sum := make([]float64, len(full)), 0.0
	for i, p := range dist.Paths {
		out[i] = full[i] * math.Exp(c.(guide.Condition).LogWeight(p))
		sum += out[i]
	}
	clear(rows)
	for i, edges := range dist.Edges {
		out[i] /= sum
		for _, e := range edges {
			rows[e] += out[i]
		}
	}
	for v := range dist.Graph.NumVertices() {
		lo, hi := dist.Graph.Edges(v)
		visited := 0.0
		for e := lo; e < hi; e++ {
			visited += rows[e]
		}
		for e := lo; e < hi; e++ {
			if rows[e] /= visited; visited == 0 {
				rows[e] = pi[e]
			}
		}
	}
	return out
}

// wholePaths adds to the states of x_0 the distribution of the last step where a condition has a memory: edge by
// edge, given all that went before, ∝ the path distribution full times what the kernel made of the row pi.
func wholePaths(dist *oracle.Distribution, full, pi []float64, rows map[int32][]float64, states []ddps.PALM,
	out []float64) {
	g := dist.Graph
	bias := func(e int) float64 {
		lo, _ := g.Edges(g.Tail(e))
		if r, ok := rows[int32(g.Tail(e))]; ok && pi[e] > 0 {
			return r[e-lo] / pi[e]
		}
		return 1
	}
	for i, edges := range dist.Edges {
		p := 1.0
		for l, e := range edges {
			num, den := 0.0, 0.0
			for j, other := range dist.Edges {
				if slices.Equal(other[:l], edges[:l]) {
					den += full[j] * bias(other[l])
					if other[l] == e {
						num += full[j] * bias(e)
					}
				}
			}
			if p *= num; p > 0 {
				p /= den
			}
		}
		k := slices.IndexFunc(states, func(x ddps.PALM) bool { return slices.Equal(g.Decode(x), dist.Paths[i]) })
		out[k] += p
	}
}

// Every kernel, plain, guided and conditioned, on the paper's example graph: the sampler's path distribution against
// the exact one, by χ² at the 99.9% level.
func TestSamplerDistributions(t *testing.T) {
	g := ddps.Example()
	rng := ddps.Rand(11, 0)
	z, u := make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
	for e := range z {
		z[e], u[e] = rng.NormFloat64(), float64(rng.IntN(2))-0.5
	}
	chain.Softmax(g, z, z)
	c, err := chain.New(g, z)
	if err != nil {
		t.Fatal(err)
	}
	sched := d3pm.Cosine(6)
	ascend, _ := guide.NewGradient(g, u)
	printed, _ := guide.NewGradientPrinted(g, u)
	best, _ := guide.MaxReward(g, u)
	warm, _ := guide.Boltzmann(g, u, 0.7)
	through, _ := guide.Through(g, guide.Stop{Vertices: []int{2, 7}}, guide.Stop{Vertices: []int{4, 9}})
	two := make([]float64, g.NumEdges())
	two[0], two[3], two[5], two[9] = 1, 1, 1, 1 // by A B E I, or A C E H
	exactly, _ := guide.Exactly(g, two, 2)
	both, err := guide.All(warm, through)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []guide.Condition{through, exactly, both} {
		if l, _ := c.OnProduct(); l == nil {
			t.Fatalf("%v has no memory: it tests nothing", c)
		}
	}
	const n = 20000
	for name, kernel := range map[string]d3pm.Kernel{"Austin": d3pm.Austin(), "Eq2": d3pm.Eq2(),
		"Occupancy": d3pm.Occupancy(), "Joint": d3pm.Joint()} {
		for how, s := range map[string]*d3pm.Sampler{
			"plain": {}, "Eq7": {Guide: ascend, Scale: 2}, "against": {Guide: ascend, Scale: -1}, "printed": {Guide: printed,
				Scale: 1},
			"MaxReward": {Condition: best}, "Boltzmann": {Condition: warm}, "both": {Condition: warm, Guide: ascend, Scale: 1},
			"Through": {Condition: through}, "Exactly": {Condition: exactly}, "All": {Condition: both},
			"All, guided": {Condition: both, Guide: ascend, Scale: -2},
		} {
			s.Graph, s.Denoiser, s.Schedule, s.Kernel, s.Steps = g, chain.NewDenoiser(c, sched.Abar), sched, kernel, 3
			want := exactSampler(name, s)
			paths, err := s.Sample(context.Background(), n, 5)
			if err != nil {
				t.Fatal(err)
			}
			chi2, df := oracle.ChiSquare(want, oracle.NewDistribution(g).Shares(paths), n)
			if limit := chi999[df]; chi2 > limit {
				t.Errorf("%s, %s: χ² = %.1f, 99.9%% quantile %.1f with %d degrees of freedom", name, how, chi2, limit, df)
			}
		}
	}
}

// chi999[df] is the 99.9% quantile of χ².
var chi999 = []float64{1e-6, 10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32, 26.12, 27.88}

// Joint() with the exact denoiser gives the chain's distribution at any number of steps; so does a conditioned chain.
func TestJointIsExact(t *testing.T) {
	g := ddps.Example()
	c := chain.Uniform(g)
	sched := d3pm.Cosine(256)
	dist := oracle.NewDistribution(g)
	for _, S := range []int{1, 2, 7} {
		s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(c, sched.Abar), Schedule: sched, Steps: S}
		paths, err := s.Sample(context.Background(), 40000, 3)
		if err != nil {
			t.Fatal(err)
		}
		if chi2, df := oracle.ChiSquare(dist.Uniform(), dist.Shares(paths), 40000); chi2 > chi999[df] {
			t.Errorf("S = %d: χ² = %.1f", S, chi2)
		}
	}
}
