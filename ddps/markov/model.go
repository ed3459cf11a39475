package markov

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Model is a context model. It never changes and may be shared by goroutines.
type Model struct {
	*places
	cfg     Config
	views   []view
	tables  *tables
	at      []int32     // [view] its number in the tables
	disc    []discount  // by view
	theta   []float64   // by view and bucket, then relations, then places visited
	paths   []ddps.Path // that the tables hold
	weights []float64   // of paths
	threads int
}

// Graph returns the graph whose paths the model is of.
func (m *Model) Graph() *ddps.LayeredGraph { return m.g }

// Config returns the settings.
func (m *Model) Config() Config { return m.cfg }

// Contexts returns the number of contexts that are stored, of all kinds: of a model of Tune those of its largest trial.
func (m *Model) Contexts() int { return len(m.tables.nodes) }

// chunk is how many paths a goroutine takes at a time.
const chunk = 256

// LogProb writes log p of each path to out, of the same length. The error names the first path that is none of the
// graph.
func (m *Model) LogProb(paths []ddps.Path, out []float64) error {
	if len(out) != len(paths) {
		return fmt.Errorf("markov: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	for i, p := range paths {
		if err := m.g.Check(p); err != nil {
			return fmt.Errorf("markov: path %d: %w", i+1, err)
		}
	}
	each((len(paths)+chunk-1)/chunk, m.threads, func(next func() (int, bool)) {
		s := m.scorer()
		for c, ok := next(); ok; c, ok = next() {
			for i := c * chunk; i < min((c+1)*chunk, len(paths)); i++ {
				out[i] = s.logProb(paths[i])
			}
		}
	})
	return nil
}

func (s *scorer) logProb(p ddps.Path) (sum float64) {
	m := s.m
	st := m.begin(nil)
	for l := 0; l+1 < len(p) && !m.over[p[l]]; l++ {
		e, _ := m.g.EdgeBetween(p[l], p[l+1])
		lo, _ := m.g.Edges(p[l])
		sum += real.Log(s.row(p[l], st)[e-lo])
		st = m.after(st, e, nil)
	}
	return sum
}

// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone. When ctx ends it returns ctx's
// error, and paths holds no whole sample.
func (m *Model) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	each((len(paths)+chunk-1)/chunk, m.threads, func(next func() (int, bool)) {
		s := m.scorer()
		for c, ok := next(); ok && ctx.Err() == nil; c, ok = next() {
			for i := c * chunk; i < min((c+1)*chunk, len(paths)); i++ {
				paths[i] = s.draw(seed, uint64(first+i))
			}
		}
	})
	return ctx.Err()
}

// draw draws path number i under a seed, with a random number for each vertex with a choice.
func (s *scorer) draw(seed, i uint64) ddps.Path {
	m, rng := s.m, ddps.Rand(seed, i)
	p := make(ddps.Path, m.g.NumLayers())
	st, v := m.begin(nil), 0
	for l := 1; l < len(p); l++ {
		lo, hi := m.g.Edges(v)
		e := lo
		if hi-lo > 1 {
			e += chain.Pick(s.row(v, st), rng.Float64())
		}
		st = m.after(st, e, nil)
		v = m.g.Head(e)
		p[l] = v
	}
	return p
}
