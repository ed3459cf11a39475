package sequences

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/datasets/internal/parquetcheck"
)

// parquet reads a Parquet file: raw if it is one on a disk, else what in has.
func (f *file) parquet(raw, in io.Reader) (err error) {
	defer func() { // the library's decoders index what a damaged file says
		if p := recover(); p != nil {
			err = f.at(0, fmt.Errorf("parquet: the file is damaged: %v", p))
		}
	}()
	var at io.ReaderAt
	var size int64
	if disk, is := raw.(*os.File); is {
		if size, err = input.Size(disk); err != nil {
			return f.at(0, fmt.Errorf("parquet: %w", err))
		}
		at = disk
	} else {
		all, err := io.ReadAll(in)
		if err != nil {
			return f.at(0, err)
		}
		at, size = bytes.NewReader(all), int64(len(all))
	}
	if err := f.parquetAt(at, size); err != nil {
		return f.at(0, fmt.Errorf("parquet: %w", err))
	}
	return nil
}

func (f *file) parquetAt(r io.ReaderAt, size int64) error {
	if err := parquetcheck.Footer(r, size); err != nil {
		return err
	}
	p, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	list := p.Root().Columns()
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name()
	}
	if c := f.listColumn(list); c != nil {
		return f.parquetLists(r, size, p, c, slices.IndexFunc(list, isCount))
	}
	columns := f.events()
	m, err := header.Events(names, columns)
	wide, wideErr := header.Numbered(names)
	if wide == nil && wideErr == nil && (err != nil || m.Missing(columns) != nil) {
		wide, wideErr = header.Run(names)
	}
	var at []int
	switch {
	case len(f.o.Columns) > 0 || f.o.Header == "yes":
		if wide, err = header.Named(names, f.o.Columns); err != nil {
			return err
		}
		fallthrough
	case wide != nil:
		f.sayColumns(wide, names)
		if at = slices.Clone(wide.At); wide.Count >= 0 {
			at = append(at, wide.Count)
		}
	case err == nil && m.Missing(columns) == nil:
		f.says("%s", header.EventsSaid(m.At, names, m.Unused))
		at = m.At
	case wideErr != nil:
		return wideErr
	case err != nil:
		return err
	default:
		return undecided(
			"columns %s: neither v1, v2, …, numbers in a row, nor case and place: name them by --columns, or --case and --place",
			header.SomeOf(names),
		)
	}
	return f.parquetRows(r, size, p, at, wide)
}

// parquetRows reads the columns at of all rows; −1 is none.
func (f *file) parquetRows(r io.ReaderAt, size int64, p *parquet.File, at []int, wide *header.Wide) error {
	var leaves, slot []int
	text := make([]func(parquet.Value) string, len(at))
	for k, i := range at {
		if i < 0 {
			continue
		}
		c := p.Root().Columns()[i]
		if text[k] = parquetcheck.CellText(c); text[k] == nil {
			return fmt.Errorf("column %s is neither of strings, whole numbers nor times, or is nested", c.Name())
		}
		leaves, slot = append(leaves, int(c.Index())), append(slot, k)
	}
	if err := parquetcheck.Pages(r, size, p.Metadata(), leaves); err != nil {
		return err
	}
	e, cells, number := newEvents(f), make([]string, len(at)), 0
	take := func(row parquet.Row) error {
		number++
		if len(row) != len(leaves) {
			return fmt.Errorf("row %d: %d values of %d columns", number, len(row), len(leaves))
		}
		for j, v := range row {
			if cells[slot[j]] = ""; !v.IsNull() {
				cells[slot[j]] = text[slot[j]](v)
			}
		}
		if wide == nil {
			e.add(cells[0], instant.Joined(cells[3], cells[1]), cells[2], at[1] >= 0, number)
			return nil
		}
		n := *wide
		n.Count = -1
		if wide.Count >= 0 {
			n.Count = len(wide.At)
		}
		f.wide(cells[:len(wide.At)], &n, cells, number)
		return nil
	}
	for _, group := range p.RowGroups() {
		if err := readGroup(group, leaves, take); err != nil {
			return err
		}
	}
	if wide == nil {
		return e.done()
	}
	return nil
}

// readGroup calls take for the rows of a row group, with the values of some columns.
func readGroup(group parquet.RowGroup, leaves []int, take func(parquet.Row) error) error {
	if group.NumRows() == 0 {
		return nil
	}
	chunks := make([]parquet.ColumnChunk, len(leaves))
	for i, c := range leaves {
		chunks[i] = group.ColumnChunks()[c]
	}
	rows := parquet.NewColumnChunkRowReader(chunks)
	defer rows.Close()
	buffer := make([]parquet.Row, 64)
	for {
		k, err := rows.ReadRows(buffer)
		for _, row := range buffer[:k] {
			if err := take(row); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
