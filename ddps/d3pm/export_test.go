package d3pm

import (
	"context"

	"github.com/ddps-go/ddps/ddps"
)

// What tests outside the package need of it.

// Streamed is streamed.
const Streamed = streamed

// HasMemory reports whether c has a memory.
func HasMemory(c Condition) bool { return newTilter(c) != nil }

// BoundPrior is Bound.prior.
func BoundPrior(b *Bound, p ddps.Path) float64 { return b.prior(p) }

// GuideStep is Step.guide.
func GuideStep(st *Step, g []float64, lambda float64) { st.guide(g, lambda) }

// Prepare is Particles.prepare.
func Prepare(p *Particles, n int, seed uint64) (*ParticleRun, error) {
	return p.prepare(context.Background(), n, seed)
}
