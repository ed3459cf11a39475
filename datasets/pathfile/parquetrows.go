package pathfile

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/ddps-go/ddps/datasets/internal/parquetcheck"
	"github.com/ddps-go/ddps/ddps"
)

// ParquetRows reads the rows of an Apache Parquet file of paths by row groups, so that many workers share one file. It
// takes the columns and types of ReadParquet.
type ParquetRows struct {
	g    *ddps.LayeredGraph
	b    *gather
	by   Vertices
	in   io.ReaderAt
	size int64
	file *parquet.File
	cols []parquetColumn

	notes []string
}

// OpenParquetRows opens a file of size bytes of paths of g. The error is of a damaged footer, or names the column that
// is missing or of another type.
func OpenParquetRows(r io.ReaderAt, size int64, g *ddps.LayeredGraph, by Vertices) (p *ParquetRows, err error) {
	defer damaged(&err)
	if err := parquetcheck.Footer(r, size); err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	cols, notes, err := parquetColumns(f.Root().Columns(), g.NumLayers())
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	return &ParquetRows{g, newGather(g), by, r, size, f, cols, notes}, nil
}

// Notes says which columns are not used.
func (p *ParquetRows) Notes() []string { return p.notes }

// Each reads the row groups whose first byte lies in from…to-1. It calls do for each path, which is its own until the
// next call, with its count, and bad for each row that is no path of the graph, by its number in the file, from 1. It
// ends with the first error of either, or that of a damaged page.
func (p *ParquetRows) Each(from, to int64, do func(path ddps.Path, count int) error,
	bad func(row int, err error) error) (err error) {
	defer damaged(&err)
	row, path := 0, make(ddps.Path, p.g.NumLayers())
	meta := p.file.Metadata()
	for i, group := range p.file.RowGroups() {
		if at := p.begin(&meta.RowGroups[i]); at < from || at >= to {
			row += int(group.NumRows())
			continue
		}
		if err := p.check(&meta.RowGroups[i]); err != nil {
			return fmt.Errorf("parquet: row group %d: %w", i+1, err)
		}
		err := readGroup(group, p.cols, &row, func(cells []string, err error) error {
			count := 0
			if err == nil {
				count, err = p.b.parse(cells, p.by, path)
			}
			if err == nil {
				err = p.g.Check(path)
			}
			if err != nil {
				return bad(row, err)
			}
			return do(path, count)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// begin returns the first byte of the columns of a row group that are read.
func (p *ParquetRows) begin(group *format.RowGroup) int64 {
	least := p.size
	for _, c := range p.cols {
		if c.at < len(group.Columns) {
			m := group.Columns[c.at].MetaData
			least = min(least, m.DataPageOffset)
			if m.DictionaryPageOffset > 0 {
				least = min(least, m.DictionaryPageOffset)
			}
		}
	}
	return least
}

// check checks the pages of a row group before the library reads them.
func (p *ParquetRows) check(group *format.RowGroup) error {
	at := make([]int, len(p.cols))
	for i, c := range p.cols {
		at[i] = c.at
	}
	one := *p.file.Metadata()
	one.RowGroups, one.NumRows = []format.RowGroup{*group}, group.NumRows
	return parquetcheck.Pages(p.in, p.size, &one, at)
}

// damaged makes an error of a panic of the library's decoders, which index what a damaged file says.
func damaged(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("parquet: the file is damaged: %v", p)
	}
}
