// Package table reads separated text as people write and export it: by commas, semicolons or tabs, with or without a
// header, in UTF-8 or UTF-16, with any ends of lines. It is the one reader below those of edges, paths, rewards and
// tracks.
package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// headSize is how many bytes at the start of a file are looked at for what separates its cells.
const headSize = 1 << 16

// Options says what a table may look like.
type Options struct {
	// Separators may separate cells; of several in the first line that Fits decides, and among those that fit the order
	// here.
	Separators string
	// Fits reports whether a first row can be one of the table; nil: if it has two cells or more.
	Fits func(row []string) bool
	// Comment begins lines that are skipped; 0 for none.
	Comment rune
	// At formats an error in a line, from 1; line 0 is the whole file.
	At func(line int, err error) error
}

// Reader reads the rows of a table.
type Reader struct {
	// Notes says what was found out about the text, in words: an encoding other than UTF-8, lines that end in CR alone.
	Notes []string
	csv   *csv.Reader
	text  *ends
	o     Options
}

// Open looks at the start of r, which may be packed by gzip.
func Open(r io.Reader, o Options) *Reader {
	text, head, notes := textOf(input.Unpacked(r))
	text.comment, text.fresh = o.Comment, true
	t := &Reader{o: o, Notes: notes, text: text}
	t.csv = csv.NewReader(input.Lines(text))
	if t.csv.Comma = Separator(head, o); t.csv.Comma == 0 {
		t.csv.Comma = ','
	}
	t.csv.Comment, t.csv.FieldsPerRecord, t.csv.ReuseRecord, t.csv.TrimLeadingSpace = o.Comment, -1, true,
		t.csv.Comma != '\t'
	return t
}

// Text returns the text of r in UTF-8, with lines that end in LF or CR LF, its first 64 KiB, and what was found out
// about it (Reader.Notes).
func Text(r io.Reader) (text io.Reader, head []byte, notes []string) { return textOf(r) }

func textOf(r io.Reader) (text *ends, head []byte, notes []string) {
	in, encoding := input.Decoded(r)
	if encoding != "" {
		notes = append(notes, "the text is in "+encoding)
	}
	l := &ends{r: bufio.NewReaderSize(in, headSize)}
	head, _ = l.r.Peek(headSize)
	if n := SepLine(head); n > 0 { // a blank line for it, so that lines keep their numbers
		end := string(head[n-1 : n])
		l.r.Discard(n)
		l.r = bufio.NewReaderSize(io.MultiReader(strings.NewReader(end), l.r), headSize)
		head, _ = l.r.Peek(headSize)
	}
	if l.cr = crAlone(head); l.cr {
		notes = append(notes, "lines end in CR alone")
		head = []byte(strings.ReplaceAll(string(head), "\r", "\n"))
	}
	return l, head, notes
}

// SepLine returns the length of a first line such as sep=; by which Excel separates cells; 0 for none.
func SepLine(head []byte) int {
	n := bytes.IndexAny(head, "\r\n")
	if n < 0 {
		return 0
	}
	line := strings.Trim(string(head[:n]), "\" ")
	if len(line) != len("sep=;") || !strings.EqualFold(line[:4], "sep=") || !strings.ContainsAny(line[4:], ",;\t|") {
		return 0
	}
	if n++; n < len(head) && head[n-1] == '\r' && head[n] == '\n' {
		n++
	}
	return n
}

// Read returns the next row, which is the reader's own until the next call, and its line, from 1. The error at the end
// is io.EOF; other errors are by Options.At: broken quotes, what is not UTF-8, a line too long.
func (t *Reader) Read() (row []string, line int, err error) {
	row, err = t.csv.Read()
	var syntax *csv.ParseError
	switch {
	case err == io.EOF:
		if n := t.text.comments; n > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("lines below the first row that begin with %c, which are comments: %d",
				t.o.Comment, n))
			t.text.comments = 0
		}
		return nil, 0, err
	case errors.As(err, &syntax):
		return nil, 0, t.o.At(syntax.Line, fmt.Errorf("column %d: %w", syntax.Column, syntax.Err))
	case err != nil:
		return nil, 0, t.o.At(0, err)
	}
	line, _ = t.csv.FieldPos(0)
	for k, cell := range row {
		if !utf8.ValidString(cell) {
			return nil, line, t.o.At(line, fmt.Errorf("field %d: %q is not UTF-8: is the file in Latin-1 or Windows-1252? "+
				"save it as UTF-8", k+1, cell))
		}
	}
	return row, line, nil
}

// Separator returns what separates the cells of a text: of the separators that are in its first line (neither empty nor
// a comment) one by which that fits, and the lines after it have as many cells, rather than not; 0 if there is none.
func Separator(head []byte, o Options) (best rune) {
	list := firstLines(head, o.Comment)
	if len(list) == 0 {
		return 0
	}
	top := -1
	for _, sep := range o.Separators {
		row := Cells(list[0], sep)
		if len(row) < 2 {
			continue
		}
		score := 0
		if o.Fits == nil || o.Fits(row) {
			score += 2
		}
		if !slices.ContainsFunc(list[1:], func(line string) bool { return len(Cells(line, sep)) != len(row) }) {
			score++
		}
		if score > top {
			best, top = sep, score
		}
	}
	return best
}

// First returns the first line of a text that is neither empty nor a comment, "" if there is none.
func First(head []byte, comment rune) string {
	if list := firstLines(head, comment); len(list) > 0 {
		return list[0]
	}
	return ""
}

// firstLines returns the first lines of a text that are neither empty nor comments, but for one that may be cut off.
func firstLines(head []byte, comment rune) (list []string) {
	for line := range strings.Lines(string(head)) {
		if bare := strings.TrimRight(line, "\r\n"); strings.TrimSpace(bare) != "" &&
			(comment == 0 || !strings.HasPrefix(bare, string(comment))) {
			if len(list) > 0 && (bare == line || len(list) == 20) {
				break
			}
			list = append(list, bare)
		}
	}
	return list
}

// Cells returns the cells of a line by a separator, but for empty ones at its end; nil if they cannot be told apart.
func Cells(line string, sep rune) []string {
	c := csv.NewReader(strings.NewReader(line))
	c.Comma, c.TrimLeadingSpace, c.LazyQuotes = sep, sep != '\t', true
	row, err := c.Read()
	if err != nil {
		return nil
	}
	for len(row) > 0 && strings.TrimSpace(row[len(row)-1]) == "" {
		row = row[:len(row)-1]
	}
	return row
}

// crAlone reports whether lines end in CR without LF.
func crAlone(head []byte) bool {
	s := string(head)
	return strings.Contains(s, "\r") && !strings.Contains(s, "\n")
}

// ends makes the ends of lines LF where they are CR alone.
type ends struct {
	r        *bufio.Reader
	cr       bool
	comment  rune // 0: none
	comments int  // lines below the first row that begin with it
	fresh    bool // at the start of a line
	begun    bool // below the first row
}

func (l *ends) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if l.cr && b == '\r' {
			p[i] = '\n'
		}
		if l.comment != 0 {
			l.look(rune(p[i]))
		}
	}
	return n, err
}

// look counts comments.
func (l *ends) look(b rune) {
	switch {
	case b == '\n':
		l.fresh = true
		return
	case l.fresh && b == l.comment && l.begun:
		l.comments++
	case l.fresh && b != l.comment && b != '\r':
		l.begun = true
	}
	l.fresh = false
}
