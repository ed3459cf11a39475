package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// near returns the place nearest to a fix, or why it has none.
func (m *matcher) near(f Fix) (place int, bad *Outcome) {
	refuse := func(fate Fate, detail string) (int, *Outcome) {
		return 0, &Outcome{File: f.File, Line: f.Line, Track: f.Track, Fate: fate, Detail: detail}
	}
	if f.Place != "" {
		if !m.names[f.Place] {
			return refuse(UnknownPlace, fmt.Sprintf("no vertex is called %q", f.Place))
		}
		return -1, nil
	}
	n := m.index.nearest(f.Lon, f.Lat)
	if n.metres <= m.report.Radius {
		return n.place, nil
	}
	fate, s, slack := TooFar, newSpot(f.Lon, f.Lat, 0), m.report.Radius/earthRadius
	for d, x := range s.at {
		if x < m.box[0][d]-slack || x > m.box[1][d]+slack {
			fate = OffMap
		}
	}
	return refuse(fate, fmt.Sprintf("%.1f m from the nearest place", n.metres))
}

// starts tells whether a fix is near a place of the first layer of places.
func (m *matcher) starts(f *Fix) bool {
	fits := m.fits(slot{fix: f})
	return slices.ContainsFunc(m.layer(m.first), func(v int) bool { _, ok := fits(v); return ok })
}

// guess sets the report's step and radius to what was asked for or, where nothing was, to what the data say.
func (m *matcher) guess(tracks [][]Fix) error {
	r := m.report
	if r.Radius = m.o.Radius; r.Radius == 0 && m.points {
		var long []float64
		for e, d := range m.long {
			if m.real[m.g.Tail(e)] && d > 0 {
				long = append(long, d)
			}
		}
		r.Radius, r.GuessedRadius = math.Round(max(minRadius, quantile(long, .5))), true
	}
	if r.Every = m.o.Every; r.Steps {
		if r.Every != 0 && r.Every != 1 {
			return errors.New("the tracks count steps, and not time: a layer is a step")
		}
		r.Every = 1
	}
	if r.Every > 0 {
		return nil
	}
	var gaps, spans []float64
	for _, fixes := range tracks {
		for i := 1; i < len(fixes); i++ {
			if d := fixes[i].Time - fixes[i-1].Time; d > 0 {
				gaps = append(gaps, d)
			}
		}
		if d := m.span(fixes); d > 0 {
			spans = append(spans, d)
		}
	}
	if len(gaps) == 0 {
		return errors.New("no track has two fixes at different times to guess the step from: say how long it is")
	}
	r.Every, r.GuessedEvery = m.bestStep(tracks, quantile(gaps, .5), spans), true
	return nil
}

// span returns the time from a track's start to its last fix that has a place, 0 if there is none.
func (m *matcher) span(fixes []Fix) float64 {
	begin := slices.IndexFunc(fixes, func(f Fix) bool { return m.starts(&f) })
	for i := len(fixes) - 1; begin >= 0 && i > begin; i-- {
		if _, bad := m.near(fixes[i]); bad == nil {
			return fixes[i].Time - fixes[begin].Time
		}
	}
	return 0
}

// guessTracks is how many tracks a step is tried on.
const guessTracks = 200

// bestStep returns the step, of those that make the layers as long as some of the spans and 2, 4 and 8 times shorter ones, by
// which the most fixes of some tracks go into paths, each track's as a share; ties go to the shorter. None is below least.
func (m *matcher) bestStep(tracks [][]Fix, least float64, spans []float64) float64 {
	whole := func(x float64) float64 {
		if x > 2 {
			return math.Round(x)
		}
		return x
	}
	steps := []float64{whole(least)}
	for q := 0.0; q < 1; q += .1 {
		for _, part := range []float64{1, 2, 4, 8} {
			if x := whole(quantile(spans, q) / float64(max(1, m.g.NumLayers()-m.first-1)) / part); x > steps[0] {
				steps = append(steps, x)
			}
		}
	}
	slices.Sort(steps)
	best, top := steps[0], -1.0
	for _, step := range slices.Compact(steps) {
		try := *m
		try.report = &MatchReport{Every: step, Radius: m.report.Radius}
		share := 0.0
		for i := 0; i < len(tracks); i += 1 + len(tracks)/guessTracks {
			before := try.report.Used + try.report.Spare
			try.track(tracks[i])
			share += float64(try.report.Used+try.report.Spare-before) / float64(len(tracks[i]))
		}
		if share > top {
			best, top = step, share
		}
	}
	return best
}

// quantile returns a number of the list that the share q is not above, 0 of none. It sorts list.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(q*float64(len(list)-1))]
}
