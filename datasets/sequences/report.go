package sequences

import (
	"fmt"
	"slices"
)

// Reason says why a walk, or a row of a file, is left out.
type Reason string

// The reasons. Those up to NoPlace are of rows, which are counted once each (of an event log NoCase and NoPlace are of
// events, the others of whole cases); the others are of walks, which are counted as often as they stand.
const (
	Comment   Reason = "a comment at the beginning of the file"
	Empty     Reason = "no place in it"
	Gap       Reason = "an empty cell between its places"
	NoLast    Reason = "a list whose last place is empty"
	BadName   Reason = "a name that is no text"
	BadCount  Reason = "a count that is no whole number of 1 or more"
	BadTime   Reason = "a time that cannot be read"
	BadRow    Reason = "a row that cannot be read"
	NoCase    Reason = "an event without a case"
	NoPlace   Reason = "an event without a place"
	TooLong   Reason = "longer than the maximum length"
	Rare      Reason = "a place that too few walks pass"
	NotStart  Reason = "begins elsewhere than at a start"
	NotEnd    Reason = "ends elsewhere than at an end"
	NoMove    Reason = "a move that the edges lack"
	Unknown   Reason = "a place that the graph lacks"
	NoStart   Reason = "no path of the graph begins there"
	NotLong   Reason = "shorter than the graph's paths"
	NotSoLong Reason = "longer than the graph's paths"
	NoEnd     Reason = "no path of the graph ends there so early"
)

// Left counts what is left out for a reason.
type Left struct {
	Reason Reason
	N      int
	File   string // of the first one; "" if it is of no file
	Line   int    // of it, from 1
	Detail string // of it: what is wrong, in words
}

// String says it in a line.
func (l Left) String() string {
	text := fmt.Sprintf("left out %d: %s", l.N, l.Reason)
	switch at := fmt.Sprintf("%s:%d", l.File, l.Line); {
	case l.File == "" && l.Detail == "":
		return text
	case l.File == "":
		return text + " (first: " + l.Detail + ")"
	case l.Detail == "":
		return text + " (first: " + at + ")"
	default:
		return text + " (first: " + at + ": " + l.Detail + ")"
	}
}

// Report counts what is left out, by reason. The zero Report is of nothing.
type Report struct{ list []Left }

// List returns the counts, in the order in which the reasons came up. The caller owns the slice.
func (r *Report) List() []Left { return slices.Clone(r.list) }

// N returns how many are left out for a reason.
func (r *Report) N(reason Reason) int {
	for _, l := range r.list {
		if l.Reason == reason {
			return l.N
		}
	}
	return 0
}

// Total returns how many are left out, but for comments.
func (r *Report) Total() (n int) {
	for _, l := range r.list {
		if l.Reason != Comment {
			n += l.N
		}
	}
	return n
}

// add counts n for a reason; detail is called for the first of them alone, nil for none.
func (r *Report) add(reason Reason, n int, file string, line int, detail func() string) {
	for i := range r.list {
		if r.list[i].Reason == reason {
			r.list[i].N += n
			return
		}
	}
	l := Left{Reason: reason, N: n, File: file, Line: line}
	if detail != nil {
		l.Detail = detail()
	}
	r.list = append(r.list, l)
}

// row counts a row of a file.
func (r *Report) row(reason Reason, file string, line int, err error) {
	r.add(reason, 1, file, line, func() string {
		if err == nil {
			return ""
		}
		return err.Error()
	})
}
