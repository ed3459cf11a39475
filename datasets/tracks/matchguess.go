package tracks

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets/internal/earth"
)

// near returns the place nearest to a fix, or why it has none.
func (m *matcher) near(f Fix) (place int, bad *Outcome) {
	refuse := func(fate Fate, detail string) (int, *Outcome) {
		return 0, &Outcome{File: f.File, Line: f.Line, Track: f.Track, Fate: fate, Detail: detail}
	}
	if f.Place != "" {
		if !m.places.known[f.Place] {
			return refuse(UnknownPlace, fmt.Sprintf("no vertex is called %q%s", f.Place, m.places.meant(f.Place)))
		}
		return -1, nil
	}
	n := m.index.Nearest(f.Lon, f.Lat)
	if n.Metres <= m.report.Radius {
		return n.Place, nil
	}
	fate, s, slack := TooFar, earth.NewSpot(f.Lon, f.Lat, 0), m.report.Radius/earth.Radius
	for d, x := range s.At {
		if x < m.box[0][d]-slack || x > m.box[1][d]+slack {
			fate = OffMap
		}
	}
	return refuse(fate, fmt.Sprintf("%.1f m from the nearest place", n.Metres))
}

// swapped says so if no fix is near a place, and most would be with latitude and longitude swapped; else "".
func (m *matcher) swapped(fixes []Fix) string {
	near := func(lon, lat float64) bool { return m.index.Nearest(lon, lat).Metres <= m.report.Radius }
	n := 0
	for _, f := range fixes {
		if f.Place != "" || near(f.Lon, f.Lat) {
			return ""
		}
		if math.Abs(f.Lon) <= 90 && near(f.Lat, f.Lon) {
			n++
		}
	}
	if 2*n <= len(fixes) {
		return ""
	}
	return fmt.Sprintf("; none of %d fixes is near a place, and %d are with latitude and longitude swapped", len(fixes), n)
}

// starts reports whether a fix is near a place of the first layer of places.
func (m *matcher) starts(f *Fix) bool {
	fits := m.fits(slot{fix: f})
	return slices.ContainsFunc(m.begin, func(v int) bool { _, ok := fits(v); return ok })
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
		r.Radius, r.GuessedRadius = math.Round(max(minRadius, quantile(long, .5)/2+minRadius/2)), true
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
	var gaps []float64
	for _, fixes := range tracks {
		for i := 1; i < len(fixes); i++ {
			if d := fixes[i].Time - fixes[i-1].Time; d > 0 {
				gaps = append(gaps, d)
			}
		}
	}
	if len(gaps) == 0 {
		return errors.New("no track has two fixes at different times to guess the step from: say how long it is")
	}
	r.Every, r.GuessedEvery = m.bestStep(m.trial(tracks), quantile(gaps, .5)), true
	return nil
}

// Steps are tried on so many tracks at most, and no more once so many fixes are in them.
const (
	trialTracks = 200
	trialFixes  = 50_000
)

// trialTrack is a track that steps are tried on.
type trialTrack struct {
	fixes []Fix
	usable
	begin int     // of good: the first at the start, −1 for none
	span  float64 // seconds from there to the last of good
}

// trial takes tracks from all over the list.
func (m *matcher) trial(tracks [][]Fix) (list []trialTrack) {
	n := 0
	for i := 0; i < len(tracks) && n < trialFixes; i += 1 + len(tracks)/trialTracks {
		t := trialTrack{fixes: tracks[i], usable: m.usable(tracks[i])}
		if t.begin = slices.IndexFunc(t.good, m.starts); t.begin >= 0 {
			t.span = t.good[len(t.good)-1].Time - t.good[t.begin].Time
		}
		list, n = append(list, t), n+len(t.fixes)
	}
	return list
}

// bestStep returns the step, of those that make the layers as long as the least, the quartiles and the most of the
// spans, and shorter ones by factors of √2, that has the greatest share; ties go to the shortest. None is below least.
func (m *matcher) bestStep(tracks []trialTrack, least float64) float64 {
	whole := func(x float64) float64 {
		if x > 2 {
			return math.Round(x)
		}
		return x
	}
	var spans []float64
	for _, t := range tracks {
		if t.span > 0 {
			spans = append(spans, t.span)
		}
	}
	least = max(least, 1e-3)
	steps := []float64{whole(least)}
	for q := range 5 {
		longest := quantile(spans, float64(q)/4) / float64(max(1, m.g.NumLayers()-m.first-1))
		for ; longest > least; longest /= math.Sqrt2 {
			if x := whole(longest); x > steps[0] {
				steps = append(steps, x)
			}
		}
	}
	slices.Sort(steps)
	best, top := steps[0], math.Inf(-1)
	for _, step := range slices.Compact(steps) {
		if share := m.share(tracks, step); share > top {
			best, top = step, share
		}
	}
	return best
}

// share returns the share of each track's fixes that a step's path goes by, less that which it passes without, summed
// over tracks: a path goes by a fix that is near the place where it is before or after it.
func (m *matcher) share(tracks []trialTrack, step float64) (sum float64) {
	try := *m
	for _, t := range tracks {
		try.report = &Report{Every: step, Radius: m.report.Radius}
		p := try.placed(t.fixes, t.usable)
		if p == nil {
			continue
		}
		n := 0
		for _, f := range t.good[t.begin:] {
			x := (f.Time - t.good[t.begin].Time) / step
			last := len(p) - 1 - m.first
			if x > float64(last)+.5 {
				break
			}
			fits := m.fits(slot{fix: f})
			_, before := fits(p[m.first+min(int(x), last)])
			if _, after := fits(p[m.first+min(int(math.Ceil(x)), last)]); before || after {
				n++
			} else {
				n--
			}
		}
		sum += float64(n) / float64(len(t.fixes))
	}
	return sum
}

// quantile returns a number of the list that the share q is not above, 0 of none. It sorts list.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(q*float64(len(list)-1))]
}
