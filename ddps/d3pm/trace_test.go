package d3pm_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// What x_t decodes to on the way down follows the distribution of noised data at every t, which enumeration gives:
// with the exact denoiser Joint() draws x_t from q(x_t). The last paths are those of Sample, for any number of
// threads and size of batches.
func TestTrace(t *testing.T) {
	g := ddps.Example()
	dist := oracle.NewDistribution(g)
	sched := d3pm.Cosine(d3pm.DefaultT)
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), sched.Abar), Schedule: sched, Steps: 6}
	const n = 40000
	times, paths, err := s.Trace(context.Background(), n, 3)
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := sched.Times(6); !slices.Equal(times, want) || len(paths) != 7 {
		t.Fatalf("times %v, %d sets of paths", times, len(paths))
	}
	for k, at := range times {
		want := decoded(g, sched.Abar[at])
		if chi2, df := oracle.ChiSquare(want, dist.Shares(paths[k]), n); chi2 > chi999[df] {
			t.Errorf("t = %d: χ² = %.1f with %d degrees of freedom", at, chi2, df)
		}
	}
	if !reflect.DeepEqual(paths[6], draw(t, s, n, 3)) {
		t.Error("the last paths are not those of Sample")
	}
	s.Threads, s.Batch = 1, 7
	if _, again, err := s.Trace(context.Background(), 100, 3); err != nil || !reflect.DeepEqual(again[2], paths[2][:100]) {
		t.Errorf("another batch size and number of threads: %v", err)
	}
	if _, _, err := s.Trace(context.Background(), 0, 3); err == nil {
		t.Error("no paths: no error")
	}
}

// decoded returns the distribution, in Paths order, of the path that x_t decodes to where x_0 is a uniform path of g.
func decoded(g *ddps.LayeredGraph, abar float64) []float64 {
	all := slices.Collect(g.Paths())
	p := make([]float64, len(all))
	for _, from := range all {
		for i, to := range all {
			prob := 1 / float64(len(all))
			for l := range len(to) - 1 {
				d := float64(g.Degree(to[l]))
				switch {
				case to[l] != from[l]: // a row off the path is uniform
					prob /= d
				case to[l+1] == from[l+1]:
					prob *= abar + (1-abar)/d
				default:
					prob *= (1 - abar) / d
				}
			}
			p[i] += prob
		}
	}
	return p
}
