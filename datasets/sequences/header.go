package sequences

import (
	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/table"
)

// events returns the columns of an event log as the options name them.
func (f *file) events() []table.Column {
	list := header.EventColumns()
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
	return header.Named(row, f.o.Columns)
}
