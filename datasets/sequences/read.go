package sequences

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/datasets/internal/table"
)

// Format is the format of a file of walks.
type Format string

// The formats. All but Parquet may be packed by gzip.
const (
	Auto    Format = "auto"    // by the name's ending and the content
	Lines   Format = "lines"   // a walk a line, tokens separated by blanks, by another string, or letters
	NGram   Format = "ngram"   // a walk and its count a line, separated by commas or otherwise
	Wide    Format = "csv"     // a walk a row, a place a column; rows may be of different length
	Events  Format = "events"  // an event a row: case, optionally time, and place
	JSONL   Format = "jsonl"   // a walk a line: ["A", "B"], or {"path": ["A", "B"], "count": 2}; or an event a line
	Parquet Format = "parquet" // like Wide or Events
	FASTA   Format = "fasta"   // a record a walk, a letter a place
	XES     Format = "xes"     // an event log of XML (IEEE 1849): a trace a walk, an event a place
)

// Formats returns the names of the formats, Auto's first.
func Formats() []Format {
	return []Format{Auto, Lines, NGram, Wide, Events, JSONL, Parquet, FASTA, XES}
}

// ReadOptions says how files are read. The zero value decides by their content.
type ReadOptions struct {
	Format Format // "" is Auto
	// Sep separates tokens: a string, or one of the words space (any number of blanks), tab, comma, semicolon and
	// letters (each character is a token). "": decided.
	Sep string
	// In a table with the column Walk it separates the tokens of a cell, and the table's own separator is decided.
	// Header says whether the first row of a table names its columns: yes, no, or "": decided.
	Header string
	// Columns are the names of the columns of a Wide table's places, in order; one like "a..b" stands for those from a
	// to b. nil: decided.
	Columns []string
	// Walk is the name of the column of a table that holds whole walks, a walk a cell; "": decided.
	Walk string
	// Case, Time and Place are the names of the columns of Events; "": decided. Of XES Time and Place are keys of
	// attributes, time:timestamp and concept:name if "".
	Case, Time, Place string
	// Dates says what comes first in dates whose year comes last: day or month; year refuses them. "": decided.
	Dates string
	// Missing are cells that are no place, like NA: at the end of a row they are left out. Empty cells always are. nil:
	// it is an error if the file has one of the usual ones at the end of rows and nowhere else.
	Missing []string
	Input   io.Reader // what ReadFile reads for the file -; nil: a file of that name
	Flag    string    // how errors call the option Format; "" is --format
}

