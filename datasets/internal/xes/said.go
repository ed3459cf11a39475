package xes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/names"
)

// Said says what the attributes of a log are used for, a line each. The error is of one that no event has: the place,
// or a time that is asked for.
func (l *Log) Said(keys Keys, askedTime string) (notes []string, err error) {
	if l.Events == 0 {
		return nil, nil
	}
	for _, key := range []string{keys.Place, askedTime} {
		if key != "" && !slices.Contains(l.Keys, key) {
			return nil, fmt.Errorf("no event has the attribute %q; others are %s%s", key, strings.Join(l.Keys, ", "),
				names.Meant(key, l.Keys))
		}
	}
	text := fmt.Sprintf("XES, an event of a trace a place: place from %q", keys.Place)
	if slices.Contains(l.Keys, keys.Time) {
		text += fmt.Sprintf(", time from %q", keys.Time)
	} else {
		text += "; no time, so in the order of the file"
	}
	used := func(key string) bool { return key == keys.Place || key == keys.Time }
	unused := slices.DeleteFunc(slices.Clone(l.Keys), used)
	if len(unused) > 0 {
		text += "; not used: " + strings.Join(unused, ", ")
	}
	notes = append(notes, text)
	if n := l.Transitions; len(n) > 1 && keys.Place != Transition {
		var kinds []string
		for _, kind := range slices.SortedFunc(maps.Keys(n), func(a, b string) int {
			return cmp.Or(n[b]-n[a], strings.Compare(a, b))
		}) {
			kinds = append(kinds, fmt.Sprintf("%s %d", cmp.Or(kind, "none"), n[kind]))
		}
		notes = append(notes, fmt.Sprintf("events of several kinds of %s, each of which is a place of its walk: %s",
			Transition, strings.Join(kinds, ", ")))
	}
	return notes, nil
}

// Other is the error of XML with another root, which is no XES.
func Other(root string) error {
	what := map[string]string{"gpx": "GPS tracks, which 'ddps paths import' puts on a map",
		"osm":     "a map, which 'ddps graph import' reads",
		"graphml": "a graph, which 'ddps graph import' reads"}[strings.ToLower(root)]
	return fmt.Errorf("the file is XML, <%s>: %s; of XML, walks are read from XES alone, <log>", root,
		cmp.Or(what, "no file of walks"))
}
