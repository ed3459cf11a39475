package baselines

import (
	"fmt"
	"math"
	"runtime"
	"sync"
)

// DegreeMMD returns the squared maximum mean discrepancy of the degree histograms of two lists of graphs: the kernel is
// exp(−d²/2) of the earth mover's distance d of two histograms, in degrees (You et al. 2018, GraphRNN). Vertices
// without an edge do not count; a graph of none other counts as one vertex of degree 0. The estimator is the biased
// one, means over all pairs, a graph with itself too; it is at least 0 but for rounding. The error says so if a list is
// empty.
func DegreeMMD(a, b []Graph) (float64, error) { return mmd(a, b, degrees, earthMoverKernel(1, 1)) }

// clusteringBins is the number of bins of a histogram of clustering coefficients.
const clusteringBins = 100

// ClusteringMMD is DegreeMMD of the histograms of the vertices' clustering coefficients, in 100 bins of [0, 1]; the
// distance is in these units and the kernel exp(−d²/(2·0.1²)).
func ClusteringMMD(a, b []Graph) (float64, error) {
	return mmd(a, b, clustering, earthMoverKernel(1./clusteringBins, 0.1))
}

// degrees returns the histogram of the degrees, as shares of the vertices that have edges.
func degrees(g Graph) []float64 {
	h := []float64{0}
	for _, to := range g.neighbours() {
		for len(h) <= len(to) {
			h = append(h, 0)
		}
		h[len(to)]++
	}
	h[0] = 0
	return shares(h)
}

// clustering returns the histogram of the clustering coefficients, as shares of the vertices that have edges.
func clustering(g Graph) []float64 {
	h, joined := make([]float64, clusteringBins), g.joined()
	for _, to := range g.neighbours() {
		if len(to) == 0 {
			continue
		}
		pairs, closed := len(to)*(len(to)-1)/2, 0
		for i, u := range to {
			for _, w := range to[:i] {
				if joined[u*g.N+w] {
					closed++
				}
			}
		}
		c := 0.0
		if pairs > 0 {
			c = float64(closed) / float64(pairs)
		}
		h[min(int(c*clusteringBins), clusteringBins-1)]++
	}
	return shares(h)
}

// neighbours lists the neighbours of each vertex.
func (g Graph) neighbours() [][]int {
	to := make([][]int, g.N)
	for _, e := range g.Edges {
		to[e.U], to[e.V] = append(to[e.U], e.V), append(to[e.V], e.U)
	}
	return to
}

// joined returns [N, N], which says for two vertices whether an edge joins them.
func (g Graph) joined() []bool {
	x := make([]bool, g.N*g.N)
	for _, e := range g.Edges {
		x[e.U*g.N+e.V], x[e.V*g.N+e.U] = true, true
	}
	return x
}

// shares divides a histogram by its sum; where that is 0, all is in the first bin.
func shares(h []float64) []float64 {
	sum := 0.0
	for _, x := range h {
		sum += x
	}
	if sum == 0 {
		h[0], sum = 1, 1
	}
	for i := range h {
		h[i] /= sum
	}
	return h
}

// kernel says how alike two graphs' features are, 1 for the same.
type kernel func(p, q []float64) float64

// earthMoverKernel is exp(−d²/2σ²) of the earth mover's distance of two histograms whose bins are unit apart.
func earthMoverKernel(unit, sigma float64) kernel {
	return func(p, q []float64) float64 {
		d := unit * earthMover(p, q) / sigma
		return math.Exp(-d * d / 2)
	}
}

// mmd returns the squared discrepancy of the graphs' features under the kernel.
func mmd(a, b []Graph, feature func(Graph) []float64, k kernel) (float64, error) {
	if len(a) == 0 || len(b) == 0 {
		return 0, fmt.Errorf("baselines: a discrepancy of %d and %d graphs", len(a), len(b))
	}
	p, q := features(a, feature), features(b, feature)
	return k.mean(p, p) + k.mean(q, q) - 2*k.mean(p, q), nil
}

// features returns each graph's features.
func features(list []Graph, feature func(Graph) []float64) [][]float64 {
	fs := make([][]float64, len(list))
	parallel(len(list), func(i int) { fs[i] = feature(list[i]) })
	return fs
}

// mean returns the mean of the kernel over all pairs.
func (k kernel) mean(p, q [][]float64) float64 {
	sums, total := make([]float64, len(p)), 0.0
	parallel(len(p), func(i int) {
		for _, f := range q {
			sums[i] += k(p[i], f)
		}
	})
	for _, x := range sums {
		total += x
	}
	return total / float64(len(p)*len(q))
}

// parallel calls f(i) for i in 0…n−1 on all CPUs.
func parallel(n int, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

// earthMover returns the earth mover's distance of two histograms of sum 1, in bins: Σ |difference of running sums|.
func earthMover(p, q []float64) (d float64) {
	gap := 0.0
	for i := range max(len(p), len(q)) {
		if i < len(p) {
			gap += p[i]
		}
		if i < len(q) {
			gap -= q[i]
		}
		d += math.Abs(gap)
	}
	return d
}
