// Package xes reads and writes event logs of XES (IEEE 1849), the format of process mining: traces of events, which
// have attributes, a key and a value each.
package xes

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// The keys of the standard's extensions.
const (
	Name       = "concept:name"         // of a trace its case, of an event its activity
	Time       = "time:timestamp"       // of an event
	Transition = "lifecycle:transition" // of an event: start, complete, …
)

// Keys are the attributes of events that are read as place and time.
type Keys struct{ Place, Time string }

// Event is an event of a trace. An attribute that it lacks is "".
type Event struct {
	Place, Time string
	Line        int // where it begins, from 1
}

// Trace is a trace: a case, with its events in the order of the file.
type Trace struct {
	Name   string // its concept:name
	Line   int    // where it begins, from 1
	Events []Event
	Timed  int // how many of the events have a time
}

// Log is what a file says beside its traces.
type Log struct {
	Keys        []string       // of the attributes of events, each once, in the order of their first appearance
	Transitions map[string]int // how many events have which lifecycle:transition, "" for none
	Events      int            // of traces
	Loose       int            // events of no trace
	First       int            // the line of the first of them
}

// reader reads a log as it comes: one trace is held at a time.
type reader struct {
	*xml.Decoder
	keys Keys
	log  *Log
	seen map[string]bool
}

// Read reads a log and calls do for each trace, whose events are the reader's own until it returns. Attributes of
// attributes, globals, classifiers and extensions are passed over. It returns the line of an error, 0 for none.
func Read(r io.Reader, keys Keys, do func(Trace) error) (log *Log, line int, err error) {
	d := xml.NewDecoder(input.XML(r))
	d.CharsetReader = input.Charset
	x := &reader{d, keys, &Log{Transitions: map[string]int{}}, map[string]bool{}}
	err = x.read(do)
	line, _ = d.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		line, err = syntax.Line, errors.New("XML: "+syntax.Msg)
	}
	return x.log, line, err
}

func (x *reader) read(do func(Trace) error) error {
	root, err := x.next()
	switch {
	case err != nil:
		return err
	case root == nil:
		return errors.New("XML without an element")
	case root.Name.Local != "log":
		return fmt.Errorf("the root of the XML is <%s>, and that of XES is <log>", root.Name.Local)
	}
	var events []Event
	for {
		e, err := x.next()
		if err != nil || e == nil {
			return err
		}
		switch e.Name.Local {
		case "trace":
			t := Trace{Line: x.line(), Events: events[:0]}
			if err := x.trace(&t); err != nil {
				return err
			}
			if err := do(t); err != nil {
				return err
			}
			events = t.Events
			continue
		case "event":
			if x.log.Loose++; x.log.Loose == 1 {
				x.log.First = x.line()
			}
		}
		if err := x.Skip(); err != nil {
			return err
		}
	}
}

// next returns the next element, of which the content follows, nil where the one around it ends, or the file.
func (x *reader) next() (*xml.StartElement, error) {
	for {
		t, err := x.Token()
		switch t := t.(type) {
		case xml.StartElement:
			return &t, nil
		case xml.EndElement:
			return nil, nil
		}
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// line is where the reader is.
func (x *reader) line() int {
	line, _ := x.InputPos()
	return line
}

// trace reads what is in a trace.
func (x *reader) trace(t *Trace) error {
	for {
		e, err := x.next()
		switch {
		case err != nil || e == nil:
			return err
		case e.Name.Local == "event":
			if err := x.event(t); err != nil {
				return err
			}
			continue
		}
		if key, value := attribute(e); key == Name {
			t.Name = value
		}
		if err := x.Skip(); err != nil {
			return err
		}
	}
}

// event reads what is in an event.
func (x *reader) event(t *Trace) error {
	v, transition := Event{Line: x.line()}, ""
	for {
		e, err := x.next()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		key, value := attribute(e)
		if key != "" && !x.seen[key] && len(x.seen) < 1<<10 {
			x.seen[key] = true
			x.log.Keys = append(x.log.Keys, key)
		}
		if key == x.keys.Place {
			v.Place = value
		}
		if key == x.keys.Time {
			v.Time = value
		}
		if key == Transition {
			transition = value
		}
		if err := x.Skip(); err != nil {
			return err
		}
	}
	x.log.Events++
	if transition = strings.ToLower(transition); len(x.log.Transitions) < 1<<10 || x.log.Transitions[transition] > 0 {
		x.log.Transitions[transition]++
	}
	if t.Events = append(t.Events, v); v.Time != "" {
		t.Timed++
	}
	return nil
}

// attribute returns key and value of an attribute of XES: of an element such as <string key="…" value="…"/>.
func attribute(e *xml.StartElement) (key, value string) {
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "key":
			key = a.Value
		case "value":
			value = strings.TrimSpace(a.Value)
		}
	}
	return key, value
}
