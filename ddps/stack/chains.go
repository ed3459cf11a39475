package stack

import (
	"context"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Chains returns part k as a mixture of chains on product graphs, with weights of sum 1; nil where it is none, or too
// large.
func (s *Stack) Chains(k int) ([]*chain.Distribution, []float64) {
	d := s.Parts[k].Distribution
	if _, exact := tractableOf(d); !exact {
		return nil, nil
	}
	m, err := chains(d)
	if err != nil {
		return nil, nil
	}
	list := make([]*chain.Distribution, len(m.Weight))
	for i := range list {
		list[i] = m.Class(i)
	}
	return list, m.Weight
}

// Chains returns part i of Estimates given the condition as Stack.Chains does; nil where it is estimated.
func (x *Conditioned) Chains(i int) ([]*chain.Distribution, []float64) {
	return classes(x.exact[i])
}

// classes returns the chains that d, a distribution given a condition, is a mixture of.
func classes(d Distribution) (list []*chain.Distribution, weight []float64) {
	switch d := d.(type) {
	case product:
		return []*chain.Distribution{d.d}, []float64{1}
	case mix:
		for k, p := range d.parts {
			some, of := classes(p)
			for i, w := range of {
				list, weight = append(list, some[i]), append(weight, d.weight[k]*w)
			}
		}
	}
	return list, weight
}

// Weighted returns n draws of part i of Estimates given the condition, or somewhat more, with weights of sum 1. Draws
// come in runs of the same number each, which are independent of each other.
func (x *Conditioned) Weighted(ctx context.Context, i, n int, seed uint64) (paths []ddps.Path, weight []float64,
	independent int, err error) {
	var logs []float64
	if independent = n; x.Estimates[i].Steps {
		independent = runs
		for r := range uint64(runs) {
			p, err := x.ahead.run(ctx, x.part[i].(Stepper), (n+runs-1)/runs, ddps.Rand(seed, r|1<<61))
			if err != nil {
				return nil, nil, 0, err
			}
			paths = append(paths, p.paths...)
			before := p.log // of the weights until particles were resampled
			if p.normalise(); !math.IsInf(p.log, -1) {
				before -= p.log
			}
			for _, w := range p.logw {
				logs = append(logs, w+before)
			}
		}
	} else {
		p, err := x.drawn(ctx, i, n, seed)
		if err != nil {
			return nil, nil, 0, err
		}
		paths, logs = p.paths, p.logw
	}
	weight = make([]float64, len(logs))
	if softmax(logs, weight); math.IsNaN(weight[0]) {
		return nil, nil, 0, ErrNoEstimate
	}
	return paths, weight, independent, nil
}
