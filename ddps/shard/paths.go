package shard

import (
	"bufio"
	"encoding/binary"
	"errors"
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

// EachPath calls do for each path of a payload of paths of g, in order; do may keep the path. The error is do's, the
// reader's, or of what is no path of g.
func EachPath(r io.Reader, g *ddps.LayeredGraph, do func(p ddps.Path, count int) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		count, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil
		}
		p := make(ddps.Path, g.NumLayers())
		for l := 0; l < len(p) && err == nil; l++ {
			var v uint64
			v, err = binary.ReadUvarint(in)
			p[l] = int(v)
		}
		if err == nil && int(count) < 1 {
			err = fmt.Errorf("count %d", count)
		}
		if err == nil {
			err = g.Check(p)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("path %d: %w", n, err)
		}
		if err := do(p, int(count)); err != nil {
			return err
		}
	}
}
