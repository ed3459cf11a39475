package tracks

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Fate is what became of a fix or a track.
type Fate string

// What may become of fixes and of tracks. All but Matched are refusals.
const (
	Matched       Fate = "matched"            // of a track: it is a path
	Unreadable    Fate = "unreadable"         // of a fix: a value of its row cannot be read
	Duplicate     Fate = "duplicate"          // of a fix: the track has another one at the same time
	UnknownPlace  Fate = "unknown place"      // of a fix by name: the graph has no vertex called so
	TooFar        Fate = "too far"            // of a point: no place is within the radius
	OffMap        Fate = "off the map"        // of a point: so, and outside of the box about all places
	OutsideWindow Fate = "outside the window" // of a fix: before the track is at the start, or after the last layer
	NoStart       Fate = "never at the start" // of a track: no fix is where the graph's paths begin
	TooShort      Fate = "too short"          // of a track: it has no fix in the last layer
	NoWay         Fate = "no way"             // of a track: no path of the graph leads from a fix to the next in time
)

// Outcome is what became of a fix, or of a track that begins at that line.
type Outcome struct {
	File    string
	Line    int
	Track   string
	IsTrack bool
	Fate    Fate
	Detail  string // in words
}

// String is an outcome as a line of a message: its file and line first.
func (o Outcome) String() string {
	s := fmt.Sprintf("%s:%d: ", o.File, o.Line)
	switch {
	case o.IsTrack && o.Track != "":
		s += "track " + o.Track + ": "
	case o.IsTrack:
		s += "the track: "
	}
	return s + string(o.Fate) + ": " + o.Detail
}

// Report accounts for the tracks that Match was given: every fix is Used, Spare, Lost or refused, every track
// Matched or refused.
type Report struct {
	Every, Radius               float64 // seconds, or steps; metres, 0 for a graph without coordinates
	GuessedEvery, GuessedRadius bool
	Steps                       bool // the tracks count steps

	Fixes int // all, unreadable ones too
	Used  int // fixes that a path goes by
	Moved int // of them points whose path goes by another place than their nearest
	Spare int // fixes good for a layer that has another nearer in time
	Lost  int // good fixes of tracks that are refused

	Tracks, Matched      int
	Filled, FilledTracks int // layers that no fix was in, and the paths that have any

	Notes []string // what was found out about names

	Outcomes []Outcome // of each track, of each fix that was refused; unreadable rows first
}

// note adds outcomes.
func (r *Report) note(list ...Outcome) { r.Outcomes = append(r.Outcomes, list...) }

// spare counts the good fixes of a path that no layer needed.
func (r *Report) spare(good []*Fix, slots []slot, late []Outcome) {
	r.Spare += len(good) - len(late)
	for _, s := range slots {
		if s.fix != nil {
			r.Spare--
		}
	}
}

// Refused returns the outcomes that are refusals, in order.
func (r *Report) Refused() (list []Outcome) {
	for _, o := range r.Outcomes {
		if o.Fate != Matched {
			list = append(list, o)
		}
	}
	return list
}

// Fates lists what may become of fixes and tracks, refusals all.
func Fates() []Fate {
	return []Fate{Unreadable, Duplicate, UnknownPlace, OffMap, TooFar, OutsideWindow, NoStart, TooShort, NoWay}
}

// why says how often tracks were refused, and why.
func (r *Report) why() string {
	n := map[Fate]int{}
	for _, o := range r.Outcomes {
		if o.IsTrack {
			n[o.Fate]++
		}
	}
	var words []string
	for _, w := range Fates() {
		if n[w] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[w], w))
		}
	}
	return strings.Join(words, ", ")
}

// WriteCSV writes the outcomes: what, track or fix; file, line, track, outcome, detail.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"what", "file", "line", "track", "outcome", "detail"}) // its error stays and shows below
	for _, o := range r.Outcomes {
		what := "fix"
		if o.IsTrack {
			what = "track"
		}
		c.Write([]string{what, o.File, strconv.Itoa(o.Line), o.Track, string(o.Fate), o.Detail})
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("datasets: report: %w", err)
	}
	return nil
}
