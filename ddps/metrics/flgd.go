package metrics

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ddps-go/ddps/ddps"
)

// FLGD returns the Fréchet layered graph distance (paper, §5.3): the squared Fréchet distance
//
//	‖μ₁−μ₂‖² + tr(Σ₁ + Σ₂ − 2(Σ₁Σ₂)^½)
//
// of Gaussians with the means and covariances (÷N) of the flattened PALMs of p and q, rows of vertices off the
// path zeroed. Those are the indicators of the path's edges, so the dimension is the number of edges, and a
// distribution (all paths with their probabilities) has its exact value. In [0, 2(L−1)]; 0 for equal samples.
//
// These covariances are singular as a rule (one edge per layer), so no root of a product is taken: with
// Σ = RᵀR, tr (Σ₁Σ₂)^½ is the sum of the singular values of R₁R₂ᵀ. R has the centred paths as rows where they are
// fewer than the E edges in use, else it comes from the pivoted Cholesky decomposition, up to Σ's rank.
// O(min(n, E)³ + min(n, E)²·E) time, O(E·min(n, E)) memory. Errors: ErrEmpty and bad weights, and the graph's
// for what is no path.
func FLGD(g *ddps.LayeredGraph, p, q Sample) (float64, error) {
	a, err := newIndicators(g, p)
	if err != nil {
		return 0, within("flgd: p", err)
	}
	b, err := newIndicators(g, q)
	if err != nil {
		return 0, within("flgd: q", err)
	}
	dim := shareColumns(a, b)
	d := 0.0
	for c := range dim {
		m1, m2 := a.mean[c], b.mean[c]
		d += (m1-m2)*(m1-m2) + m1*(1-m1) + m2*(1-m2)
	}
	root, err := nuclear(a.factor(), b.factor())
	if err != nil {
		return 0, err
	}
	return max(0, d-2*root), nil
}

// indicators are weighted rows of a 0/1 matrix, by the columns that are 1.
type indicators struct {
	rows   [][]int
	weight []float64 // sums to total; whole numbers stay whole, so that sums of them are exact
	total  float64
	mean   []float64 // by column
}

func newIndicators(g *ddps.LayeredGraph, s Sample) (*indicators, error) {
	_, err := normalWeights(len(s.Paths), s.Weights)
	if err != nil {
		return nil, err
	}
	x := &indicators{rows: make([][]int, len(s.Paths)), weight: s.Weights, mean: make([]float64, g.NumEdges())}
	if x.weight == nil {
		x.weight = slices.Repeat([]float64{1}, len(s.Paths))
	}
	for i, p := range s.Paths {
		if x.rows[i], err = g.PathEdges(nil, p); err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		x.total += x.weight[i]
		for _, e := range x.rows[i] {
			x.mean[e] += x.weight[i]
		}
	}
	for e := range x.mean {
		x.mean[e] /= x.total
	}
	return x, nil
}

// shareColumns drops the columns that neither side uses and returns the number left.
func shareColumns(a, b *indicators) int {
	column, n := make([]int, len(a.mean)), 0
	for e := range column {
		if a.mean[e] > 0 || b.mean[e] > 0 {
			column[e] = n
			a.mean[n], b.mean[n] = a.mean[e], b.mean[e]
			n++
		}
	}
	for _, x := range []*indicators{a, b} {
		x.mean = x.mean[:n]
		for _, row := range x.rows {
			for k, e := range row {
				row[k] = column[e]
			}
		}
	}
	return n
}

// factor returns R, [rank, dim], with RᵀR = Σ; nil if Σ = 0.
func (x *indicators) factor() *mat.Dense {
	if len(x.rows) < len(x.mean) {
		return x.centred()
	}
	return cholesky(x.covariance())
}

// centred returns the rows √w(x−μ), w summing to 1.
func (x *indicators) centred() *mat.Dense {
	r := mat.NewDense(len(x.rows), len(x.mean), nil)
	for i, row := range x.rows {
		s, dst := math.Sqrt(x.weight[i]/x.total), r.RawRowView(i)
		for c, m := range x.mean {
			dst[c] = -s * m
		}
		for _, c := range row {
			dst[c] += s
		}
	}
	return r
}

// covariance returns Σ = Σ_i w_i x_i x_iᵀ − μμᵀ.
func (x *indicators) covariance() *mat.SymDense {
	dim := len(x.mean)
	s := mat.NewSymDense(dim, nil)
	raw := s.RawSymmetric() // upper triangle
	for i, row := range x.rows {
		for k, c := range row { // edges of a path ascend
			for _, d := range row[k:] {
				raw.Data[c*raw.Stride+d] += x.weight[i]
			}
		}
	}
	s.ScaleSym(1/x.total, s)
	s.SymRankOne(s, -1, mat.NewVecDense(dim, x.mean))
	return s
}

// cholesky returns R, [rank, dim], with RᵀR = s for a positive semidefinite s; nil if its rank is 0. Pivots
// within rounding of s's entries (16·dim·2⁻⁵³ of the largest variance) count as 0: the root of one would not be small.
func cholesky(s *mat.SymDense) *mat.Dense {
	largest := 0.0
	for i := range s.SymmetricDim() {
		largest = max(largest, s.At(i, i))
	}
	if largest == 0 {
		return nil
	}
	var c mat.PivotedCholesky
	c.Factorize(s, 16*float64(s.SymmetricDim())*0x1p-53*largest)
	if c.Rank() == 0 {
		return nil
	}
	var u mat.TriDense
	c.UTo(&u)
	dim := s.SymmetricDim()
	r := mat.NewDense(c.Rank(), dim, nil)
	for k, col := range c.ColumnPivots(nil) {
		for i := range min(k+1, c.Rank()) {
			r.Set(i, col, u.At(i, k))
		}
	}
	return r
}

// nuclear returns the sum of the singular values of a·bᵀ.
func nuclear(a, b *mat.Dense) (float64, error) {
	if a == nil || b == nil {
		return 0, nil
	}
	var m mat.Dense
	m.Mul(a, b.T())
	var svd mat.SVD
	if !svd.Factorize(&m, mat.SVDNone) {
		return 0, fmt.Errorf("metrics: flgd: singular values do not converge")
	}
	sum := 0.0
	for _, s := range svd.Values(nil) {
		sum += s
	}
	return sum, nil
}
