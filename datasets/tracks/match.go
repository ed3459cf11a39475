package tracks

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/internal/names"

	"github.com/ddps-go/ddps/ddps"
)

// Options says how tracks become paths.
type Options struct {
	// Every is the time between a layer and the next, in seconds; 0: guessed, the one with which paths go by the most of
	// the tracks' fixes, of some between the median time between fixes and what makes the layers as long as the longest
	// track. Tracks that count steps have a layer a step.
	Every float64
	// Radius is how far from a place, in metres, a point may lie; 0: guessed, half the median distance of places that an
	// edge joins and 10 m more, 20 m at least.
	Radius float64
	// Told, unless it is nil, is called as tracks are done; its error ends the work.
	Told func(done, total int) error
}

// minRadius is the least radius that is guessed, in metres: what GPS is good for in a street.
const minRadius = 20

// Match makes paths of g of tracks, at most one of each.
//
// A point goes to the nearest of g's places by great-circle distance (a k-d tree finds it), if that is within the
// radius. A path begins at the track's first fix within the radius of a place of the first layer of places, at a time
// t₀; layers before that one, a source, are passed by their first edges. Each later layer k has the fix nearest in time
// to t₀ + k·Every, within half of that. The path is the one of g whose places are all within the radius of their
// layers' fixes and for which the sum of the squares of those distances is least: each fix gets its nearest place where
// that makes a path, and another near it where it does not. Where paths of g may end before the last layer (ddps.End),
// a path ends at its last fix. Layers without a fix are filled by the way of least length, and of equally short ones by
// that which goes most steadily. A fix by name goes to the vertex of that name. A track is left out where it never is
// at the start, ends before the last layer, or where no path of g leads from one of its fixes to the next in the layers
// that there are.
//
// The report accounts for every fix and track, and is there with the error, too, that no track makes a path. Other
// errors: g has no coordinates for points, options out of range, no guess. O(fixes·log places + tracks·edges).
func Match(g *ddps.LayeredGraph, t *Tracks, o Options) (*datasets.Data, *Report, error) {
	m, err := newMatcher(g, t, o)
	if err != nil {
		return nil, nil, fmt.Errorf("datasets: tracks: %w", err)
	}
	tracks := group(t.Fixes)
	if err := m.guess(tracks); err != nil {
		return nil, nil, fmt.Errorf("datasets: tracks: %w", err)
	}
	b := datasets.NewCollector(g)
	m.report.note(t.Bad...)
	m.report.Fixes += len(t.Bad)
	for i, fixes := range tracks {
		if p := m.track(fixes); p != nil {
			if err := b.Add(p, 1); err != nil {
				return nil, nil, fmt.Errorf("datasets: tracks: %s:%d: %w", fixes[0].File, fixes[0].Line, err)
			}
		}
		if o.Told != nil {
			if err := o.Told(i+1, len(tracks)); err != nil {
				return nil, nil, err
			}
		}
	}
	m.report.Notes = names.UnicodeNote(m.places.other, m.places.like)
	if len(b.Data().Paths) == 0 {
		return nil, m.report, fmt.Errorf("datasets: tracks: none of %d makes a path: %s%s", len(tracks), m.report.why(),
			m.swapped(t.Fixes))
	}
	return b.Data(), m.report, nil
}

// group returns the fixes of each track in the order of time, tracks in the order of their first rows.
func group(fixes []Fix) [][]Fix {
	at, list := map[[2]string]int{}, [][]Fix(nil)
	for _, f := range fixes {
		key := [2]string{f.File, f.Track}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key], list = i, append(list, nil)
		}
		list[i] = append(list[i], f)
	}
	for _, t := range list {
		slices.SortStableFunc(t, func(a, b Fix) int { return cmp.Compare(a.Time, b.Time) })
	}
	return list
}

// matcher makes paths of tracks.
type matcher struct {
	*wayfinder
	pads []bool // [V] ddps.LayeredGraph.Pads
	ends bool   // paths may end before the last layer

	places *placeNames
	index  earth.Index
	box    [2][3]float64 // about the places on the unit sphere
	o      Options
	points bool // there are coordinates
	report *Report
}

func newMatcher(g *ddps.LayeredGraph, t *Tracks, o Options) (*matcher, error) {
	if !(o.Every >= 0) || math.IsInf(o.Every, 1) || !(o.Radius >= 0) || math.IsInf(o.Radius, 1) {
		return nil, fmt.Errorf("every %v s, radius %v m: expected finite numbers of 0 or more", o.Every, o.Radius)
	}
	w, err := newWayfinder(g)
	if err != nil {
		return nil, err
	}
	m := &matcher{wayfinder: w, o: o, points: w.at != nil, places: newPlaceNames(g), report: &Report{Steps: t.Steps}}
	if slices.ContainsFunc(t.Fixes, func(f Fix) bool { return f.Place == "" }) && !m.points {
		return nil, errors.New("the graph has no places with longitude and latitude: name the places instead of lat and lon")
	}
	m.pads = g.Pads()
	m.ends = m.pads != nil && slices.Contains(m.pads[1:], true)
	if !m.points {
		return m, nil
	}
	var list []earth.Spot
	seen := map[int]bool{}
	for v, s := range w.at {
		if w.real[v] && !seen[s.Place] {
			seen[s.Place], list = true, append(list, s)
		}
	}
	m.index = earth.NewIndex(list)
	m.box = [2][3]float64{list[0].At, list[0].At}
	for _, s := range list {
		for d, x := range s.At {
			m.box[0][d], m.box[1][d] = min(m.box[0][d], x), max(m.box[1][d], x)
		}
	}
	return m, nil
}

// track makes a path of a track, nil if there is none, and accounts for it.
func (m *matcher) track(fixes []Fix) ddps.Path { return m.placed(fixes, m.usable(fixes)) }

// placed is track for fixes whose places are known.
func (m *matcher) placed(fixes []Fix, u usable) ddps.Path {
	good, places, bad := u.good, u.places, u.bad
	r, head := m.report, fixes[0]
	r.Fixes, r.Tracks = r.Fixes+len(fixes), r.Tracks+1
	own := Outcome{File: head.File, Line: head.Line, Track: head.Track, IsTrack: true}
	slots, late, lost := m.slots(good, places)
	if lost.Fate == "" {
		var p ddps.Path
		if p, lost = m.path(slots); lost.Fate == "" {
			own.Fate = Matched
			if n := m.count(slots, p); n > 0 {
				own.Detail = fmt.Sprintf("%d of %d layers without a fix", n, len(slots))
			}
			r.spare(good, slots, late)
			r.note(own)
			r.note(append(bad, late...)...)
			return p
		}
	}
	r.Lost += len(good) - len(late)
	own.Fate, own.Detail = lost.Fate, lost.Detail
	r.note(own)
	r.note(append(bad, late...)...)
	return nil
}
