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

// Pages checks the headers of all pages: that they lie in the file, one after the
// other, and hold as many values as their row group has rows, and no more than a
// library may unpack at once. Columns must not be nested.
func Pages(r io.ReaderAt, size int64, meta *format.FileMetaData) error {
	rows := int64(0)
	for g, group := range meta.RowGroups {
		for c, column := range group.Columns {
			if err := chunk(r, size, &column.MetaData, group.NumRows); err != nil {
				return fmt.Errorf("row group %d, column %d: %w", g+1, c+1, err)
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
	header           int64 // its own length
}

// chunk checks the pages of a column.
func chunk(r io.ReaderAt, size int64, m *format.ColumnMetaData, rows int64) error {
	at, end := m.DataPageOffset, int64(0)
	if d := m.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	end = at + m.TotalCompressedSize
	if at < 4 || m.TotalCompressedSize < 0 || end > size-8 || end < at || m.NumValues != rows {
		return fmt.Errorf("%d bytes at %d with %d values for %d rows, in a file of %d", m.TotalCompressedSize, at, m.NumValues, rows, size)
	}
	values := int64(0)
	for at < end {
		p, err := readPage(r, at, end)
		if err == nil {
			err = p.check(r, at, end, m.Codec)
		}
		if err != nil {
			return fmt.Errorf("page at byte %d: %w", at, err)
		}
		if p.kind != format.DictionaryPage && p.kind != format.IndexPage {
			values += p.values
		}
		at += p.header + p.packed
	}
	if values != rows {
		return fmt.Errorf("%d values in the pages for %d rows", values, rows)
	}
	return nil
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
	case slices.Equal(ids, []int{5, 1}), slices.Equal(ids, []int{7, 1}), slices.Equal(ids, []int{8, 1}): // data, dictionary, data of version 2
		p.values = x
	case slices.Equal(ids, []int{8, 5}), slices.Equal(ids, []int{8, 6}):
		p.levels += x
	}
}

// check holds a header against the bounds, and a Snappy block against its header.
func (p *page) check(r io.ReaderAt, at, end int64, codec format.CompressionCodec) error {
	switch {
	case p.kind < format.DataPage || p.kind > format.DataPageV2:
		return fmt.Errorf("type %d is unknown", p.kind)
	case p.packed < 0 || p.packed > end-at-p.header || p.unpacked < 0 || p.unpacked > maxPage:
		return fmt.Errorf("%d bytes, unpacked %d, where %d are left and at most %d are read", p.packed, p.unpacked, end-at-p.header, maxPage)
	case p.values < 0 || p.values > maxValues || p.levels < 0 || p.levels > p.packed:
		return fmt.Errorf("%d values, %d bytes of levels", p.values, p.levels)
	case codec != format.Snappy || p.packed == p.levels:
		return nil
	}
	b := make([]byte, min(binary.MaxVarintLen64, p.packed-p.levels))
	if _, err := r.ReadAt(b, at+p.header+p.levels); err != nil {
		return err
	}
	if n, k := binary.Uvarint(b); k <= 0 || n > uint64(p.unpacked) {
		return fmt.Errorf("a Snappy block that unpacks to %d bytes, not %d", n, p.unpacked)
	}
	return nil
}
