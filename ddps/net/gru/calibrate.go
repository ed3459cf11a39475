package gru

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Calibration says which rates of walks a GRU is to have.
type Calibration struct {
	Target Rates   // of the mixture of the GRU and the others
	Walks  float64 // behind Target
	Others Rates   // of the others
	Weight float64 // of the GRU in the mixture, in (0, 1]
	Draws  int     // samples of the GRU, at least 1
	Seed   uint64
}

// leastShare is the least share of walks that a length has of its own; shorter and longer ones are taken together.
const leastShare = 0.05

// Calibrate returns the tilt of m's rows with which a mixture has the rates of Target, within their sampling error.
// With f_m the rates (lengths, returns, revisits), one θ of the tilt for each, and E_θ f the rates of m, it minimises
//
//	½ Σ_m (ω E_θ f_m + (1−ω) o_m − t_m)²/v_m + ½ Σ_j θ_j²,   v_m = t_m(1−t_m)·(1/walks + 1/draws),
//
// by Gauss–Newton steps, E_θ f being estimated from draws of m, weighted by the ratio of the walks' probabilities. A
// network predicts each step well from recorded walks, while its own walks drift away from those; that changes such
// rates, and the tilt corrects them.
func (m *GRU) Calibrate(ctx context.Context, c Calibration) (Tilt, error) {
	if c.Draws < 1 || !(c.Weight > 0 && c.Weight <= 1) || !(c.Walks > 0) {
		return Tilt{}, errors.New("gru: calibrate: the draws, the weight or the number of walks is out of range")
	}
	plain := m.Tilted(Tilt{})
	s := &calibration{Calibration: c, m: plain}
	paths := make([]ddps.Path, c.Draws)
	if err := plain.Sample(ctx, paths, c.Seed, 0); err != nil {
		return Tilt{}, err
	}
	list, err := plain.walks(paths)
	if err != nil {
		return Tilt{}, fmt.Errorf("gru: calibrate: %w", err)
	}
	s.prepare(paths)
	s.record(list)
	s.solve()
	return s.tilt(), nil
}

// calibration is the state of a Calibrate.
type calibration struct {
	Calibration
	m     *GRU
	bin   []int       // [length − 1] of lengths
	bins  int         // 0 where all walks have the same length
	item  [][]float64 // [draw] the rates' indicators: bins, return, revisit
	rows  [][]event   // [draw] the rows with a choice of class
	theta []float64   // of the bins, Close, Home, Back
	want  []float64   // of the rates
	other []float64
}

// event is a row of a draw: the walk's length, the class of the edge taken, and the probability of each class.
type event struct {
	length int32
	taken  uint8
	mass   [classes]float32
}

// prepare sets the bins, what is wanted, and the draws' indicators.
func (s *calibration) prepare(paths []ddps.Path) {
	share := 0.0
	for n, x := range s.Target.Length {
		if s.bin = append(s.bin, s.bins); x > 0 {
			share += x
		}
		if share >= leastShare && n+1 < len(s.Target.Length) {
			s.bins, share = s.bins+1, 0
		}
	}
	if s.bins > 0 && share < leastShare { // the longest
		for n := range s.bin {
			s.bin[n] = min(s.bin[n], s.bins-1)
		}
		s.bins--
	}
	if s.bins++; s.bins == 1 {
		s.bins = 0
	}
	s.want, s.other = s.features(s.Target), s.features(s.Others)
	s.theta = make([]float64, s.bins+3)
	var t trail
	for _, p := range paths {
		var r Rates
		r.add(t.whole(s.m.layout, p), 1)
		s.item = append(s.item, s.features(r))
	}
}

// features returns rates as a vector: bins of lengths, return, revisit.
func (s *calibration) features(r Rates) []float64 {
	f := make([]float64, s.bins+2)
	for n, x := range r.Length {
		if s.bins > 0 {
			f[s.of(n+1)] += x
		}
	}
	f[s.bins], f[s.bins+1] = r.Return, r.Revisit
	return f
}

// of returns the bin of a length.
func (s *calibration) of(n int) int { return s.bin[min(max(n, 1), len(s.bin))-1] }

// record sets the draws' rows.
func (s *calibration) record(list []walk) {
	y := s.m.layout
	s.rows = make([][]event, len(list))
	trails := make([]trail, len(list))
	each((len(list)+chunk-1)/chunk, s.m.threads, func(next func() (int, bool)) {
		l := s.m.pool.Get().(*lanes)
		defer s.m.pool.Put(l)
		for c, ok := next(); ok; c, ok = next() {
			l.travel(c*chunk, min((c+1)*chunk, len(list)), func(i, t int) (int, bool) {
				if t == len(list[i].vertices) {
					trails[i] = trail{}
					return 0, false
				}
				return int(list[i].vertices[t]), true
			}, func(i, t, k int) {
				if t == 0 {
					trails[i].begin(y.words())
				}
				trails[i].step(y, list[i].vertices[t])
				s.event(&trails[i], i, int(list[i].vertices[t]), int(list[i].slots[t]), l.row(k))
			})
		}
	})
}

// event adds the row p of vertex v to draw i, unless all its edges are of one class.
func (s *calibration) event(t *trail, i, v, slot int, p []float64) {
	y, e := s.m.layout, event{length: t.length}
	lo, _ := y.g.Edges(v)
	for d, w := range y.g.From(v) {
		c := t.class(y, w, y.head[lo+d])
		if e.mass[c] += float32(p[d]); d == slot {
			e.taken = c
		}
	}
	if e.mass[e.taken] < 1 {
		s.rows[i] = append(s.rows[i], e)
	}
}
