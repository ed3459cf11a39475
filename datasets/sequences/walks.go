package sequences

import (
	"fmt"
	"math"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// Walks is a list of walks: sequences of tokens, the names of places. Its methods do not change it.
type Walks struct {
	// Tokens are the names, without space around them and in Unicode's normal form C, in the order of their first
	// appearance.
	Tokens []string
	// Notes is what the readers decided or found out, a line each.
	Notes []string
	// Report counts what the readers left out.
	Report Report

	id     map[string]int32 // what a file has for a token, before Tokens' form → its number
	token  []int32          // of all walks, one after the other
	first  []int            // [n+1] walk i has the tokens first[i]…first[i+1]−1
	counts []int            // [n] how often it stands, ≥ 1
	lines  []int32          // [n] where it begins in its file, from 1
	cases  []string         // [n or fewer] of which case of an event log it is
	files  []segment        // which files the walks are of
	total  int
	forms  int    // names in another form of Unicode
	form   string // one of them
}

// segment says that the walks from number first on are of a file.
type segment struct {
	name  string
	first int
}

// New returns no walks.
func New() *Walks { return &Walks{id: map[string]int32{}, first: []int{0}} }

// Len returns the number of rows: equal walks are not added up, but a row may stand for several.
func (w *Walks) Len() int { return len(w.counts) }

// Total returns the number of walks: the sum of all counts.
func (w *Walks) Total() int { return w.total }

// At returns the tokens of row i, by number. The slice is w's own: do not write to it.
func (w *Walks) At(i int) []int32 { return w.token[w.first[i]:w.first[i+1]] }

// Count returns how often row i stands, ≥ 1.
func (w *Walks) Count(i int) int { return w.counts[i] }

// Names returns the tokens of row i by name.
func (w *Walks) Names(i int) []string {
	list := make([]string, 0, w.first[i+1]-w.first[i])
	for _, t := range w.At(i) {
		list = append(list, w.Tokens[t])
	}
	return list
}

// Where returns the file and the line, from 1, at which row i begins; "" and 0 for one that was added by Add.
func (w *Walks) Where(i int) (file string, line int) {
	for k := len(w.files) - 1; k >= 0; k-- {
		if w.files[k].first <= i {
			return w.files[k].name, int(w.lines[i])
		}
	}
	return "", int(w.lines[i])
}

// Case returns the case of an event log that row i is; "" for one of another file.
func (w *Walks) Case(i int) string {
	if i < len(w.cases) {
		return w.cases[i]
	}
	return ""
}

// Add appends a walk that stands count times. The error is of an empty walk, of a name that is empty or no text
// (ddps.CheckText), or of a count below 1.
func (w *Walks) Add(walk []string, count int) error {
	cells := make([]int32, len(walk))
	for k, name := range walk {
		t, err := w.intern(name)
		if err != nil {
			return fmt.Errorf("sequences: place %d: %w", k+1, err)
		}
		cells[k] = t
	}
	switch {
	case len(cells) == 0:
		return fmt.Errorf("sequences: a walk without a place")
	case count < 1 || count > math.MaxInt-w.total:
		return fmt.Errorf("sequences: count %d", count)
	}
	w.add(cells, count, 0)
	return nil
}

// add appends a walk of tokens, which it copies.
func (w *Walks) add(walk []int32, count, line int) {
	w.token = append(w.token, walk...)
	w.first = append(w.first, len(w.token))
	w.counts = append(w.counts, count)
	w.lines = append(w.lines, int32(min(line, math.MaxInt32)))
	w.total += count
}

// intern returns the number of a token.
func (w *Walks) intern(name string) (int32, error) {
	if t, ok := w.id[name]; ok {
		return t, nil
	}
	return w.newToken(strings.Clone(name))
}

// newToken takes a form of a name that was not met before.
func (w *Walks) newToken(name string) (int32, error) {
	if err := ddps.CheckText(name); err != nil {
		return 0, err
	}
	normal := names.Normal(name)
	if normal == "" {
		return 0, fmt.Errorf("an empty name")
	}
	if normal != strings.TrimSpace(name) {
		w.forms, w.form = w.forms+1, normal
	}
	t, ok := w.id[normal]
	if !ok {
		t = int32(len(w.Tokens))
		w.Tokens = append(w.Tokens, normal)
		w.id[normal] = t
	}
	w.id[name] = t
	return t, nil
}

// note adds a line to Notes.
func (w *Walks) note(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// nameNotes says what was found out about names.
func (w *Walks) nameNotes() {
	if w.forms > 0 {
		w.note("%s in another form of Unicode, like %q: taken in normal form C",
			plural(w.forms, "name is", "names are"), w.form)
		w.forms = 0
	}
	seen := map[string]string{}
	var pairs []string
	for _, t := range w.Tokens {
		cased := names.Cased(t)
		if other, twice := seen[cased]; twice {
			pairs = append(pairs, fmt.Sprintf("%q and %q", other, t))
		} else {
			seen[cased] = t
		}
	}
	if len(pairs) > 0 {
		w.note("names that differ only by case are different places: %s", header.SomeOf(pairs))
	}
}

// plural is a number and a word.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
