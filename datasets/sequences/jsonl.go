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
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// jsonl reads a walk or an event a line, or an array of them.
func (f *file) jsonl(r io.Reader) error {
	var e *events
	said := false
	in := bufio.NewReader(r)
	each := f.eachLine
	if head, _ := in.Peek(1 << 10); input.IsArray(head) {
		each = func(r io.Reader, do func(text string, line int) error) error {
			if line, err := input.Elements(r, do); err != nil {
				return f.at(line, err)
			}
			return nil
		}
	}
	err := each(in, func(text string, line int) error {
		text = strings.TrimSpace(text)
		if text == "[" || text == "{" {
			return errors.New("the file is one JSON value over several lines: JSON Lines have one a line")
		}
		var list []any
		var object map[string]any
		var err error
		if strings.HasPrefix(text, "[") {
			err = decode(text, &list)
		} else {
			err = decode(text, &object)
		}
		if err != nil {
			f.Report.row(BadRow, f.name, line, err)
			return nil
		}
		if object == nil {
			f.array(list, 1, line)
			return nil
		}
		key, found := keyOf(object)
		switch {
		case found && e != nil:
			f.Report.row(BadRow, f.name, line, errors.New("a walk among events"))
		case found:
			f.object(object, key, line)
		default:
			if e == nil {
				e = newEvents(f)
			}
			if err := f.event(e, object, line, &said); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && e != nil {
		e.done()
	}
	return err
}

// decode reads a JSON value that is all of a text.
func decode(text string, to any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value in the line")
	}
	return nil
}

// keyOf returns the key of an object's walk.
func keyOf(object map[string]any) (string, bool) {
	for _, key := range header.WalkWords() {
		if _, is := object[key].([]any); is {
			return key, true
		}
	}
	return "", false
}

// object takes {"path": […], "count": n}.
func (f *file) object(object map[string]any, key string, line int) {
	n := 1
	if x, ok := object["count"]; ok {
		number, is := x.(json.Number)
		var err error
		if n, err = count(number.String()); err != nil || !is {
			f.Report.row(BadCount, f.name, line, fmt.Errorf("count %v", x))
			return
		}
	}
	f.array(object[key].([]any), n, line)
}

// array takes a list of strings or numbers.
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
	f.walk(cells, n, line)
}

// event takes an object with the keys of an event; the first says which these are.
func (f *file) event(e *events, object map[string]any, line int, said *bool) error {
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	columns := f.events()
	m, err := table.Header(keys, columns)
	if err == nil {
		err = m.Missing(columns)
	}
	if err != nil && !*said {
		return fmt.Errorf(
			"neither a walk (a list, or a key %s with one) nor an event: %w",
			strings.Join(header.WalkWords(), ", "),
			err,
		)
	}
	if err != nil {
		f.Report.row(BadRow, f.name, line, err)
		return nil
	}
	if !*said {
		f.sayEvents(m.At, keys, m.Unused)
		*said = true
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
	e.add(cell(0), cell(1), cell(2), m.At[1] >= 0, line)
	return nil
}
