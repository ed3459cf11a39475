// Package parquetcheck looks at the bones of a Parquet file before a library
// reads it: github.com/parquet-go/parquet-go trusts the lengths and counts of
// footer and page headers, and a few false bytes make it take all memory, or run
// for minutes. What passes here costs about what its size says.
package parquetcheck

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// Bounds of what is read at once. Writers make pages of about a MiB.
const (
	maxFooter = 64 << 20
	maxHeader = 1 << 20
	maxPage   = 64 << 20 // bytes, unpacked
	maxValues = 1 << 24  // of a page

	// Of one page and dictionary of every column together, which are read at once.
	maxBytesAtOnce  = 512 << 20
	maxValuesAtOnce = 1 << 26
)

// Footer checks the end of a file of size bytes: its marks, its length, and that
// every length and count within it fits into it.
func Footer(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return errors.New("the file is too short")
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil || string(tail[4:]) != "PAR1" {
		return errors.New("the file does not end as Parquet does")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > maxFooter || n > size-12 {
		return fmt.Errorf("a footer of %d bytes in a file of %d", n, size)
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, size-8-n); err != nil {
		return err
	}
	s := &skimmer{b: b}
	if err := s.structure(0); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return nil
}

// Pages checks the headers of all pages of some columns, by their numbers: that they
// lie in the file, one after the other, and hold as many values as their row group
// has rows, and no more than a library may unpack at once. The columns must not be
// nested.
func Pages(r io.ReaderAt, size int64, meta *format.FileMetaData, columns []int) error {
	return pages(r, size, meta, columns, false)
}

// Lists is Pages for columns of lists, which hold as many values as they say, whatever the
// rows.
func Lists(r io.ReaderAt, size int64, meta *format.FileMetaData, columns []int) error {
	return pages(r, size, meta, columns, true)
}

func pages(r io.ReaderAt, size int64, meta *format.FileMetaData, columns []int, lists bool) error {
	rows := int64(0)
	for g, group := range meta.RowGroups {
		bytes, values := int64(0), int64(0)
		for _, c := range columns {
			if c < 0 || c >= len(group.Columns) {
				return fmt.Errorf("row group %d: no column %d", g+1, c+1)
			}
			expected := group.NumRows
			if lists {
				expected = group.Columns[c].MetaData.NumValues
			}
			if group.NumRows == 0 && group.Columns[c].MetaData.NumValues == 0 { // no page: PyArrow gives its place as 0
				continue
			}
			w, err := chunk(r, size, &group.Columns[c].MetaData, expected)
			if err != nil {
				return fmt.Errorf("row group %d, column %d: %w", g+1, c+1, err)
			}
			if bytes, values = bytes+w.bytes, values+w.values; bytes > maxBytesAtOnce || values > maxValuesAtOnce {
				return fmt.Errorf("row group %d: pages of %d bytes and %d values at once, expected at most %d and %d: write "+
					"smaller "+
					"pages",
					g+1, bytes, values, maxBytesAtOnce, maxValuesAtOnce)
			}
		}
		if rows += group.NumRows; group.NumRows < 0 {
			return fmt.Errorf("row group %d: %d rows", g+1, group.NumRows)
		}
	}
	if rows != meta.NumRows {
		return fmt.Errorf("%d rows in the row groups, %d in the footer", rows, meta.NumRows)
	}
	return nil
}

// page is what a page's header says.
type page struct {
	kind             format.PageType
	unpacked, packed int64
	values, levels   int64 // values, and bytes of levels that are never packed
	plain            bool  // not packed at all, whatever the column's codec
	header           int64 // its own length
}

// weight is the most that a reader holds of a column: its dictionary and a page.
type weight struct{ bytes, values int64 }

// chunk checks the pages of a column, and weighs it.
func chunk(r io.ReaderAt, size int64, m *format.ColumnMetaData, rows int64) (weight, error) {
	at, end := m.DataPageOffset, int64(0)
	if d := m.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	end = at + m.TotalCompressedSize
	if at < 4 || m.TotalCompressedSize < 0 || end > size-8 || end < at || m.NumValues != rows {
		return weight{}, fmt.Errorf("%d bytes at %d with %d values for %d rows, in a file of %d", m.TotalCompressedSize, at,
			m.NumValues, rows, size)
	}
	values, dictionary, w := int64(0), int64(0), weight{}
	for at < end {
		p, err := readPage(r, at, end)
		if err == nil {
			err = p.check(r, at, end, m.Codec)
		}
		switch {
		case err != nil:
			return weight{}, fmt.Errorf("page at byte %d: %w", at, err)
		case p.kind == format.DictionaryPage:
			dictionary = max(dictionary, p.unpacked)
		case p.kind != format.IndexPage:
			values += p.values
			w.bytes, w.values = max(w.bytes, p.unpacked), max(w.values, p.values)
		}
		at += p.header + p.packed
	}
	if w.bytes += dictionary; values != rows {
		return weight{}, fmt.Errorf("%d values in the pages for %d rows", values, rows)
	}
	return w, nil
}

// readPage reads the header of the page at a place.
func readPage(r io.ReaderAt, at, end int64) (page, error) {
	b := make([]byte, min(4096, end-at))
	for {
		if _, err := r.ReadAt(b, at); err != nil {
			return page{}, err
		}
		p := page{kind: -1}
		s := &skimmer{b: b, visit: p.set}
		err := s.structure(0)
		if err == errShort && len(b) < maxHeader && int64(len(b)) < end-at { // statistics may be long
			b = make([]byte, min(maxHeader, end-at))
			continue
		}
		p.header = int64(s.at)
		return p, err
	}
}

// set takes a number of a page's header.
func (p *page) set(ids []int, x int64) {
	switch {
	case slices.Equal(ids, []int{1}):
		p.kind = format.PageType(x)
	case slices.Equal(ids, []int{2}):
		p.unpacked = x
	case slices.Equal(ids, []int{3}):
		p.packed = x
	// data, dictionary, data of version 2
	case slices.Equal(ids, []int{5, 1}), slices.Equal(ids, []int{7, 1}), slices.Equal(ids, []int{8, 1}):
		p.values = x
	case slices.Equal(ids, []int{8, 5}), slices.Equal(ids, []int{8, 6}):
		p.levels += x
	case slices.Equal(ids, []int{8, 7}):
		p.plain = x == 0
	}
}

// check compares a header with the bounds, and what is packed against the header.
func (p *page) check(r io.ReaderAt, at, end int64, codec format.CompressionCodec) error {
	switch {
	case p.kind < format.DataPage || p.kind > format.DataPageV2:
		return fmt.Errorf("type %d is unknown", p.kind)
	case p.packed < 0 || p.packed > end-at-p.header || p.unpacked < 0 || p.unpacked > maxPage:
		return fmt.Errorf("%d bytes, unpacked %d, where %d are left and at most %d are read", p.packed, p.unpacked,
			end-at-p.header, maxPage)
	case p.values < 0 || p.values > maxValues || p.levels < 0 || p.levels > min(p.packed, p.unpacked):
		return fmt.Errorf("%d values, %d bytes of levels", p.values, p.levels)
	case p.plain || codec == format.Uncompressed || p.packed == p.levels:
		return nil
	}
	packed := io.NewSectionReader(r, at+p.header+p.levels, p.packed-p.levels)
	return unpacks(codec, packed, p.unpacked-p.levels)
}
