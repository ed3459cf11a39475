package tracks

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// slot is what a layer of places has: a fix, or none.
type slot struct {
	fix     *Fix
	nearest int // its place
}

// usable are the fixes of a track that have a place, with the nearest, −1 for one by name, and what is wrong with the
// others.
type usable struct {
	good   []*Fix
	places []int
	bad    []Outcome
}

// usable finds the places of a track's fixes.
func (m *matcher) usable(fixes []Fix) (u usable) {
	for i := range fixes {
		f := &fixes[i]
		f.Place = m.places.called(f.Place)
		if i > 0 && f.Time == fixes[i-1].Time {
			u.bad = append(u.bad, Outcome{File: f.File, Line: f.Line, Track: f.Track, Fate: Duplicate,
				Detail: fmt.Sprintf("the same time as line %d", fixes[i-1].Line)})
			continue
		}
		place, wrong := m.near(*f)
		if wrong != nil {
			u.bad = append(u.bad, *wrong)
			continue
		}
		u.good, u.places = append(u.good, f), append(u.places, place)
	}
	return u
}

// slots gives each layer of places its fix, and returns the fixes outside of their time. lost says why there are none.
func (m *matcher) slots(good []*Fix, places []int) (slots []slot, outside []Outcome, lost Outcome) {
	start := 0
	for start < len(good) && !m.starts(good[start]) {
		start++
	}
	switch {
	case len(good) == 0:
		return nil, nil, Outcome{Fate: TooShort, Detail: "none of its fixes has a place"}
	case start == len(good):
		return nil, nil, Outcome{Fate: NoStart, Detail: "none of its fixes is where the paths begin"}
	}
	slots = make([]slot, m.g.NumLayers()-m.first)
	t0, every, last := good[start].Time, m.report.Every, 0
	off := func(f *Fix) (k int, d float64) {
		x := (f.Time - t0) / every
		if !(x < float64(len(slots))) {
			return len(slots), 0
		}
		return int(math.Round(x)), math.Abs(x - math.Round(x))
	}
	for i, f := range good {
		k, d := off(f)
		if i < start || k >= len(slots) {
			what := "before its start"
			if i > start {
				what = "after the last layer"
			}
			outside = append(outside, Outcome{File: f.File, Line: f.Line, Track: f.Track, Fate: OutsideWindow, Detail: what})
			continue
		}
		if was := slots[k].fix; was != nil {
			if _, least := off(was); least <= d {
				continue
			}
		}
		slots[k], last = slot{f, places[i]}, k
	}
	if last < len(slots)-1 && !m.ends {
		return nil, outside, Outcome{Fate: TooShort, Detail: fmt.Sprintf("its last fix in time is of layer %d of %d", last+1,
			len(slots))}
	}
	return slots, outside, Outcome{}
}

// count accounts for the fixes of a path, and returns how many layers had none.
func (m *matcher) count(slots []slot, p ddps.Path) (filled int) {
	for k, s := range slots[:ended(slots)+1] {
		if s.fix == nil {
			filled++
			continue
		}
		m.report.Used++
		if s.nearest >= 0 && m.place(p[m.first+k]) != s.nearest {
			m.report.Moved++
		}
	}
	if m.report.Matched++; filled > 0 {
		m.report.Filled, m.report.FilledTracks = m.report.Filled+filled, m.report.FilledTracks+1
	}
	return filled
}
