// Package blocks reads files of paths or walks by ranges of their bytes, so that many workers share one file: a row
// belongs to the block in which its first byte lies. The formats are those whose rows are lines: CSV, JSON Lines
// (package pathfile) and lines of places (package sequences), in UTF-8 and not packed; and Parquet, whose row groups
// belong to the block in which their first byte lies.
//
// A bad row is an error of its own, RowError, with its file and line; the next call goes on behind it.
package blocks

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// RowError is the error of one row.
type RowError struct {
	File string
	Line int // from 1; of Parquet the row
	Err  error
}

func (e *RowError) Error() string { return fmt.Sprintf("blocks: %s:%d: %v", e.File, e.Line, e.Err) }
func (e *RowError) Unwrap() error { return e.Err }

// Reader reads the rows of a block.
type Reader struct {
	file   string
	all    *io.SectionReader
	in     *bufio.Reader
	at, to int64 // first byte of the next line; end of the block
	begin  int64 // first byte of the block's first line
	base   int   // lines before it, −1 while not counted
	lines  int   // read
	parse  func(line string, p ddps.Path) (int, error)
	notes  []string
}

// headSize is how much of a file decides how its rows are parsed.
const headSize = 1 << 16

// Open opens a block of a file of the given size, of paths of g in a format of lines ("": by the ending). vertices says
// how a CSV file calls vertices.
func Open(file io.ReaderAt, size int64, b Block, g *ddps.LayeredGraph, format string, vertices pathfile.Vertices) (
	*Reader, error) {
	if format == "" {
		var err error
		if format, err = FormatOf(b.File); err != nil {
			return nil, fmt.Errorf("blocks: %w", err)
		}
	}
	r := &Reader{file: b.File, all: io.NewSectionReader(file, 0, size), to: min(b.To, size), base: -1}
	skip, err := r.parser(g, format, vertices)
	if err != nil {
		return nil, fmt.Errorf("blocks: %s: %w", b.File, err)
	}
	r.at = max(b.From, skip)
	if back := r.at > skip; back { // the line may begin at r.at, or before
		r.at--
		r.seek()
		err = r.pass()
	} else {
		r.seek()
	}
	r.begin = r.at
	return r, err
}

func (r *Reader) seek() {
	r.in = bufio.NewReaderSize(io.NewSectionReader(r.all, r.at, r.all.Size()-r.at), 1<<18)
}

// pass reads to the end of a line.
func (r *Reader) pass() error {
	for {
		part, err := r.in.ReadSlice('\n')
		r.at += int64(len(part))
		if err == nil || err == io.EOF {
			return nil
		}
		if err != bufio.ErrBufferFull {
			return fmt.Errorf("blocks: %s: %w", r.file, err)
		}
	}
}

// parser chooses how rows are parsed, and returns how many bytes at the head are none.
func (r *Reader) parser(g *ddps.LayeredGraph, format string, vertices pathfile.Vertices) (int64, error) {
	if format == Lines {
		m, err := sequences.NewMapper(g)
		r.parse = func(line string, p ddps.Path) (int, error) { return 1, m.Line(line, p) }
		return 0, err
	}
	head := make([]byte, min(headSize, r.all.Size()))
	if _, err := r.all.ReadAt(head, 0); err != nil && err != io.EOF {
		return 0, err
	}
	if vertices == pathfile.ByName && g.Walks() {
		parse, skip, err := newWalkRows(g, format, head)
		r.parse = parse
		return skip, err
	}
	p, err := pathfile.NewRowParser(g, format, vertices, head)
	if err != nil {
		return 0, err
	}
	r.parse, r.notes = p.Parse, p.Notes()
	return p.Skip(), nil
}

// maxLine is the longest line in bytes.
const maxLine = 1 << 26

// Next reads the next row into p, of a vertex a layer, and returns how often the path stands. Blank lines are passed
// over. The error is io.EOF at the end, a *RowError of this row alone, or one that ends the reading.
func (r *Reader) Next(p ddps.Path) (count int, err error) {
	for r.at < r.to {
		text, err := r.line()
		if err != nil {
			return 0, err
		}
		r.lines++
		if text = bytes.TrimRight(text, "\r\n"); len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if count, err = r.parse(string(text), p); err == nil {
			return count, nil
		}
		if e := r.count(); e != nil {
			return 0, e
		}
		return 0, &RowError{r.file, r.base + r.lines, err}
	}
	return 0, io.EOF
}

// line reads a line, with its end; it is the reader's own until the next call.
func (r *Reader) line() ([]byte, error) {
	text, err := r.in.ReadSlice('\n')
	r.at += int64(len(text))
	if err == bufio.ErrBufferFull {
		var rest []byte
		long := bytes.Clone(text)
		for err == bufio.ErrBufferFull && len(long) <= maxLine {
			rest, err = r.in.ReadSlice('\n')
			r.at += int64(len(rest))
			long = append(long, rest...)
		}
		if text = long; len(text) > maxLine {
			return nil, fmt.Errorf("blocks: %s: a line at byte %d is longer than %d bytes", r.file, r.at-int64(len(text)),
				maxLine)
		}
	}
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("blocks: %s: %w", r.file, err)
	}
	return text, nil
}

// count counts the lines before the block, once.
func (r *Reader) count() error {
	if r.base >= 0 {
		return nil
	}
	in, buf := io.NewSectionReader(r.all, 0, r.begin), make([]byte, 1<<18)
	r.base = 0
	for {
		n, err := in.Read(buf)
		r.base += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("blocks: %s: %w", r.file, err)
		}
	}
}

// Each opens a block's file and calls do for each row, whose path is its own until the next call, and bad for each bad
// one. It ends with the first error of do or bad; errors name the file.
func Each(b Block, g *ddps.LayeredGraph, format string, vertices pathfile.Vertices,
	do func(p ddps.Path, count int) error, bad func(*RowError) error) error {
	f, size, format, err := open(b.File, format)
	if err != nil {
		return err
	}
	defer f.Close()
	if format == pathfile.Parquet {
		return eachParquet(f, size, b, g, vertices, do, bad)
	}
	r, err := Open(f, size, b, g, format, vertices)
	if err != nil {
		return err
	}
	p := make(ddps.Path, g.NumLayers())
	for {
		n, err := r.Next(p)
		var row *RowError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &row):
			err = bad(row)
		case err == nil:
			err = do(p, n)
		}
		if err != nil {
			return err
		}
	}
}

// eachParquet is Each of a Parquet file.
func eachParquet(f io.ReaderAt, size int64, b Block, g *ddps.LayeredGraph, vertices pathfile.Vertices,
	do func(p ddps.Path, count int) error, bad func(*RowError) error) error {
	rows, err := pathfile.OpenParquetRows(f, size, g, vertices)
	if err != nil {
		return fmt.Errorf("blocks: %s: %w", b.File, err)
	}
	var own error // of do or bad, which is returned as it is
	err = rows.Each(b.From, b.To, func(p ddps.Path, n int) error { own = do(p, n); return own },
		func(row int, err error) error { own = bad(&RowError{b.File, row, err}); return own })
	if err != nil && own == nil {
		err = fmt.Errorf("blocks: %s: %w", b.File, err)
	}
	return err
}
