package d3pm

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// streamed is how many paths Stream holds at most.
const streamed = 1 << 13

// Stream draws the paths of Sample and hands them to yield in their order, some thousands at a time, so that any number
// of them takes the memory of a few. yield is called by one goroutine, and may keep the path. It stops with yield's
// error as it is, or Sample's.
func (s *Sampler) Stream(ctx context.Context, n int, seed uint64, yield func(ddps.Path) error) error {
	return s.StreamRange(ctx, 0, n, n, seed, yield)
}

// StreamRange is Stream for the paths lo…hi-1 of the n, from 0: item i is drawn from stream i of the seed, whatever the
// range.
func (s *Sampler) StreamRange(ctx context.Context, lo, hi, n int, seed uint64, yield func(ddps.Path) error) error {
	if lo < 0 || hi < lo || hi > n {
		return fmt.Errorf("d3pm: sample: %d…%d is no range of %d paths", lo, hi, n)
	}
	s, err := s.resolve(ctx, n)
	if err != nil {
		return fmt.Errorf("d3pm: sample: %w", err)
	}
	for ; lo < hi; lo += streamed {
		r, err := s.span(ctx, []*Sampler{s}, lo, min(lo+streamed, hi), n, seed, false)
		if err != nil {
			return fmt.Errorf("d3pm: sample: %w", err)
		}
		for _, p := range r.Paths {
			if err := yield(p); err != nil {
				return err
			}
		}
	}
	return nil
}
