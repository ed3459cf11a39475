package datasets

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

func TestRevisits(t *testing.T) {
	for _, c := range []struct {
		places []int
		want   int
	}{{nil, 0}, {[]int{4}, 0}, {[]int{1, 2, 3}, 0}, {[]int{1, 1, 1}, 2}, {[]int{1, 2, 1, 2, 3}, 2}} {
		if got := Revisits(c.places); got != c.want {
			t.Errorf("%v: %d, want %d", c.places, got, c.want)
		}
	}
}

// TestMemoryFormula recomputes the score from the coordinates of the map, by
// other means: the axes as the direction of largest variance, found by search.
func TestMemoryFormula(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(HeightsGraph())
	paths := fixture.Must[[]ddps.Path](t)(Draw(g, 3000, 9))
	m := fixture.Must[*Memory](t)(NewMemory(g, paths))
	xy := fixture.Must[[][2]float64](t)(placeXY(g))
	start := Places(nil, g, paths[0])[0]
	angle, most := 0.0, 0.0
	for a := 0.0; a < math.Pi; a += 1e-4 {
		var s, q float64
		for _, p := range xy {
			x := math.Cos(a)*p[0] + math.Sin(a)*p[1]
			s, q = s+x, q+x*x
		}
		if v := q - s*s/float64(len(xy)); v > most {
			angle, most = a, v
		}
	}
	at := func(place int) (x, y float64) {
		dx, dy := xy[place][0]-xy[start][0], xy[place][1]-xy[start][1]
		return math.Cos(angle)*dx + math.Sin(angle)*dy, math.Cos(angle)*dy - math.Sin(angle)*dx
	}
	var f [5][]float64
	for _, p := range paths {
		pl := Places(nil, g, p)
		x3, y3 := at(pl[3])
		xL, yL := at(pl[len(pl)-1])
		far := 0.0
		for _, a := range pl {
			far = max(far, maps.Distance(nodeOf(g, a), nodeOf(g, start)))
		}
		for k, v := range []float64{x3, xL, y3, yL, far} {
			f[k] = append(f[k], v)
		}
	}
	var sd [5]float64
	for k := range f {
		sd[k] = deviation(f[k])
	}
	for i, p := range paths {
		pl := Places(nil, g, p)
		distinct := slices.Compact(slices.Sorted(slices.Values(pl)))
		rev := float64(len(pl) - len(distinct))
		want := 0.65 * (-0.7*rev + 2*math.Tanh(f[0][i]/sd[0])*math.Tanh(f[1][i]/sd[1]) -
			2*math.Tanh(f[2][i]/sd[2])*math.Tanh(f[3][i]/sd[3]) + 0.5*f[4][i]/sd[4])
		if got := m.Score(g, p); math.Abs(got-want) > 2e-3 {
			t.Fatalf("path %d: score %v, want %v", i, got, want)
		}
	}
	w, mean := m.Distribution(g, paths), 1/float64(len(paths))
	for i, c := range m.Counts(g, paths) {
		if want := max(1, int(math.Round(5*w[i]/mean))); c != want {
			t.Fatalf("path %d: count %d, want %d", i, c, want)
		}
	}
}

// A σ far below what it divides gives scores whose e is no float64: the distribution is then the same as of lesser
// ones.
func TestMemoryDistributionDoesNotOverflow(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(HeightsGraph())
	paths := fixture.Must[[]ddps.Path](t)(Draw(g, 50, 9))
	m := fixture.Must[*Memory](t)(NewMemory(g, paths))
	m.sigma[4] = 1e-3
	sum := 0.0
	for i, w := range m.Distribution(g, paths) {
		if !(w >= 0) {
			t.Fatalf("path %d weighs %v", i, w)
		}
		sum += w
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the distribution sums to %v", sum)
	}
}

// nodeOf returns a place of g as a node.
func nodeOf(g *ddps.LayeredGraph, place int) maps.Node {
	v := slices.Index(g.Meta().Place, place)
	return maps.Node{Lon: g.Meta().XY[v][0], Lat: g.Meta().XY[v][1]}
}

func deviation(x []float64) float64 {
	mean, ss := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		ss += (v - mean) * (v - mean)
	}
	return math.Sqrt(ss / float64(len(x)))
}

