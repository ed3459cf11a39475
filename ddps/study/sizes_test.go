package study

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ddps-go/ddps/datasets"
)

// What a step allocates grows no faster than the graph, but for room ahead, which slices double, and the length of the
// numbers in counting.
func TestSizesLinear(t *testing.T) {
	depths := []int{17, 35}
	per := map[string][]float64{}
	err := Sizes(context.Background(), depths, func(r SizeRow) error {
		if r.Seconds <= 0 || r.Edges < 3*r.Vertices || r.Layers == 0 {
			t.Errorf("%+v", r)
		}
		per[r.Step] = append(per[r.Step], r.MiB/float64(r.Edges))
		return nil
	})
	if err != nil || len(per) != len(SizeSteps()) {
		t.Fatalf("%v, %v", per, err)
	}
	for _, step := range SizeSteps() {
		if m := per[step]; len(m) != 2 || m[1] > 1.5*m[0] {
			t.Errorf("%s allocates %v MiB an edge at depths %v", step, m, depths)
		}
	}
}

func TestSizesStops(t *testing.T) {
	enough := errors.New("enough")
	err := Sizes(context.Background(), []int{3}, func(SizeRow) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Sizes(ctx, []int{3}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := Sizes(ctx, []int{1}, nil); err == nil {
		t.Error("a depth of 1 is no error")
	}
	if g, err := datasets.CityGraph(3, 0); err != nil {
		t.Error(err)
	} else if _, err := measureStep(ctx, g, "dance"); err == nil {
		t.Error("an unknown step is no error")
	}
}

func BenchmarkSizes(b *testing.B) {
	for _, depth := range SizeDepths()[:5] {
		g, err := datasets.CityGraph(depth, 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, step := range SizeSteps() {
			r, err := sizeStep(context.Background(), g, step)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(step+"/"+sizeName(g.NumVertices()), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := r(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.NumEdges()), "ns/edge")
			})
		}
	}
}

func sizeName(n int) string { return fmt.Sprintf("%dk", (n+500)/1000) }
