package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// flgd60 is FLGD of the oracle's two distributions computed with 60 digits. The oracle's own number, in float64 with
// square roots of eigenvalues that should be 0, is 1.8e-7 smaller.
const flgd60 = 0.017410857288775729997

func TestPathMetricsAgainstOracle(t *testing.T) {
	o, g, p, q := oracleDistributions(t)
	flgd, err := FLGD(g, p, q)
	near(t, "FLGD", flgd, err, flgd60, 1e-11)
	near(t, "FLGD as published", flgd, err, o.Paths.FLGD, 1e-6)
	for name, c := range map[string]struct {
		f    func(*ddps.LayeredGraph, Sample, Sample) (float64, error)
		want float64
	}{
		"IS-L-L1": {ISLL1, o.Paths.ISLL1}, "IS-L-KL": {ISLKL, o.Paths.ISLKL},
		"IS-L-TV": {ISLTV, o.Paths.ISLTV}, "IS-L-SF": {ISLSF, o.Paths.ISLSF},
	} {
		got, err := c.f(g, p, q)
		near(t, name, got, err, c.want, 1e-12)
	}
}

func TestSupport(t *testing.T) {
	g := ddps.Example()
	all := slices.Collect(g.Paths())
	a := Sample{Paths: []ddps.Path{all[3], all[0], all[3], all[3]}}
	b := Sample{Paths: []ddps.Path{all[0], all[5]}, Weights: []float64{1, 3}}
	s, dists, err := Align(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(dists) != "[[0.25 0.75 0] [0.25 0 0.75]]" || !slices.Equal(PathOf(s.Key(1)), all[3]) {
		t.Error(dists, PathOf(s.Key(1)))
	}
	full := PathSupport(g.Paths())
	dist, err := full.Distribution(Keys(a.Paths), nil)
	if err != nil || full.Len() != len(all) || dist[0] != .25 || dist[3] != .75 {
		t.Error(full.Len(), dist, err)
	}
	if i, ok := full.Index(Key(all[7])); i != 7 || !ok {
		t.Error("index", i, ok)
	}
	if _, err := s.Distribution(Keys(all), nil); !errors.Is(err, ErrOutside) {
		t.Error("outside:", err)
	}
	if _, _, err := Align(a, Sample{}); !errors.Is(err, ErrEmpty) {
		t.Error("empty:", err)
	}
	if _, err := s.Distribution(Keys(a.Paths), []float64{1}); !errors.Is(err, ErrLength) {
		t.Error("weights:", err)
	}
	big := ddps.Path{0, 255, 256, 70000, 1 << 24}
	if !slices.Equal(PathOf(Key(big)), big) || !(Key(ddps.Path{0, 255}) < Key(ddps.Path{0, 256})) {
		t.Error("keys do not keep paths and their order")
	}
}

func TestFLGD(t *testing.T) {
	g := ddps.Example()
	all := slices.Collect(g.Paths())
	one, two := Sample{Paths: all[:1]}, Sample{Paths: all[len(all)-1:]}
	d, err := FLGD(g, one, one)
	near(t, "one sample, itself", d, err, 0, 1e-14)
	d, err = FLGD(g, one, two) // no edge in common: 3 + 3 coordinates differ by 1
	near(t, "two single paths", d, err, 6, 1e-12)
	d, err = FLGD(g, Sample{Paths: all}, Sample{Paths: all})
	near(t, "all, themselves", d, err, 0, 1e-12)
	d, err = FLGD(g, Sample{Paths: all}, one) // ‖μ−x‖² + tr Σ₁
	want := 0.0
	for _, p := range all {
		want += 2 * float64(3-common(g, p, all[0])) / float64(len(all))
	}
	near(t, "distribution against a path", d, err, want, 1e-12)
	if _, err := FLGD(g, one, Sample{}); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	var bad *ddps.PathError
	if _, err := FLGD(g, Sample{Paths: []ddps.Path{{0, 1}}}, one); !errors.As(err, &bad) {
		t.Error(err)
	}
}

func common(g *ddps.LayeredGraph, p, q ddps.Path) (n int) {
	a, _ := g.PathEdges(nil, p)
	b, _ := g.PathEdges(nil, q)
	for _, e := range a {
		if slices.Contains(b, e) {
			n++
		}
	}
	return n
}

// The factor from few rows and the one from the covariance are of one matrix, so the distances agree.
func TestFLGDForms(t *testing.T) {
	_, g, _, q := oracleDistributions(t)
	few := Sample{}
	for i := 0; i < len(q.Paths); i += 40 {
		few.Paths = append(few.Paths, q.Paths[i])
	}
	many := few
	for range 5 {
		many.Paths = append(many.Paths, few.Paths...)
	}
	a, err := FLGD(g, few, q)
	b, err2 := FLGD(g, many, q)
	if err2 != nil {
		t.Fatal(err2)
	}
	near(t, "few rows", a, err, b, 1e-10)
}

func TestISLErrors(t *testing.T) {
	g := ddps.Example()
	all := slices.Collect(g.Paths())
	one, last := Sample{Paths: all[:1]}, Sample{Paths: all[len(all)-1:]}
	d, err := ISLL1(g, one, last)
	near(t, "disjoint", d, err, 6, 0)
	d, err = ISLKL(g, one, last)
	near(t, "disjoint KL", d, err, math.Inf(1), 0)
	d, err = ISL(g, one, last, KLFloor(1))
	near(t, "disjoint KL floored", d, err, 3*math.Ln2, 1e-15)
	if _, err := ISLSF(g, one, Sample{}); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := ISLMarginals(nil, nil, L1); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := ISLMarginals([][]float64{{1}}, [][]float64{{.5}}, L1); !errors.Is(err, ErrMass) {
		t.Error(err)
	}
}

func TestRatesAndRewards(t *testing.T) {
	g := ddps.Example()
	all := slices.Collect(g.Paths())
	vr, err := ValidRate(g, []ddps.Path{all[0], nil, {0, 1}, all[4]})
	near(t, "valid rate", vr, err, .5, 0)
	if _, err := ValidRate(g, nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	u := make([]float64, g.NumEdges())
	u[0], u[g.NumEdges()-1] = 1, 2
	r, err := Rewards(g, u, all)
	if err != nil || r[0] != 1 || r[len(r)-1] != 2 {
		t.Error(r, err)
	}
	if _, err := Rewards(g, u, []ddps.Path{all[0], {0}}); err == nil || !strings.Contains(err.Error(), "sample 1: ") {
		t.Error("what is no path must be named:", err)
	}
	if _, err := Rewards(g, u[1:], all); err == nil {
		t.Error("no error for a short reward")
	}
	mean, std, err := MeanStd([]float64{1, 3}, nil)
	near(t, "mean", mean, err, 2, 0)
	near(t, "std", std, err, 1, 0)
	_, std, err = MeanStd([]float64{7}, []float64{3})
	near(t, "std of one", std, err, 0, 0)
	if _, _, err := MeanStd([]float64{math.NaN()}, nil); !errors.Is(err, ErrValue) {
		t.Error(err)
	}
}

func BenchmarkFLGD(b *testing.B) {
	_, g, p, q := oracleDistributions(b)
	for b.Loop() {
		if _, err := FLGD(g, p, q); err != nil {
			b.Fatal(err)
		}
	}
}
