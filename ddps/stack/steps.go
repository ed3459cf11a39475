package stack

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// each runs work(i) for i in 0…n−1 on all CPUs.
func each(n int, work func(i int)) {
	var at atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(at.Add(1)) - 1; i < n; i = int(at.Add(1)) - 1 {
				work(i)
			}
		})
	}
	wg.Wait()
}

// chunk is how many paths a goroutine takes at a time.
const chunk = 256

// choices returns the part that each draw first…first+n−1 is of. Their streams are not those of the parts' draws.
func choices(n int, seed uint64, first int, weight []float64) []int {
	part := make([]int, n)
	for i := range part {
		part[i] = chain.Pick(weight, ddps.Rand(^seed, uint64(first+i)).Float64())
	}
	return part
}

// sampleMix draws from a mixture.
func sampleMix(ctx context.Context, paths []ddps.Path, seed uint64, first int, weight []float64,
	part func(k int) Distribution) error {
	of := choices(len(paths), seed, first, weight)
	for k := range weight {
		var numbers []int
		for i, c := range of {
			if c == k {
				numbers = append(numbers, first+i)
			}
		}
		some := make([]ddps.Path, len(numbers))
		if err := drawAt(ctx, part(k), some, seed, numbers); err != nil {
			return err
		}
		for n, i := range numbers {
			paths[i-first] = some[n]
		}
	}
	return nil
}

// drawAt draws the paths of the given numbers.
func drawAt(ctx context.Context, d Distribution, paths []ddps.Path, seed uint64, numbers []int) error {
	if len(numbers) > 0 && numbers[len(numbers)-1]-numbers[0] == len(numbers)-1 {
		return d.Sample(ctx, paths, seed, numbers[0])
	}
	switch d := d.(type) {
	case product:
		for n, i := range numbers {
			if n%chunk == 0 && ctx.Err() != nil {
				break
			}
			paths[n] = d.draw(seed, uint64(i))
		}
	case Stepper:
		drawSteps(ctx, d, paths, seed, numbers)
	default:
		for n, i := range numbers {
			if err := d.Sample(ctx, paths[n:n+1], seed, i); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// drawSteps draws the paths of the given numbers step by step, with one random number for each vertex with a choice;
// where ctx ends they have no end.
func drawSteps(ctx context.Context, d Stepper, paths []ddps.Path, seed uint64, numbers []int) {
	g := d.Graph()
	D := g.MaxDegree()
	each((len(paths)+chunk-1)/chunk, func(c int) {
		lo, hi := c*chunk, min((c+1)*chunk, len(paths))
		states, logp := d.Start(hi-lo), make([]float64, (hi-lo)*D)
		at, streams := make([]int, hi-lo), make([]*rand.Rand, hi-lo)
		for i := range at {
			paths[lo+i], streams[i] = make(ddps.Path, 1, g.NumLayers()), ddps.Rand(seed, uint64(numbers[lo+i]))
		}
		for range g.NumLayers() - 1 {
			if ctx.Err() != nil {
				return
			}
			states.Step(at, logp)
			for i, v := range at {
				row, d := logp[i*D:i*D+g.Degree(v)], 0
				if len(row) > 1 {
					d = pickLog(row, streams[i].Float64())
				}
				at[i] = g.From(v)[d]
				paths[lo+i] = append(paths[lo+i], at[i])
			}
		}
	})
}

// pickLog is chain.Pick of logarithms, which it overwrites.
func pickLog(row []float64, u float64) int {
	for d, x := range row {
		row[d] = math.Exp(x)
	}
	return chain.Pick(row, u)
}