// ReadFile reads files of walks, one after the other; see Read.
func ReadFile(o ReadOptions, files ...string) (*Walks, error) {
	w := New()
	for _, path := range files {
		if path == "-" && o.Input != nil {
			if err := w.read("standard input", o.Input, o); err != nil {
				return nil, err
			}
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("sequences: %w", err)
		}
		err = w.read(path, f, o)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	w.nameNotes()
	return w, nil
}

// Read reads walks from r, in the format that o says or that is decided by the ending of name and by the content;
// what is decided is in Walks.Notes. A byte-order mark, UTF-16, and lines that end in CR are taken as they are meant;
// blank lines are skipped. Lines that begin with # at the head of a file are comments, unless all lines do.
//
// What cannot be read is left out and counted, with a reason (Walks.Report): a row with an empty cell between places, a
// wrong count, a name with control characters, broken JSON; of an event log each case that has a time that cannot be
// read. Events are in the order of their times within a case, and of the file where times are equal, which a note says.
//
// Errors are of the file as a whole, by file and line: broken quotes, what is not UTF-8, columns that are missing, a
// file without a walk, and what may be read in two ways, which names the option that decides. O(tokens), O(n log n)
// for events.
func Read(name string, r io.Reader, o ReadOptions) (*Walks, error) {
	w := New()
	if err := w.read(name, r, o); err != nil {
		return nil, err
	}
	w.nameNotes()
	return w, nil
}

// file is a file that is read into w.
type file struct {
	*Walks
	name    string
	o       ReadOptions
	missing map[string]bool
	counted bool // the last cell of a row is a count
	quotes  bool // some of the names in lines are in quotes
	cells   []int32
	begin   int // number of its first walk
}

// at formats an error in a line of the file, from 1, and with line 0 of the file.
func (f *file) at(line int, err error) error {
	if line == 0 {
		return fmt.Errorf("sequences: %s: %w", f.name, err)
	}
	return fmt.Errorf("sequences: %s:%d: %w", f.name, line, err)
}

// says adds a note on the file.
func (f *file) says(format string, args ...any) {
	f.note("%s: "+format, append([]any{filepath.Base(f.name)}, args...)...)
}

// read appends the walks of a file.
func (w *Walks) read(name string, r io.Reader, o ReadOptions) error {
	f := &file{Walks: w, name: name, o: o, missing: map[string]bool{}, begin: w.Len()}
	for _, m := range o.Missing {
		f.missing[strings.TrimSpace(m)] = true
	}
	f.o.Flag = cmp.Or(o.Flag, "--format")
	f.o.Format = cmp.Or(o.Format, Auto)
	if !slices.Contains(Formats(), f.o.Format) {
		return f.at(0, fmt.Errorf("format %q is none of %q", o.Format, Formats()))
	}
	if _, err := instant.CheckOrder(o.Dates); err != nil {
		return f.at(0, err)
	}
	w.files = append(w.files, segment{name, w.Len()})
	rows := w.Report.Total()
	if err := f.open(r); err != nil {
		return err
	}
	if w.Len() == f.begin {
		err := errors.New("no walk in the file")
		if left := w.Report.Total() - rows; left > 0 {
			err = fmt.Errorf("no walk in the file: %s", w.Report.list[len(w.Report.list)-1])
		}
		return f.at(0, err)
	}
	return f.endings()
}

// open unpacks a file, decides its format and reads it.
func (f *file) open(r io.Reader) error {
	in := bufio.NewReader(r)
	head, _ := in.Peek(4)
	if f.o.Format == Parquet || f.o.Format == Auto && string(head) == "PAR1" {
		f.says("Parquet")
		return f.parquet(r, in)
	}
	in, err := input.Gunzip(in)
	if err != nil {
		return f.at(0, err)
	}
	text, begin, notes := table.Text(in)
	for _, n := range notes {
		f.says("%s", n)
	}
	if len(bytes.TrimSpace(begin)) == 0 {
		return f.at(0, errors.New("the file is empty"))
	}
	if err := input.Archive(begin); err != nil {
		return f.at(0, err)
	}
	if bytes.IndexByte(begin, 0) >= 0 {
		return f.at(0, errors.New("the file is no text: it has bytes of 0"))
	}
	d, err := f.decide(begin)
	if err != nil {
		return f.at(0, err)
	}
	if d.why != "" { // tables say what their columns are
		f.says("%s", d.why)
	}
	switch d.format {
	case JSONL:
		return f.jsonl(text)
	case FASTA:
		return f.fasta(text)
	case XES:
		return f.xes(text)
	case Events:
		return f.eventTable(text, d)
	case Wide:
		err := f.table(text, d)
		if err == nil {
			f.labels(d)
		}
		return err
	}
	return f.lines(text, d)
}

// usual are cells that often stand for no place, or for the end of a walk.
var usual = []string{"NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "END", "<END>",
	"<eos>", "</s>", "<pad>", "PAD"}

// endings is the error of one of the usual missing cells that stands at the ends of walks alone, and before others of
// its kind or after a place only.
func (f *file) endings() error {
	if f.o.Missing != nil {
		return nil
	}
	for _, name := range usual {
		t, ok := f.id[name]
		if !ok {
			continue
		}
		met, inside := 0, false
		for i := f.begin; i < f.Len() && !inside; i++ {
			list, tail := f.At(i), true
			for k := len(list) - 1; k >= 0; k-- {
				tail = tail && list[k] == t
				if list[k] == t {
					met++
					inside = inside || !tail
				}
			}
		}
		if met > 0 && !inside {
			return f.at(0, undecided("%q stands at the end of rows alone: is it a place? "+
				"say --missing %s if it is none, or --missing none if it is one", name, name))
		}
	}
	return nil
}
