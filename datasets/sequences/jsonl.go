package sequences

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/internal/names"
)

// objects reads the lines of a JSON Lines file.
type objects struct {
	f      *file
	keys   input.Keys
	events *events  // nil while none was met
	timed  bool     // the first event has a time
	unused []string // keys that are not used, each once
	head   []byte   // of the file
	within string   // what separates the places of walks that are texts; "" while none was met
}

// jsonl reads a walk or an event a line, or an array of them.
func (f *file) jsonl(r io.Reader) error {
	in := bufio.NewReaderSize(r, 1<<16)
	o := &objects{f: f}
	o.head, _ = in.Peek(1 << 16)
	o.head = slices.Clone(o.head)
	each := f.eachLine
	if input.IsArray(o.head) {
		each = func(r io.Reader, do func(text string, line int) error) error {
			if line, err := input.Elements(r, do); err != nil {
				return f.at(line, err)
			}
			return nil
		}
	}
	if err := each(in, o.line); err != nil {
		return err
	}
	if len(o.unused) > 0 {
		f.says("keys not used: %s", header.SomeOf(o.unused))
	}
	if o.events != nil {
		return o.events.done()
	}
	return nil
}

// line takes a line. The error is of the file as a whole.
func (o *objects) line(text string, line int) error {
	text = strings.TrimSpace(text)
	if text == "[" || text == "{" {
		return errors.New("the file is one JSON value over several lines: JSON Lines have one a line")
	}
	if strings.HasPrefix(text, "[") {
		list, err := input.List([]byte(text))
		if errors.As(err, new(input.Twice)) {
			return err
		}
		if err != nil {
			o.f.Report.row(BadRow, o.f.name, line, err)
			return nil
		}
		o.f.array(list, 1, line)
		return nil
	}
	keys, object, err := input.Object([]byte(text))
	var key string
	if err == nil {
		key, err = o.keys.Find(keys, o.walkWords(), func(key string) bool { _, is := object[key].([]any); return is })
	}
	if err == nil && key == "" && o.events == nil {
		key, err = o.text(keys, object)
	}
	switch {
	case errors.As(err, new(input.Twice)), errors.As(err, new(input.InDoubt)):
		return err
	case err != nil:
		o.f.Report.row(BadRow, o.f.name, line, err)
	case key == "":
		return o.event(keys, object, line)
	case o.events != nil:
		o.f.Report.row(BadRow, o.f.name, line, errors.New("a walk among events"))
	default:
		return o.walk(keys, object, key, line)
	}
	return nil
}

// walkWords are what a walk is called: as the option Walk says, or input.WalkWords.
func (o *objects) walkWords() []string {
	if o.f.o.Walk != "" {
		return []string{names.Folded(o.f.o.Walk)}
	}
	return input.WalkWords()
}

// walk takes {"path": […], "count": n}, or a text for the list.
func (o *objects) walk(keys []string, object map[string]any, key string, line int) error {
	counted, err := o.keys.Find(keys, header.CountWords(), func(string) bool { return true })
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k != key && k != counted {
			o.notUsed(k, counted == "")
		}
	}
	n := 1
	if counted != "" {
		text := ""
		switch x := object[counted].(type) {
		case json.Number:
			text = x.String()
		case string:
			text = x
		}
		if n, err = count(text); err != nil {
			o.f.Report.row(BadCount, o.f.name, line, fmt.Errorf("%s %v", counted, input.ValueText(object[counted])))
			return nil
		}
	}
	if text, is := object[key].(string); is {
		o.f.walk(tokens.Split(nil, text, o.within), n, line)
		return nil
	}
	o.f.array(object[key].([]any), n, line)
	return nil
}

// notUsed notes a key without a meaning; uncounted says that the walk has no count.
func (o *objects) notUsed(key string, uncounted bool) {
	if uncounted && names.Near(key, header.CountWords()[:1]) != "" {
		key += " (did you mean count?)"
	}
	if !slices.Contains(o.unused, key) && len(o.unused) < 1<<10 {
		o.unused = append(o.unused, key)
	}
}

// array takes a list of strings or numbers. A place that is missing at the end is one too: lists are of any length, and
// nothing fills them up, unlike rows of tables.
func (f *file) array(list []any, n, line int) {
	cells := make([]string, len(list))
	for k, x := range list {
		switch x := x.(type) {
		case string:
			cells[k] = x
		case json.Number:
			cells[k] = x.String()
		case nil:
		default:
			f.Report.row(BadRow, f.name, line, fmt.Errorf("place %d is neither a string nor a number", k+1))
			return
		}
	}
	f.list(cells, n, line)
}

// list takes a walk of a list, in which no place is empty.
func (f *file) list(cells []string, n, line int) {
	if k := len(cells) - 1; k >= 0 && strings.TrimSpace(cells[k]) == "" {
		f.Report.row(NoLast, f.name, line, fmt.Errorf("place %d", k+1))
		return
	}
	f.walk(cells, n, line)
}

// event takes an object with the keys of an event; the first says which these are.
func (o *objects) event(keys []string, object map[string]any, line int) error {
	columns := o.f.events()
	m, err := header.Events(keys, columns)
	if err == nil {
		err = m.Missing(columns)
	}
	first := o.events == nil
	switch {
	case err != nil && first && o.f.Len() == o.f.begin:
		return fmt.Errorf("neither a walk (a list, or a key %s with a list or a text) nor an event: %w",
			strings.Join(input.WalkWords(), ", "),
			err)
	case err != nil:
	case first:
		o.events, o.timed = newEvents(o.f), m.At[1] >= 0
		o.f.says("%s", header.EventsSaid(m.At, keys, nil))
	case m.At[1] >= 0 && !o.timed:
		err = errors.New("a time, which the first event lacks")
	}
	if err != nil {
		o.f.Report.row(BadRow, o.f.name, line, err)
		return nil
	}
	for _, key := range m.Unused {
		o.notUsed(key, false)
	}
	cell := func(k int) string {
		if m.At[k] < 0 {
			return ""
		}
		switch x := object[keys[m.At[k]]].(type) {
		case string:
			return names.Normal(x)
		case json.Number:
			return x.String()
		}
		return ""
	}
	o.events.add(cell(0), instant.Joined(cell(3), cell(1)), cell(2), o.timed, line)
	return nil
}
