package d3pm_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
)

// breaks is a denoiser that panics.
type breaks struct{}

func (breaks) Posterior([]float64, []ddps.PALM, int) error { panic(errBroken) }

var errBroken = errors.New("it broke")

// A denoiser's panic reaches whoever called, who can recover, with the place where it arose.
func TestPanics(t *testing.T) {
	g := ddps.Example()
	s := &d3pm.Sampler{Graph: g, Denoiser: breaks{}, Schedule: d3pm.Cosine(16), Steps: 4, Batch: 2, Threads: 4}
	warm, err := guide.Boltzmann(g, make([]float64, g.NumEdges()), 1)
	if err != nil {
		t.Fatal(err)
	}
	b := &d3pm.Bound{Graph: g, Denoiser: breaks{}, Schedule: s.Schedule, Steps: 4}
	var paths []ddps.Path
	for p := range g.Paths() {
		paths = append(paths, slices.Clone(p))
	}
	for name, f := range map[string]func() error{
		"sample": func() error { _, err := s.Sample(t.Context(), 100, 0); return err },
		"particles": func() error {
			_, _, err := (&d3pm.Particles{Sampler: s, K: 2, Target: warm}).Sample(t.Context(), 100, 0)
			return err
		},
		"bound": func() error { _, err := b.Score(t.Context(), paths, 0); return err },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				v := recover()
				p, ok := v.(interface{ Panicked() any })
				if !ok || p.Panicked() != errBroken || !strings.Contains(fmt.Sprint(v), "it broke\n") ||
					!strings.Contains(fmt.Sprint(v), "breaks.Posterior") {
					t.Errorf("recovered %v", v)
				}
			}()
			t.Error("no panic, but", f())
		})
	}
}
