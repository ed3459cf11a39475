package sequences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/instant"
)

// event is that a case was at a place at a time.
type event struct {
	at    instant.Time
	token int32
	open  bool // day and month of at may be the other way round
}

// eventCase is the events of a case.
type eventCase struct {
	events []event
	name   string
	line   int
	bad    Reason // "" for none
	where  int    // the line of what is bad
	err    error
}

// events gathers an event log.
type events struct {
	f     *file
	at    map[string]int
	cases []eventCase
	times instant.Column
	timed bool
	ties  int    // events that have the time of another of their case
	tied  string // where the first case with one is
}

func newEvents(f *file) *events {
	return &events{f: f, at: map[string]int{}, times: instant.Column{Order: instant.Order(f.o.Dates), Alike: true}}
}

// add takes an event. Where a case has one that cannot be read, all of it is left out: a walk is never changed.
func (e *events) add(name, when, place string, timed bool, line int) {
	switch {
	case name == "":
		e.f.Report.row(NoCase, e.f.name, line, nil)
		return
	case e.f.none(place):
		e.f.Report.row(NoPlace, e.f.name, line, fmt.Errorf("case %s", name))
		return
	}
	i, ok := e.at[name]
	if !ok {
		i = len(e.cases)
		name = strings.Clone(name)
		e.at[name] = i
		e.cases = append(e.cases, eventCase{name: name, line: line})
	}
	e.put(&e.cases[i], when, place, timed, line)
}

// put takes an event of a case.
func (e *events) put(c *eventCase, when, place string, timed bool, line int) {
	x := event{at: instant.Row(len(c.events))}
	t, err := e.f.intern(place)
	reason := BadName
	if x.token = t; err == nil && timed {
		e.timed, reason = true, BadTime
		var form instant.Form
		x.at, form, x.open, err = e.times.Parse(when)
		if k := len(c.events); err == nil && form == instant.Clock && k > 0 && x.at.Compare(c.events[k-1].at) < 0 {
			err = fmt.Errorf("time %q is before that of the row before: past midnight (24:00 and more), or out of order?", when)
		}
	}
	if err != nil {
		if c.bad == "" {
			c.bad, c.where, c.err = reason, line, err
		}
		return
	}
	c.events = append(c.events, x)
}

// done makes walks of the cases, in the order of their first rows.
func (e *events) done() error {
	swap, note, err := e.times.Done()
	if err != nil {
		return e.f.at(0, undecided("%w", err))
	}
	if note != "" {
		e.f.says("%s", note)
	}
	for i := range e.cases {
		for k := range e.cases[i].events {
			if x := &e.cases[i].events[k]; swap && x.open {
				x.at = x.at.Swapped()
			}
		}
		e.finish(&e.cases[i])
	}
	e.sayTies()
	return nil
}

// finish makes a walk of a case.
func (e *events) finish(c *eventCase) {
	if c.bad != "" {
		e.f.Report.row(c.bad, e.f.name, c.where, c.err)
		return
	}
	slices.SortStableFunc(c.events, func(a, b event) int { return a.at.Compare(b.at) })
	e.f.cells = e.f.cells[:0]
	for k, x := range c.events {
		e.f.cells = append(e.f.cells, x.token)
		if k > 0 && e.timed && x.at.Compare(c.events[k-1].at) == 0 {
			if e.ties++; e.ties == 1 {
				e.tied = fmt.Sprintf("%s:%d", e.f.name, c.line)
			}
		}
	}
	e.f.take(1, c.line)
	e.f.cases = append(e.f.cases, make([]string, e.f.Len()-len(e.f.cases))...)
	e.f.cases[e.f.Len()-1] = c.name
}

// sayTies says how many events have the time of another, and which times are without a zone beside others with one.
func (e *events) sayTies() {
	if zoned, local := e.times.Forms(instant.Zoned), e.times.Forms(instant.Local); zoned > 0 && local > 0 {
		e.f.says("times without a time zone are taken as UTC: %d of %d", local, zoned+local)
	}
	if e.ties > 0 {
		e.f.says("%s the time of another of the case: they are in the order of the file (first: the case of %s)",
			plural(e.ties, "event has", "events have"), e.tied)
	}
}