func TestMemoryErrors(t *testing.T) {
	toy := fixture.Must[*ddps.LayeredGraph](t)(Toy(ToySeed))
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(fixture.Must[*maps.World](t)(maps.Read("cross.osm",
		strings.NewReader(fixture.CrossXML), maps.Options{})), maps.ExpandOptions{Start: 1, Depth: 3}))
	all := fixture.Must[*Data](t)(All(g, 100))
	_, err := NewMemory(toy, []ddps.Path{{0}})
	fixture.WantError(t, "no places", err, "no places with longitude")
	_, err = NewMemory(g, nil)
	fixture.WantError(t, "no paths", err, "no paths")
	_, err = NewMemory(g, []ddps.Path{{0, 5, 1}})
	fixture.WantError(t, "no path", err, "path 1: ")
	_, err = NewMemory(g, all.Paths)
	fixture.WantError(t, "short", err, "3 places, more than 3 needed")
	_, err = Districts(toy, 3, 0)
	fixture.WantError(t, "districts", err, "no places")
	_, err = Districts(g, 6, 0)
	fixture.WantError(t, "districts", err, "6 of 5 places")
	_, err = DistrictDistribution(g, []int{0, 0, 0, 0, 0}, all.Paths, nil)
	fixture.WantError(t, "short", err, "path 1: 3 places")
	_, err = RevisitDistribution(toy, []ddps.Path{{0}}, nil)
	fixture.WantError(t, "no places", err, "no places")
	for _, bad := range [][]float64{{1}, {-1, 0, 0, 0, 0, 0, 0}, make([]float64, 7), {math.NaN(), 0, 0, 0, 0, 0, 0}} {
		_, err = RevisitDistribution(g, all.Paths, bad)
		fixture.WantError(t, "weights", err, "datasets: revisit distribution: ")
	}
	m := g.Meta()
	m.Place = append([]int{1 << 60}, m.Place[1:]...)
	_, err = Districts(fixture.Must[*ddps.LayeredGraph](t)(g.WithMeta(m)), 2, 0)
	fixture.WantError(t, "huge place", err, "vertex 0: place 1152921504606846976 is not below")
	_, err = DistrictDistribution(fixture.Must[*ddps.LayeredGraph](t)(
		maps.Expand(fixture.Must[*maps.World](t)(maps.Read("cross.osm", strings.NewReader(fixture.CrossXML), maps.Options{})),
			maps.ExpandOptions{Start: 1, Depth: 4})), nil, []ddps.Path{{0, 1, 3, 8}}, nil)
	fixture.WantError(t, "no district", err, "has no district")
}

func TestDistricts(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(RidgeGraph())
	d := fixture.Must[[]int](t)(Districts(g, NumDistricts, DistrictSeed))
	size := make([]int, NumDistricts)
	for _, c := range d {
		size[c]++
	}
	if len(d) != RidgeSize || slices.Min(size) == 0 {
		t.Errorf("%d places in districts of %v", len(d), size)
	}
	// Every place is nearest to the mean of its own district.
	xy := fixture.Must[[][2]float64](t)(placeXY(g))
	mean := make([][2]float64, NumDistricts)
	for a, c := range d {
		mean[c][0] += xy[a][0] / float64(size[c])
		mean[c][1] += xy[a][1] / float64(size[c])
	}
	for a, c := range d {
		if best, _ := closest(xy[a], mean); best != c {
			t.Errorf("place %d is in district %d, nearer to %d", a, c, best)
		}
	}
}

// TestLaws counts by hand on the small map.
func TestDistributions(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(fixture.Must[*maps.World](t)(maps.Read("cross.osm",
		strings.NewReader(fixture.CrossXML), maps.Options{})), maps.ExpandOptions{Start: 1, Depth: 4}))
	d := fixture.Must[*Data](t)(All(g, 100))
	district := []int{0, 1, 0, 1, 0}
	dist := fixture.Must[[]float64](t)(DistrictDistribution(g, district, d.Paths, nil))
	rev := fixture.Must[[]float64](t)(RevisitDistribution(g, d.Paths, nil))
	var want, wantRev [4]float64
	for _, p := range d.Paths {
		pl := Places(nil, g, p)
		want[2*district[pl[3]]+district[pl[3]]] += 1 / float64(len(d.Paths))
		wantRev[Revisits(pl)] += 1 / float64(len(d.Paths))
	}
	if halfL1(dist, want[:]) > 1e-12 || halfL1(rev, wantRev[:]) > 1e-12 {
		t.Errorf("distributions %v, %v, want %v, %v", dist, rev, want, wantRev)
	}
}
