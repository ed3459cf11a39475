package datasets

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// earlyMoves is the number of moves after which a path's place counts as early.
const earlyMoves = 3

// Places returns the world's places that p visits on g, one a layer that has
// places (Meta.Place ≥ 0; not the source and the dummies), appended to dst. A
// graph without places gives none.
func Places(dst []int, g *ddps.LayeredGraph, p ddps.Path) []int {
	place := g.Meta().Place
	if place == nil {
		return dst
	}
	for _, v := range p {
		if place[v] >= 0 {
			dst = append(dst, place[v])
		}
	}
	return dst
}

// Revisits returns how many of the places were there before: their number less
// the number of distinct ones. 0 for a path that never waits nor comes back.
func Revisits(places []int) int {
	rev := 0
	for i, a := range places {
		for _, b := range places[:i] {
			if a == b {
				rev++
				break
			}
		}
	}
	return rev
}

// Memory is the rule by which the paths of Heights and Ridge are repeated. The
// paper (appendix, Data) duplicates "the chosen paths by different numbers" and
// gives no rule; with all paths equally likely a first-order chain would model
// them exactly, so this rule has memory. With x, y in metres on the principal
// axes of the map about the start, index 3 for the place after three moves and L
// for the last, rev the number of revisits and maxdist the largest straight-line
// distance from the start,
//
//	s = 0.65·(-0.7·rev + 2·tanh(x₃/σ)·tanh(x_L/σ) - 2·tanh(y₃/σ)·tanh(y_L/σ) + 0.5·maxdist/σ)
//
// where each σ is the standard deviation of its own numerator over the drawn
// paths. A path weighs w = eˢ and occurs max(1, round(5w/mean w)) times.
type Memory struct {
	xy     [][2]float64 // [place] metres on the principal axes about the start
	sigma  [5]float64   // of x₃, x_L, y₃, y_L, maxdist
	places int          // places of a path
}

// NewMemory measures the σ of the rule over the drawn paths of g, unweighted.
// The axes are those of the covariance of all places of g: make it from the
// graph that holds them all, not from a pruned one. The start is the first place
// of the first path.
//
// Errors: a graph without places or coordinates in degrees (Expand sets both),
// no paths, something that is no path, fewer than three moves.
func NewMemory(g *ddps.LayeredGraph, drawn []ddps.Path) (*Memory, error) {
	xy, err := placeXY(g)
	if err != nil {
		return nil, fmt.Errorf("datasets: memory: %w", err)
	}
	if len(drawn) == 0 {
		return nil, fmt.Errorf("datasets: memory: no paths")
	}
	for i, p := range drawn {
		if err := g.Check(p); err != nil {
			return nil, fmt.Errorf("datasets: memory: path %d: %w", i+1, err)
		}
	}
	first := Places(nil, g, drawn[0])
	if len(first) <= earlyMoves {
		return nil, fmt.Errorf("datasets: memory: paths of %d places, more than %d needed", len(first), earlyMoves)
	}
	m := &Memory{xy: principal(xy, first[0]), places: len(first)}
	features := make([][5]float64, len(drawn))
	var mean [5]float64
	var buf []int
	for i, p := range drawn {
		buf = Places(buf[:0], g, p)
		features[i] = m.features(buf)
		for k, f := range features[i] {
			mean[k] += f / float64(len(drawn))
		}
	}
	for k := range m.sigma {
		sum := 0.0
		for _, f := range features {
			sum += (f[k] - mean[k]) * (f[k] - mean[k])
		}
		if m.sigma[k] = math.Sqrt(sum / float64(len(drawn))); m.sigma[k] < 1e-6 { // metres: rounding
			m.sigma[k] = 0
		}
	}
	return m, nil
}

// features returns x₃, x_L, y₃, y_L and maxdist in metres.
func (m *Memory) features(places []int) [5]float64 {
	early, end := m.xy[places[earlyMoves]], m.xy[places[len(places)-1]]
	far := 0.0
	for _, a := range places {
		far = max(far, math.Hypot(m.xy[a][0], m.xy[a][1]))
	}
	return [5]float64{early[0], end[0], early[1], end[1], far}
}

// Score returns s of the path p of g, the graph of NewMemory or its pruned form.
// A term whose σ is 0 counts as 0. It panics if p is not such a path.
func (m *Memory) Score(g *ddps.LayeredGraph, p ddps.Path) float64 {
	return m.score(Places(make([]int, 0, 16), g, p))
}

// score is Score of the path of these places.
func (m *Memory) score(places []int) float64 {
	if len(places) != m.places {
		panic(fmt.Sprintf("datasets: Memory.Score: a path of %d places, expected %d", len(places), m.places))
	}
	f := m.features(places)
	for k, s := range m.sigma {
		if f[k] /= s; s == 0 {
			f[k] = 0
		}
	}
	return 0.65 * (-0.7*float64(Revisits(places)) + 2*math.Tanh(f[0])*math.Tanh(f[1]) -
		2*math.Tanh(f[2])*math.Tanh(f[3]) + 0.5*f[4])
}

// Distribution returns w = eˢ of each path, normalised: [path], sum 1. Over all paths of
// a graph (All) it is the true distribution.
func (m *Memory) Distribution(g *ddps.LayeredGraph, paths []ddps.Path) []float64 {
	w, sum, top := make([]float64, len(paths)), 0.0, 0.0
	for i, p := range paths {
		w[i] = m.Score(g, p)
		top = max(top, w[i]-600)
	}
	for i, s := range w { // top is 0 unless eˢ would overflow, as where all maxdist are nearly the same
		w[i] = math.Exp(s - top)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// Counts returns how often each of the drawn paths occurs in the data:
// max(1, round(5w/mean w)).
func (m *Memory) Counts(g *ddps.LayeredGraph, drawn []ddps.Path) []int {
	counts := make([]int, len(drawn))
	for i, w := range m.Distribution(g, drawn) {
		counts[i] = max(1, int(math.Round(5*w*float64(len(drawn)))))
	}
	return counts
}
