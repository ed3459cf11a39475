package sequences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// events returns the columns of an event log as the options name them.
func (f *file) events() []table.Column {
	list := header.Events()
	for k, name := range []string{f.o.Case, f.o.Time, f.o.Place} {
		if name != "" {
			list[k] = table.Column{Name: name, Must: true}
		}
	}
	return list
}

// headerColumns returns the columns of a header that is read as one.
func (f *file) headerColumns(row []string) (*header.Wide, error) {
	if len(f.o.Columns) == 0 {
		if c, err := header.Numbered(row); c != nil && err == nil {
			return c, nil
		}
		if c, err := header.Run(row); c != nil {
			return c, err
		}
	}
	return f.namedColumns(row)
}

// namedColumns returns the columns that the option Columns names; without it all but a count.
func (f *file) namedColumns(row []string) (*header.Wide, error) {
	c := &header.Wide{Count: -1}
	find := func(name string) (int, error) {
		is := func(s string) bool { return names.Normal(s) == names.Normal(name) }
		i := slices.IndexFunc(row, is)
		if i < 0 {
			return 0, fmt.Errorf("no column %q among those of the header%s", name, names.Meant(name, row))
		}
		if j := slices.IndexFunc(row[i+1:], is); j >= 0 {
			return 0, fmt.Errorf("columns %d and %d are both called %s", i+1, i+j+2, names.Normal(name))
		}
		return i, nil
	}
	for _, name := range f.o.Columns {
		if i, err := find(name); err == nil {
			c.At = append(c.At, i)
			continue
		}
		a, b, ranged := strings.Cut(name, "..")
		if !ranged {
			_, err := find(name)
			return nil, err
		}
		lo, err := find(a)
		if err != nil {
			return nil, err
		}
		hi, err := find(b)
		if err != nil {
			return nil, err
		}
		if hi < lo {
			return nil, fmt.Errorf("column %q stands after %q", a, b)
		}
		for ; lo <= hi; lo++ {
			c.At = append(c.At, lo)
		}
	}
	if f.o.Columns == nil {
		for i, name := range row {
			if names.Normal(name) != "" && !header.IsCount(name) {
				c.At = append(c.At, i)
			}
		}
	}
	return c, c.Rest(row)
}
