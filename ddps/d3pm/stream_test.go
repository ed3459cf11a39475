package d3pm_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// Stream hands out the paths of Sample, over the border of what it holds at once, and stops when told to.
func TestStream(t *testing.T) {
	g := ddps.Example()
	schedule := d3pm.Cosine(16)
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), schedule.Abar), Schedule: schedule,
		Steps: 2}
	n, last := d3pm.Streamed+100, 0
	s.Progress = func(done, total int) {
		if done <= last || total != 2*n {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}
	var got []ddps.Path
	err := s.Stream(context.Background(), n, 5, func(p ddps.Path) error {
		got = append(got, p)
		return nil
	})
	if err != nil || last != 2*n {
		t.Fatalf("%d done, %v", last, err)
	}
	last = 0
	want, err := s.Sample(context.Background(), n, 5)
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%d paths that are not the %d of Sample, %v", len(got), len(want), err)
	}
	s.Progress = nil
	enough, k := errors.New("enough"), 0
	err = s.Stream(context.Background(), n, 5, func(ddps.Path) error {
		if k++; k == 3 {
			return enough
		}
		return nil
	})
	if err != enough || k != 3 {
		t.Errorf("%d paths, error %v", k, err)
	}
	if err := s.Stream(context.Background(), 0, 5, nil); err == nil {
		t.Error("no paths are no error")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := s.Stream(stopped, n, 5, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// A call of the denoiser is small on a huge graph.
func TestBatchSize(t *testing.T) {
	s := &d3pm.Sampler{Graph: ddps.Example()}
	if n := s.BatchSize(); n != 64 {
		t.Errorf("%d, want 64", n)
	}
	if s.Batch = 3; s.BatchSize() != 3 {
		t.Error("Batch is not obeyed")
	}
}
