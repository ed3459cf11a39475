package study

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
)

// SizeRow is what one step took on a graph of one size.
type SizeRow struct {
	Vertices int     `csv:"vertices"`
	Edges    int     `csv:"edges"`
	Layers   int     `csv:"layers"`
	Step     string  `csv:"step"`    // one of SizeSteps
	Seconds  float64 `csv:"seconds"` // the least of some runs, on one thread
	MiB      float64 `csv:"MiB"`     // all that a run allocates, whether it is freed on the way or not
}

// SizeSteps names the steps that Sizes measures, in order: reading a graph's JSON, pruning it, counting its paths,
// conditioning its uniform law on the greatest of a random reward (the condition made, the law tilted), and drawing a
// path in DefaultSteps reverse steps with the exact denoiser of that law.
func SizeSteps() []string { return []string{"load", "prune", "count", "condition", "sample"} }

// SizeDepths are depths of datasets.CityGraph that make about 10³, 10³·⁵, …, 10⁶ vertices.
func SizeDepths() []int { return []int{12, 17, 24, 35, 52, 76, 112} }

// Sizes measures the steps on the streets of made-up cities, datasets.CityGraph of each depth and seed 0, and hands out
// each row as it comes. It stops with report's error or, between steps, with ctx's.
func Sizes(ctx context.Context, depths []int, report func(SizeRow) error) error {
	for _, depth := range depths {
		g, err := datasets.CityGraph(depth, 0)
		if err != nil {
			return fmt.Errorf("study: sizes: %w", err)
		}
		for _, step := range SizeSteps() {
			if err := ctx.Err(); err != nil {
				return err
			}
			row, err := measureStep(ctx, g, step)
			if err == nil {
				err = report(row)
			}
			if err != nil {
				return fmt.Errorf("study: sizes: %s of %d vertices: %w", step, g.NumVertices(), err)
			}
		}
	}
	return nil
}

// A step runs again until it took enough time, or often enough.
const (
	sizeTime = 500 * time.Millisecond
	sizeRuns = 20
)

// measureStep runs a step of SizeSteps some times.
func measureStep(ctx context.Context, g *ddps.LayeredGraph, step string) (SizeRow, error) {
	row := SizeRow{Vertices: g.NumVertices(), Edges: g.NumEdges(), Layers: g.NumLayers(), Step: step}
	r, err := sizeStep(ctx, g, step)
	if err != nil {
		return row, err
	}
	var before, after runtime.MemStats
	for total, k := time.Duration(0), 0; k == 0 || total < sizeTime && k < sizeRuns; k++ {
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		if err := r(); err != nil {
			return row, err
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if s := took.Seconds(); k == 0 || s < row.Seconds {
			row.Seconds, row.MiB = s, float64(after.TotalAlloc-before.TotalAlloc)/(1<<20)
		}
		total += took
	}
	return row, nil
}

// sizeStep returns what a step does, with all that goes before it done.
func sizeStep(ctx context.Context, g *ddps.LayeredGraph, step string) (func() error, error) {
	switch step {
	case "load":
		var b bytes.Buffer
		if _, err := g.WriteTo(&b); err != nil {
			return nil, err
		}
		return func() error { _, err := ddps.ReadGraph(bytes.NewReader(b.Bytes())); return err }, nil
	case "prune":
		return func() error { g.Prune(); return nil }, nil
	case "count":
		return func() error { ddps.NewIndex(g); return nil }, nil
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
		}, nil
	case "sample":
		schedule := d3pm.Cosine(d3pm.DefaultT)
		s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), schedule.Abar), Schedule: schedule, Batch: 1, Threads: 1}
		return func() error {
			return s.Stream(ctx, 1, 0, func(p ddps.Path) error { _, err := fmt.Fprint(io.Discard, p); return err })
		}, nil
	}
	return nil, fmt.Errorf("there is no step %q", step)
}
