package sequences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/datasets/internal/tokens"
)

// tabular decides what the rows of a table are.
func (f *file) tabular(d decision, lines []string) (decision, error) {
	var rows [][]string
	for _, s := range lines {
		if cells := table.Cells(s, rune(d.sep[0])); len(cells) > 0 {
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		return d, fmt.Errorf("no row with a place")
	}
	columns := f.events()
	m, err := header.Events(rows[0], columns)
	isEvents := err == nil && m.Missing(columns) == nil && f.o.Header != "no"
	known := f.o.Header != "no" && header.Known(rows, columns)
	wide, wideErr := header.Numbered(rows[0])
	run, inDoubt, runErr := header.RunOver(rows)
	if wide == nil && wideErr == nil && !isEvents && f.o.Header != "no" && len(f.o.Columns) == 0 && f.o.Walk == "" {
		wide, wideErr = run, runErr
	}
	isWide := (wide != nil || len(f.o.Columns) > 0 || f.o.Header == "yes") && f.o.Header != "no"
	switch d.format {
	case NGram:
		d.why = fmt.Sprintf("a walk and its count a line, %s", tokens.Said(d.sep))
		return d, nil
	case Events:
		d.header = isEvents
		if err == nil && !isEvents && (f.o.Header == "yes" || m.Found > 0 || f.o.Case != "" || f.o.Place != "") &&
			f.o.Header != "no" {
			err = m.Missing(columns)
		}
		return d, err
	case Auto:
		switch {
		case isWide && wide != nil:
		case isEvents:
			d.format, d.header = Events, true
			return d, nil
		case known && err != nil && len(f.o.Columns) == 0 && f.o.Walk == "":
			return d, asHeader(err)
		}
	}
	d.format = Wide
	if wideErr != nil && (f.o.Header == "yes" || f.o.Header == "" && !header.NumberedBelow(rows)) &&
		len(f.o.Columns) == 0 && f.o.Walk == "" {
		return d, asHeader(wideErr)
	}
	if f.o.Header != "no" && !isWide {
		at, err := f.walkColumn(rows[0])
		if err != nil {
			return d, err
		}
		if at >= 0 && len(rows) > 1 {
			d.header = true
			d.within, err = f.within(rows, at)
			return d, err
		}
	}
	if d.header = isWide; isWide {
		return d, nil
	}
	return d, f.doubt(&d, rows, known || inDoubt)
}

// asHeader adds to the error of a first row that is read as a header what makes it another.
func asHeader(err error) error {
	return undecided("%w; say --columns to name those of the places, or --header no if the first row is a walk", err)
}

// doubt is the error of a table without a known header that may be read in two ways; known reports whether its first
// row is likely to be one.
func (f *file) doubt(d *decision, rows [][]string, known bool) error {
	first := strings.Join(rows[0], ",")
	if f.o.Header == "" && (known || header.Unlike(rows) || header.Counting(rows[0])) {
		return undecided("is the first row, %q, a header? say --header yes or --header no, --columns FIRST..LAST, "+
			"or --case and --place for an event log", shorten(first))
	}
	d.why = "a walk a row, a place a column, " + tokens.Said(d.sep)
	if f.o.Format != Auto {
		return nil
	}
	events, counted := true, true
	for _, row := range rows {
		_, form, err := instant.Parse(row[min(1, len(row)-1)])
		events = events && len(row) == 3 && err == nil && form != instant.Number
		counted = counted && len(row) > 1 && whole(row[len(row)-1]) && !slices.ContainsFunc(row[:len(row)-1], whole)
	}
	switch {
	case events:
		return undecided(
			"is the first row, %q, an event (case, time, place)? say %s events if it is, or %[2]s csv",
			shorten(first), f.o.Flag)
	case counted:
		return f.countError(first)
	}
	return nil
}

// shorten cuts a long text.
func shorten(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
