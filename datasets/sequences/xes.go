package sequences

import (
	"cmp"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/datasets/internal/xes"
)

// xes reads a trace a walk: its events by their times where all of them have one, else as they stand.
func (f *file) xes(r io.Reader) error {
	if c := f.o.Case; c != "" && c != xes.Name && c != "case:"+xes.Name {
		return f.at(0, fmt.Errorf("--case %s: the cases of XES are its traces", c))
	}
	keys := xes.Keys{Place: cmp.Or(f.o.Place, xes.Name), Time: cmp.Or(f.o.Time, xes.Time)}
	e, untimed, first := newEvents(f), 0, 0
	e.times.Order = instant.YearFirst
	log, line, err := xes.Read(r, keys, func(t xes.Trace) error {
		c, timed := eventCase{name: t.Name, line: t.Line}, t.Timed > 0 && t.Timed == len(t.Events)
		if t.Timed > 0 && !timed {
			if untimed++; untimed == 1 {
				first = t.Line
			}
		}
		for _, x := range t.Events {
			if f.none(x.Place) {
				f.Report.row(NoPlace, f.name, x.Line, fmt.Errorf("case %s", t.Name))
				continue
			}
			e.put(&c, x.Time, x.Place, timed, x.Line)
		}
		switch {
		case len(t.Events) == 0:
			f.Report.row(Empty, f.name, t.Line, fmt.Errorf("case %s", t.Name))
		case len(c.events) > 0 || c.bad != "":
			e.finish(&c)
		}
		return nil
	})
	if err != nil {
		return f.at(line, err)
	}
	if log.Loose > 0 {
		f.Report.add(NoCase, log.Loose, f.name, log.First, nil)
	}
	notes, err := log.Said(keys, f.o.Time)
	if err != nil {
		return f.at(0, err)
	}
	for _, n := range notes {
		f.says("%s", n)
	}
	if untimed > 0 {
		f.says("not all events of %s have %q: they are in the order of the file (first: the case of %s:%d)",
			plural(untimed, "case", "cases"), keys.Time, f.name, first)
	}
	e.sayTies()
	return nil
}
