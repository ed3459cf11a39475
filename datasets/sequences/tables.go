package sequences

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// rows calls do for each row of a table after its comments.
func (f *file) rows(r io.Reader, d decision, do func(row []string, line int) error) error {
	in, skipped := input.Lines(r), 0
	for d.comments {
		if c, err := in.Peek(1); err != nil || c[0] != '#' {
			break
		}
		skipped++
		f.Report.row(Comment, f.name, skipped, nil)
		if _, err := in.ReadString('\n'); err != nil && err != io.EOF {
			return f.at(skipped, err)
		}
	}
	at := func(line int, err error) error {
		if line > 0 {
			line += skipped
		}
		return f.at(line, err)
	}
	t := table.Open(in, table.Options{Separators: d.sep, At: at, Fits: func([]string) bool { return true }})
	for {
		row, line, err := t.Read()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			if err = do(row, line+skipped); err != nil {
				return f.at(line+skipped, err)
			}
		}
		if err != nil {
			return err
		}
	}
}

// table reads a walk a row.
func (f *file) table(r io.Reader, d decision) error {
	var cols *header.Wide
	var cells []string
	var width int // cells of the header
	f.counted = d.format == NGram
	return f.rows(r, d, func(row []string, line int) (err error) {
		switch {
		case d.within != "" && cols == nil:
			at, err := f.walkColumn(row)
			if err != nil {
				return err
			}
			cols, width = &header.Wide{At: []int{at}}, len(row)
			if err := cols.Rest(row); err != nil {
				return err
			}
			f.sayColumns(cols, row)
			return nil
		case cols != nil && slices.ContainsFunc(row[min(width, len(row)):], func(cell string) bool { return !f.none(cell) }):
			return fmt.Errorf("%d fields, but %d in the header", len(row), width)
		case d.within != "":
			cells = f.walkCell(row, cols, d.within, cells, line)
			return nil
		}
		if d.header && cols == nil {
			if cols, err = f.headerColumns(row); err != nil {
				return err
			}
			width = len(row)
			f.sayColumns(cols, row)
			return nil
		}
		if cols == nil {
			f.row(row, line)
			return nil
		}
		cells = cells[:0]
		for _, i := range cols.At {
			if i < len(row) {
				cells = append(cells, row[i])
			}
		}
		f.wide(cells, cols, row, line)
		return nil
	})
}

// wide takes a row by its columns.
func (f *file) wide(cells []string, cols *header.Wide, row []string, line int) {
	n := 1
	if c := cols.Count; c >= 0 && strings.TrimSpace(strings.Join(cells, "")) != "" { // else a row without a place
		text := ""
		if c < len(row) {
			text = row[c]
		}
		var err error
		if n, err = count(text); err != nil {
			f.Report.row(BadCount, f.name, line, err)
			return
		}
	}
	f.walk(cells, n, line)
}

// sayColumns says what the columns of a table are used for.
func (f *file) sayColumns(c *header.Wide, row []string) {
	text := fmt.Sprintf("a walk a row, in column %q", names.Normal(row[c.At[0]]))
	if len(c.At) > 1 {
		text = fmt.Sprintf("a walk a row, %s from column %q to %q", plural(len(c.At), "place", "places"),
			names.Normal(row[c.At[0]]), names.Normal(row[c.At[len(c.At)-1]]))
	}
	if c.Count >= 0 {
		text += fmt.Sprintf(", count from %q", names.Normal(row[c.Count]))
	}
	if len(c.Unused) > 0 {
		text += "; not used: " + header.SomeOf(c.Unused)
	}
	f.says("%s", text)
}

// eventTable reads an event a row.
func (f *file) eventTable(r io.Reader, d decision) error {
	e := newEvents(f)
	columns := f.events()
	var at []int
	err := f.rows(r, d, func(row []string, line int) error {
		if at == nil {
			if d.header {
				m, err := header.Events(row, columns)
				at = m.At
				f.says("%s", header.EventsSaid(at, row, m.Unused))
				return err
			}
			switch len(row) {
			case 2:
				at = []int{0, -1, 1, -1}
				f.says("an event a row: case, place")
			case 3:
				at = []int{0, 1, 2, -1}
				f.says("an event a row: case, time, place")
			default:
				return errors.Join(table.Ask(row, columns))
			}
		}
		cell := func(k int) string {
			if i := at[k]; i >= 0 && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		e.add(cell(0), instant.Joined(cell(3), cell(1)), cell(2), at[1] >= 0, line)
		return nil
	})
	if err != nil {
		return err
	}
	return e.done()
}
