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
	s, err := s.resolve(n)
	if err != nil {
		return fmt.Errorf("d3pm: sample: %w", err)
	}
	for lo := 0; lo < n; lo += streamed {
		r, err := s.span(ctx, []*Sampler{s}, lo, min(lo+streamed, n), n, seed, false)
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
