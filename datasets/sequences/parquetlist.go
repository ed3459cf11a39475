package sequences

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/parquetcheck"
)

// listColumn returns the column of lists that holds the walks: that of the option Walk, or one that is called as in
// input.WalkWords(); nil if there is none.
func (f *file) listColumn(list []*parquet.Column) *parquet.Column {
	for _, c := range list {
		called := f.o.Walk == c.Name() || f.o.Walk == "" && header.IsWalk(c.Name())
		if called && listLeaf(c) != nil {
			return c
		}
	}
	return nil
}

// listLeaf returns the column of the elements of lists, nil if c is not of lists of single values.
func listLeaf(c *parquet.Column) *parquet.Column {
	for !c.Leaf() {
		if len(c.Columns()) != 1 {
			return nil
		}
		c = c.Columns()[0]
	}
	if c.MaxRepetitionLevel() != 1 {
		return nil
	}
	return c
}

// isCount reports whether a column is of counts.
func isCount(c *parquet.Column) bool {
	return header.IsCount(c.Name()) && parquetcheck.CellText(c) != nil
}

// parquetLists reads a walk a list, with counts from column number counted of the file, −1 for none.
func (f *file) parquetLists(r io.ReaderAt, size int64, p *parquet.File, c *parquet.Column, counted int) error {
	leaf := listLeaf(c)
	text, leaves := parquetcheck.LeafText(leaf), []int{int(leaf.Index())}
	if text == nil {
		return fmt.Errorf("column %s has lists of neither strings nor whole numbers", c.Name())
	}
	if err := parquetcheck.Lists(r, size, p.Metadata(), leaves); err != nil {
		return err
	}
	said := fmt.Sprintf("a walk a row, lists in column %q", c.Name())
	var countText func(parquet.Value) string
	if counted >= 0 {
		column := p.Root().Columns()[counted]
		leaves, countText = append(leaves, int(column.Index())), parquetcheck.CellText(column)
		if err := parquetcheck.Pages(r, size, p.Metadata(), leaves[1:]); err != nil {
			return err
		}
		said += fmt.Sprintf(", count from %q", column.Name())
	}
	var unused []string
	for i, other := range p.Root().Columns() {
		if other.Name() != c.Name() && i != counted {
			unused = append(unused, other.Name())
		}
	}
	if len(unused) > 0 {
		said += "; not used: " + header.SomeOf(unused)
	}
	f.says("%s", said)
	number, cells := 0, []string(nil)
	take := func(row parquet.Row) error {
		number++
		n := 1
		if countText != nil {
			last := row[len(row)-1]
			row = row[:len(row)-1]
			var err error
			if n, err = count(countText(last)); err != nil || last.IsNull() {
				f.Report.row(BadCount, f.name, number, err)
				return nil
			}
		}
		cells = cells[:0]
		for _, v := range row {
			switch {
			case !v.IsNull():
				cells = append(cells, text(v))
			case v.DefinitionLevel() == leaf.MaxDefinitionLevel()-1 && leaf.Optional():
				cells = append(cells, "") // an element that is missing, not a list that is
			}
		}
		f.list(cells, n, number)
		return nil
	}
	for _, group := range p.RowGroups() {
		if err := readGroup(group, leaves, take); err != nil {
			return err
		}
	}
	return nil
}
