package d3pm

import (
	"context"
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// SampleEach draws what Sample of each of the samplers draws, n paths from the same seed, and returns them by
// sampler. Where the Engine can, neighbours that differ in their Guide and Scale alone are drawn
// together: their samples share batches, and nothing is compiled for one that was for another. progress, if not nil,
// is called with samples × steps done, by one goroutine at a time; the samplers' own is not.
func SampleEach(ctx context.Context, each []*Sampler, n int, seed uint64, progress func(done, total int)) (
	[][]ddps.Path, error) {
	total := 0
	each = slices.Clone(each)
	for i, s := range each {
		times, err := s.check(n)
		if err != nil {
			return nil, fmt.Errorf("d3pm: sample: %w", err)
		}
		if each[i], err = s.resolve(ctx, n); err != nil {
			return nil, fmt.Errorf("d3pm: sample: %w", err)
		}
		steps := len(times) - 1
		if each[i].drawn() {
			steps = 1
		}
		total += n * steps
	}
	var all [][]ddps.Path
	done := 0
	for len(all) < len(each) {
		some, now := alike(each[len(all):]), 0
		lead := *some[0]
		lead.Progress = func(d, _ int) {
			if now = d; progress != nil {
				progress(done+now, total)
			}
		}
		some[0] = &lead
		r, err := lead.span(ctx, some, 0, n, n, seed, false)
		if r == nil && err == nil {
			r, err = lead.span(ctx, some[:1], 0, n, n, seed, false)
		}
		if err != nil {
			return nil, fmt.Errorf("d3pm: sample: %w", err)
		}
		for lo := 0; lo < len(r.Paths); lo += n {
			all = append(all, r.Paths[lo:lo+n])
		}
		done += now
	}
	return all, nil
}

// alike returns the samplers from the first on that differ from it in nothing but their guidance, in a slice of their
// own.
func alike(each []*Sampler) []*Sampler {
	first := each[0]
	n := 1
	for n < len(each) && first.like(each[n]) {
		n++
	}
	return append([]*Sampler(nil), each[:n]...)
}

// like reports whether two samplers differ in nothing but their guidance, and neither has a condition or draws
// directly.
func (s *Sampler) like(o *Sampler) bool {
	return s.Graph == o.Graph && s.Denoiser == o.Denoiser && s.Schedule == o.Schedule && s.Steps == o.Steps &&
		s.Backend == o.Backend && s.Engine == o.Engine && s.Condition == nil && o.Condition == nil &&
		!s.drawn() && !o.drawn() && s.Kernel.BuiltIn() != "" && s.Kernel.BuiltIn() == o.Kernel.BuiltIn()
}
