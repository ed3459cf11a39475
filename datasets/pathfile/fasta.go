package pathfile

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
)

// Sequence is a record of a FASTA file.
type Sequence struct {
	ID      string // first word of the header, without what follows a semicolon
	Letters string // of A, C, G, T
	Count   int    // how often it occurs: what the header's first word says by ;size=N (as in USEARCH and VSEARCH), else 1
	Line    int    // of the header, from 1
}

// ReadSequences reads DNA sequences from FASTA, compressed by gzip or not. A record is a line of > and a header, then
// letters over any number of lines, in upper or lower case; blanks between them, empty lines, lines that begin
// with a semicolon (comments) and a byte-order mark are skipped. name only serves the messages.
//
// Errors name the file, the line, and the record and the column: a letter other than A, C, G, T (IUPAC's codes for
// several bases, RNA's U and gaps among them), letters before the first header, a record without a letter, or with more
// than 2²⁰, a wrong size, a file without a record.
func ReadSequences(name string, r io.Reader) ([]Sequence, error) {
	var list []Sequence
	err := eachSequence(name, r, func(s Sequence) error {
		list = append(list, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// eachSequence calls do for each record of a file, in order, and stops at its first error.
func eachSequence(name string, r io.Reader, do func(Sequence) error) error {
	in, err := input.Gunzip(r)
	if err != nil {
		return fmt.Errorf("datasets: %s: %w", name, err)
	}
	in = input.Lines(input.Text(in))
	f := fastaReader{do: do}
	for number := 1; ; number++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("datasets: %s:%d: %w", name, number, err)
		}
		if err := f.line(strings.TrimRight(text, "\r\n"), number); err != nil {
			return fmt.Errorf("datasets: %s:%d: %w", name, number, err)
		}
		if err == io.EOF {
			break
		}
	}
	if err := f.end(); err != nil {
		return fmt.Errorf("datasets: %s: %w", name, err)
	}
	if f.n == 0 {
		return fmt.Errorf("datasets: %s: no record: a line that begins with >", name)
	}
	return nil
}

// fastaReader gathers records line by line.
type fastaReader struct {
	do      func(Sequence) error
	n       int             // records
	last    Sequence        // the one that is read
	letters strings.Builder // of it
}

// line takes a line of a file.
func (f *fastaReader) line(text string, number int) error {
	switch {
	case strings.HasPrefix(text, ";"), strings.TrimSpace(text) == "":
		return nil
	case strings.HasPrefix(text, ">"):
		if err := f.end(); err != nil {
			return err
		}
		s, err := header(text[1:])
		if err != nil {
			return err
		}
		s.Line = number
		f.last = s
		f.n++
		return nil
	case f.n == 0:
		return errors.New("letters before the first record, a line that begins with >")
	}
	column := 0
	for _, r := range text {
		column++
		if r == ' ' || r == '\t' {
			continue
		}
		b := unicode.ToUpper(r)
		if !strings.ContainsRune(ddps.Bases, b) || r > unicode.MaxASCII {
			return fmt.Errorf("record %q, column %d: %s", f.last.ID, column, noBase(r))
		}
		f.letters.WriteByte(byte(b))
	}
	if f.letters.Len() > datasets.MaxDNA {
		return fmt.Errorf("record %q has more than %d letters", f.last.ID, datasets.MaxDNA)
	}
	return nil
}

// noBase says why r is refused.
func noBase(r rune) string {
	switch b := unicode.ToUpper(r); {
	case r == utf8.RuneError:
		return "no letter, but bytes that are not UTF-8"
	case b == 'U':
		return fmt.Sprintf("%q is of RNA: expected A, C, G, T", r)
	case strings.ContainsRune("RYSWKMBDHVN", b):
		return fmt.Sprintf("%q stands for any of several bases: expected A, C, G, T", r)
	case r == '-' || r == '.':
		return fmt.Sprintf("%q is a gap: expected A, C, G, T", r)
	}
	return fmt.Sprintf("%q is none of A, C, G, T", r)
}

// end closes the last record.
func (f *fastaReader) end() error {
	if f.n == 0 {
		return nil
	}
	f.last.Letters = f.letters.String()
	f.letters.Reset()
	if f.last.Letters == "" {
		return fmt.Errorf("record %q, which begins at line %d, has no letter", f.last.ID, f.last.Line)
	}
	return f.do(f.last)
}

// header reads what follows the >.
func header(text string) (Sequence, error) {
	s := Sequence{Count: 1}
	words := strings.Fields(text)
	if len(words) == 0 {
		return s, nil
	}
	parts := strings.Split(words[0], ";")
	s.ID = parts[0]
	for _, p := range parts[1:] {
		if n, ok := strings.CutPrefix(p, "size="); ok {
			var err error
			if s.Count, err = count(n); err != nil {
				return s, fmt.Errorf("record %q: size: %w", s.ID, err)
			}
		}
	}
	return s, nil
}
