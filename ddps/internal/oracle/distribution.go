package oracle

import (
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Distribution is a distribution over all paths of a graph, in the order of ddps.Index.
type Distribution struct {
	Graph *ddps.LayeredGraph
	Paths []ddps.Path
	Edges [][]int // of each path
	index *ddps.Index
}

// NewDistribution enumerates the paths of g.
func NewDistribution(g *ddps.LayeredGraph) *Distribution {
	l := &Distribution{Graph: g, index: ddps.NewIndex(g)}
	for p := range g.Paths() {
		edges, _ := g.PathEdges(nil, p)
		l.Paths, l.Edges = append(l.Paths, p), append(l.Edges, edges)
	}
	return l
}

// Of returns the probability of every path under the chain pi.
func (l *Distribution) Of(pi []float64) []float64 {
	p := make([]float64, len(l.Paths))
	for i, edges := range l.Edges {
		p[i] = 1
		for _, e := range edges {
			p[i] *= pi[e]
		}
	}
	return p
}

// Uniform returns equal probabilities.
func (l *Distribution) Uniform() []float64 {
	return slices.Repeat([]float64{1 / float64(len(l.Paths))}, len(l.Paths))
}

// Given returns the distribution p conditioned on keep.
func (l *Distribution) Given(p []float64, keep func(i int) bool) []float64 {
	out, sum := make([]float64, len(p)), 0.0
	for i := range p {
		if keep(i) {
			out[i] = p[i]
			sum += p[i]
		}
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// Shares returns the share of each path among samples. It panics on one that is no path.
func (l *Distribution) Shares(samples []ddps.Path) []float64 {
	q := make([]float64, len(l.Paths))
	for _, p := range samples {
		r, err := l.index.Rank(p)
		if err != nil {
			panic(err)
		}
		q[r.Int64()] += 1 / float64(len(samples))
	}
	return q
}

// Draw returns the shares of n exact draws of p, of stream i of the seed.
func Draw(p []float64, n int, seed, i uint64) []float64 {
	cum, q := make([]float64, len(p)), make([]float64, len(p))
	sum := 0.0
	for k := range p {
		sum += p[k]
		cum[k] = sum
	}
	rng := ddps.Rand(seed, i)
	for range n {
		k, _ := slices.BinarySearch(cum, rng.Float64()*sum)
		for p[k] == 0 {
			k++
		}
		q[k] += 1 / float64(n)
	}
	return q
}

// Quantile returns the given quantile, and the mean, of a statistic of the shares of n exact draws of p,
// over reps repetitions.
func Quantile(p []float64, n, reps int, level float64, stat func(q []float64) float64) (quantile, mean float64) {
	s := make([]float64, reps)
	for i := range s {
		s[i] = stat(Draw(p, n, 99, uint64(i)))
		mean += s[i] / float64(reps)
	}
	slices.Sort(s)
	return s[min(int(level*float64(reps)), reps-1)], mean
}

// L1 is Σ|p−q|.
func L1(p, q []float64) float64 {
	sum := 0.0
	for i := range p {
		sum += math.Abs(p[i] - q[i])
	}
	return sum
}

// KL is KL(p ‖ q) with q floored at 0.5/n where it is 0 < p.
func KL(p, q []float64, n int) float64 {
	sum := 0.0
	for i := range p {
		if p[i] > 0 {
			r := q[i]
			if r == 0 {
				r = 0.5 / float64(n)
			}
			sum += p[i] * math.Log(p[i]/r)
		}
	}
	return sum
}

// ChiSquare returns Pearson's statistic of the shares q of n draws against the distribution p, and its degrees of
// freedom. A draw of probability 0 makes it +Inf.
func ChiSquare(p, q []float64, n int) (chi2 float64, df int) {
	df = -1
	for i := range p {
		if p[i] > 0 {
			chi2 += float64(n) * (q[i] - p[i]) * (q[i] - p[i]) / p[i]
			df++
		} else if q[i] > 0 {
			chi2 = math.Inf(1)
		}
	}
	return chi2, df
}
