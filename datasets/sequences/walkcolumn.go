package sequences

import (
	"fmt"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/internal/names"
)

// walkColumn returns the column of whole walks that a header names, −1 for none: that of the option, or the only one
// that is called as in input.WalkWords.
func (f *file) walkColumn(row []string) (int, error) {
	at := -1
	for i, name := range row {
		switch {
		case f.o.Walk != "" && names.Normal(name) != names.Normal(f.o.Walk),
			f.o.Walk == "" && !header.IsWalk(name):
		case at < 0:
			at = i
		case names.Folded(row[at]) == names.Folded(name):
			return -1, fmt.Errorf("columns %d and %d are both called %s", at+1, i+1, names.Normal(name))
		default: // two that may be it
			return -1, nil
		}
	}
	if f.o.Walk != "" && at < 0 {
		return -1, fmt.Errorf("no column %q among those of the header%s", f.o.Walk, names.Meant(f.o.Walk, row))
	}
	return at, nil
}

// within decides what separates the tokens of the cells of a column.
func (f *file) within(rows [][]string, at int) (string, error) {
	if f.o.Sep != "" && f.o.Walk != "" {
		return tokens.Separator(f.o.Sep), nil
	}
	var cells []string
	for _, row := range rows[1:] {
		if at < len(row) {
			cells = append(cells, row[at])
		}
	}
	if sep, ok := tokens.Within(cells); ok {
		return sep, nil
	}
	return "", undecided(
		"column %q: say by --walk and --sep what separates the places of a cell",
		names.Normal(rows[0][at]),
	)
}

// walkCell takes the walk of a cell.
func (f *file) walkCell(row []string, cols *header.Wide, within string, cells []string, line int) []string {
	cells = cells[:0]
	if i := cols.At[0]; i < len(row) {
		cells = tokens.Split(cells, row[i], within)
	}
	f.wide(cells, cols, row, line)
	return cells
}

// text returns the key of a walk that is a text, "" if there is none or the object is an event.
func (o *objects) text(keys []string, object map[string]any) (string, error) {
	key, err := o.keys.Find(keys, o.walkWords(), func(key string) bool { _, is := object[key].(string); return is })
	if err != nil || key == "" {
		return "", err
	}
	columns := o.f.events()
	if m, err := table.Header(keys, columns); o.f.o.Walk == "" && err == nil && m.Missing(columns) == nil {
		return "", nil
	}
	if o.within == "" {
		var ok bool
		if o.within, ok = o.f.o.Sep, true; o.within != "" {
			o.within = tokens.Separator(o.within)
		} else if o.within, ok = tokens.Within(input.Texts(o.head, key)); !ok {
			return "", input.InDoubt(key)
		}
		o.f.says("a walk a text, key %q, %s", key, tokens.Said(o.within))
	}
	return key, nil
}
