package stack

import (
	"context"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// block is how many draws share a pool: a draw depends on its own block alone.
const block = 512

// resampled draws the paths of the given numbers, ascending, from part k given the condition.
func (x *Conditioned) resampled(ctx context.Context, k int, paths []ddps.Path, seed uint64, numbers []int) error {
	for lo := 0; lo < len(numbers); {
		b, hi := numbers[lo]/block, lo
		for hi < len(numbers) && numbers[hi]/block == b {
			hi++
		}
		whole, err := x.block(ctx, k, b, seed)
		if err != nil {
			return err
		}
		for n := lo; n < hi; n++ {
			paths[n] = whole[numbers[n]%block]
		}
		lo = hi
	}
	return nil
}

// block draws all paths of part k in block b, by position in it.
func (x *Conditioned) block(ctx context.Context, k, b int, seed uint64) (list [block]ddps.Path, err error) {
	var mine []int
	for i, c := range choices(block, seed, b*block, x.weight) {
		if c == k {
			mine = append(mine, i)
		}
	}
	rng := ddps.Rand(seed, uint64(b)|uint64(k+1)<<48)
	n := int(float64(len(mine))*min(8, max(2, 1/x.Estimates[k].ESS))) + 64
	var p *pool
	if x.Estimates[k].Steps {
		p, err = x.ahead.run(ctx, x.part[k].(Stepper), n, rng)
	} else {
		p, err = x.drawn(ctx, k, n, rng.Uint64())
	}
	if err != nil {
		return list, err
	}
	if len(mine) > 0 && math.IsInf(p.log, -1) {
		return list, fmt.Errorf("stack: %s: none of %d draws meets the condition: it is too rare for weighted draws",
			x.Estimates[k].Name, n)
	}
	from := make([]int, len(mine))
	systematic(p.logw, from, rng.Float64())
	rng.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	for n, i := range mine {
		list[i] = p.paths[from[n]]
	}
	return list, nil
}

// systematic fills from with indices by weight exp(logw), at even distances from u in [0, 1) on.
func systematic(logw []float64, from []int, u float64) {
	w := make([]float64, len(logw))
	softmax(logw, w)
	cum, i, n := w[0], 0, float64(len(from))
	for j := range from {
		for at := (float64(j) + u) / n; cum < at && i+1 < len(w); {
			i++
			cum += w[i]
		}
		from[j] = i
	}
}
