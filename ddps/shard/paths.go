package shard

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps"
)

// PathWriter writes payloads of paths: of each its count and its vertices, as unsigned varints. Flush it.
type PathWriter struct {
	w   *bufio.Writer
	row []byte
}

// NewPathWriter returns a writer to w.
func NewPathWriter(w io.Writer) *PathWriter { return &PathWriter{w: bufio.NewWriterSize(w, 1<<16)} }

// Write writes a path that stands count ≥ 1 times.
func (p *PathWriter) Write(path ddps.Path, count int) error {
	p.row = binary.AppendUvarint(p.row[:0], uint64(count))
	for _, v := range path {
		p.row = binary.AppendUvarint(p.row, uint64(v))
	}
	_, err := p.w.Write(p.row)
	return err
}

// Flush writes what is buffered.
func (p *PathWriter) Flush() error { return p.w.Flush() }

// EachPath calls do for each path of a payload of paths of g, in order; the path is its own until the next call. The
// error is do's, the reader's, or of what is no path of g.
func EachPath(r io.Reader, g *ddps.LayeredGraph, do func(p ddps.Path, count int) error) error {
	p := make(ddps.Path, g.NumLayers())
	most := binary.MaxVarintLen64 * (len(p) + 1) // bytes of a row
	in := bufio.NewReaderSize(r, max(1<<16, most))
	for n := 1; ; n++ {
		row, err := in.Peek(most)
		if len(row) == 0 && err == io.EOF {
			return nil
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("path %d: %w", n, err)
		}
		count, size, err := decode(row, p)
		if err == nil {
			err = g.Check(p)
		}
		if err != nil {
			return fmt.Errorf("path %d: %w", n, err)
		}
		if _, err := in.Discard(size); err != nil {
			return fmt.Errorf("path %d: %w", n, err)
		}
		if err := do(p, count); err != nil {
			return err
		}
	}
}

// decode reads a count and a path from the head of a row, and returns how many bytes they take.
func decode(row []byte, p ddps.Path) (count, size int, err error) {
	next := func() (v uint64) {
		v, k := binary.Uvarint(row[size:])
		if size += k; k <= 0 && err == nil {
			err = io.ErrUnexpectedEOF
			size -= k
		}
		return v
	}
	count = int(next())
	for l := range p {
		p[l] = int(next())
	}
	if err == nil && count < 1 {
		err = fmt.Errorf("count %d", count)
	}
	return count, size, err
}
