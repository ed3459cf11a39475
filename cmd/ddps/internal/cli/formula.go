package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// formulas passes a table on and counts the cells that a spreadsheet takes for formulas: those that begin with =, +, -
// or @ and are no numbers. They are written as they are, for a name must be read again as it was; a note warns of them.
type formulas struct {
	w             io.Writer
	sep           byte
	count         int
	first         string // of them
	cell          []byte // the beginning of the cell, if it may be one
	begun, inside bool   // within a cell, and within quotes
	off           bool   // what is written is no table
}

// maxCell is how many bytes of a cell are looked at and shown.
const maxCell = 40

// Write is io.Writer's.
func (f *formulas) Write(p []byte) (int, error) {
	if !f.off {
		for _, c := range p {
			f.next(c)
		}
	}
	return f.w.Write(p)
}

// next takes a byte of the table.
func (f *formulas) next(c byte) {
	switch {
	case c == '"': // two of them within quotes leave it as it was
		f.inside = !f.inside
	case !f.inside && (c == f.sep || c == '\n'):
		f.end()
	case !f.begun:
		if f.begun = true; strings.IndexByte("=+-@", c) >= 0 {
			f.cell = append(f.cell, c)
		}
	case len(f.cell) > 0 && len(f.cell) < maxCell:
		f.cell = append(f.cell, c)
	}
}

// end ends a cell.
func (f *formulas) end() {
	if len(f.cell) > 0 {
		if _, err := strconv.ParseFloat(string(f.cell), 64); err != nil {
			if f.count++; f.count == 1 {
				f.first = string(f.cell)
			}
		}
	}
	f.cell, f.begun = f.cell[:0], false
}

// watch returns a writer to w that looks for formulas, and what it finds them with; nil where path is no table's.
func watch(path string, w io.Writer) (io.Writer, *formulas) {
	f := &formulas{w: w, sep: ','}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
	case ".tsv":
		f.sep = '\t'
	default:
		if OutName(path) == path {
			return w, nil
		}
		return &tableOnly{f: f}, f
	}
	return f, f
}

// tableOnly is standard output, which is looked at if it begins as a table of paths or scores does.
type tableOnly struct {
	f     *formulas
	begun bool
}

// Write is io.Writer's.
func (t *tableOnly) Write(p []byte) (int, error) {
	if !t.begun && len(p) > 0 {
		head, _, _ := bytes.Cut(p, []byte("\n"))
		t.begun, t.f.off = true, !bytes.HasPrefix(head, []byte("v1,")) && !bytes.HasPrefix(head, []byte("layer,"))
	}
	return t.f.Write(p)
}

// noteFormulas notes what a spreadsheet takes for formulas.
func (a *App) noteFormulas(path string, f *formulas) {
	if f == nil {
		return
	}
	if f.end(); f.count > 0 {
		a.Notef("%s: a spreadsheet takes cells that begin with =, +, - or @ for formulas: %s of them, the first %q",
			OutName(path), Whole(f.count), f.first)
	}
}
