package study

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
)

// sizeSteps are what is measured against the size of a graph: reading its JSON, pruning it, counting its paths,
// conditioning its uniform distribution on the greatest of a random reward, and drawing a path in DefaultSteps reverse
// steps.
func sizeSteps() []string { return []string{"load", "prune", "count", "condition", "sample"} }

// sizeStep returns what a step does on the streets of a city, with all that goes before it done.
func sizeStep(t testing.TB, g *ddps.LayeredGraph, step string) func() error {
	t.Helper()
	switch step {
	case "load":
		var b bytes.Buffer
		if _, err := g.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		return func() error { _, err := ddps.ReadGraph(bytes.NewReader(b.Bytes())); return err }
	case "prune":
		return func() error { g.Prune(); return nil }
	case "count":
		return func() error { ddps.NewIndex(g); return nil }
	case "condition":
		u, rng := make([]float64, g.NumEdges()), ddps.Rand(0, 0)
		for e := range u {
			if rng.IntN(100) == 0 {
				u[e] = 1
			}
		}
		pi := chain.Uniform(g).P
		return func() error {
			c, err := guide.MaxReward(g, u)
			if err == nil {
				c.Tilt(pi, make([]float64, len(pi)))
			}
			return err
		}
	}
	schedule := d3pm.Cosine(d3pm.DefaultT)
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), schedule.Abar), Schedule: schedule,
		Batch: 1, Threads: 1}
	return func() error {
		return s.Stream(context.Background(), 1, 0, func(p ddps.Path) error {
			_, err := fmt.Fprint(io.Discard,
				p)
			return err
		})
	}
}

// What a step allocates grows no faster than the graph, but for room ahead, which slices double, and the length of the
// numbers in counting.
func TestSizesLinear(t *testing.T) {
	for _, step := range sizeSteps() {
		var per []float64
		for _, depth := range []int{17, 35} {
			g, err := datasets.CityGraph(depth, 0)
			if err != nil {
				t.Fatal(err)
			}
			do := sizeStep(t, g, step)
			if err := do(); err != nil { // what is made once is made
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := do(); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			per = append(per, float64(after.TotalAlloc-before.TotalAlloc)/float64(g.NumEdges()))
		}
		if per[1] > 1.5*per[0] {
			t.Errorf("%s allocates %v bytes per edge, from the small graph to the large", step, per)
		}
	}
}

// BenchmarkSizes measures the steps on cities of 10³ to 10⁵ vertices.
func BenchmarkSizes(b *testing.B) {
	for _, depth := range []int{12, 17, 24, 35, 52} {
		g, err := datasets.CityGraph(depth, 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, step := range sizeSteps() {
			do := sizeStep(b, g, step)
			b.Run(fmt.Sprintf("%s/%dk", step, (g.NumVertices()+500)/1000), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := do(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.NumEdges()), "ns/edge")
			})
		}
	}
}
