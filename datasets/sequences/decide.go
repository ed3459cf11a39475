package sequences

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/datasets/internal/xes"
)

// decision is how a text is read.
type decision struct {
	format   Format
	sep      string
	comments bool   // the lines at the head that begin with # are comments
	header   bool   // the first row of a table names its columns
	within   string // what separates the tokens of a cell that holds a walk; "" where none does
	why      string // in words
}

// bySuffix are the formats that endings of names say.
var bySuffix = map[string]Format{".jsonl": JSONL, ".ndjson": JSONL, ".parquet": Parquet, ".fasta": FASTA, ".fa": FASTA,
	".fna": FASTA, ".faa": FASTA, ".ngram": NGram, ".csv": Wide, ".tsv": Wide, ".xes": XES}

// decide says how a text that begins with head is read.
func (f *file) decide(head []byte) (d decision, err error) {
	ending := strings.ToLower(f.name)
	suffix := bySuffix[filepath.Ext(strings.TrimSuffix(ending, ".gz"))]
	d.format = f.o.Format
	begin := strings.TrimLeft(string(head), " \t\r\n")
	if d.format == Auto {
		root, isXML := xes.Root(begin)
		switch {
		case suffix == XES || isXML && root == "log":
			d.format = XES
		case isXML:
			return d, xes.Other(root)
		case suffix == JSONL || input.LikeJSON(begin):
			d.format = JSONL
		case suffix == FASTA || strings.HasPrefix(begin, ">"):
			d.format = FASTA
		case f.o.Case != "" || f.o.Place != "" || f.o.Time != "":
			d.format = Events
		case len(f.o.Columns) > 0 || f.o.Walk != "":
			d.format = Wide
		case suffix == NGram:
			d.format = NGram
		}
	}
	if d.format == JSONL || d.format == FASTA || d.format == XES { // XES says what its attributes are
		d.why = map[Format]string{JSONL: "JSON Lines", FASTA: "FASTA, a letter a place"}[d.format]
		return d, nil
	}
	lines := sample(string(head))
	d.comments = slices.ContainsFunc(lines, func(s string) bool { return !strings.HasPrefix(s, "#") })
	for d.comments && len(lines) > 0 && strings.HasPrefix(lines[0], "#") {
		lines = lines[1:]
	}
	lines, name := f.headerLine(lines)
	if name != "" {
		return f.headedLines(d, lines, name)
	}
	if suffix == Wide && d.format == Auto {
		f.findWalkColumn(lines)
	}
	if d.sep, err = f.separator(lines, suffix == Wide); err != nil {
		return d, err
	}
	if d.format != Lines && d.sep != tokens.Space && d.sep != tokens.Letters && len(d.sep) == 1 &&
		strings.Contains(",;\t", d.sep) {
		return f.tabular(d, lines)
	}
	switch d.format {
	case Wide, Events:
		return d, undecided("the lines have no comma, semicolon or tab: is it %s lines?", f.o.Flag)
	case Auto:
		if d.format = Lines; counts(lines, d.sep) {
			return d, f.countError(lines[0])
		}
	}
	if f.o.Header == "yes" {
		return d, fmt.Errorf("a walk a line, %s, has no header", tokens.Said(d.sep))
	}
	d.why = "a walk a line, " + f.sepSaid(d)
	if d.format == NGram {
		d.why += ", the last a count"
		return d, nil
	}
	return d, f.askLine(lines, d.sep)
}

// headedLines decides how lines below one that names them are read: a walk a line.
func (f *file) headedLines(d decision, lines []string, name string) (decision, error) {
	var err error
	auto := f.o.Format == Auto
	f.o.Walk, f.o.Format = "", Lines
	if d.sep, err = f.separator(lines, false); err != nil {
		return d, err
	}
	switch {
	case d.sep == tokens.Letters && f.o.Sep == "":
		return d, undecided("column %q: say by --sep what separates the places of a walk, or --header no if the first "+
			"line is a walk", name)
	case auto && counts(lines, d.sep):
		return d, f.countError(lines[0])
	}
	d.format, d.header = Lines, true
	d.why = fmt.Sprintf("a walk a line below the header %q, %s", name, f.sepSaid(d))
	return d, nil
}

// findWalkColumn sets the column of whole walks of a table, where a separator of tokens is given that tables do not
// have, and the first row names one such column.
func (f *file) findWalkColumn(lines []string) {
	if f.o.Sep == "" || f.o.Walk != "" || strings.Contains(",;\t", tokens.Separator(f.o.Sep)) || len(lines) == 0 {
		return
	}
	sep := table.Separator([]byte(strings.Join(lines, "\n")+"\n"), table.Options{Separators: ",;\t"})
	if sep == 0 {
		return
	}
	var found []string
	for _, cell := range table.Cells(lines[0], sep) {
		if header.IsWalk(cell) {
			found = append(found, strings.TrimSpace(cell))
		}
	}
	if len(found) == 1 {
		f.o.Walk = found[0]
	}
}

// sample returns the lines of the head of a text that are not blank, but for one that may be cut off.
func sample(head string) (lines []string) {
	for line := range strings.Lines(head) {
		bare := strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(bare) == "" || bare == line && len(lines) > 0 && len(head) >= 1<<15 {
			continue
		}
		lines = append(lines, bare)
	}
	return lines
}

// sepSaid says what separates tokens, and whether some are in quotes.
func (f *file) sepSaid(d decision) string {
	if f.quotes {
		return tokens.Said(d.sep) + ", those in quotes whole"
	}
	return tokens.Said(d.sep)
}

// separator decides what separates tokens; table says that the file's name is of a table.
func (f *file) separator(lines []string, isTable bool) (string, error) {
	if f.o.Sep != "" && f.o.Walk == "" {
		return tokens.Separator(f.o.Sep), nil
	}
	has := func(chars string) bool {
		return slices.ContainsFunc(lines, func(s string) bool { return strings.ContainsAny(s, chars) })
	}
	if isTable || f.o.Walk != "" || f.o.Format == Wide || f.o.Format == Events {
		if sep := table.Separator([]byte(strings.Join(lines, "\n")+"\n"), table.Options{Separators: ",;\t"}); sep != 0 {
			return string(sep), nil
		}
		if has(",") {
			return ",", nil
		}
	}
	lines, quotes := tokens.Masks(lines)
	if !has(",;\t") {
		if sep, err := tokens.Arrow(lines); sep != "" || err != nil {
			f.quotes = quotes
			return sep, err
		}
	}
	blanks := slices.ContainsFunc(lines, func(s string) bool { // other than after a comma or semicolon
		s = strings.NewReplacer(", ", ",", "; ", ";", " ,", ",", " ;", ";").Replace(strings.TrimSpace(s))
		return strings.Contains(s, " ")
	})
	switch comma, semicolon := has(","), has(";"); {
	case has("\t") && !comma && !semicolon && !blanks, has("\t") && f.o.Format == NGram:
		return "\t", nil
	case has("\t"):
		return "", undecided("the lines have tabs and other separators: say --sep tab, space or comma")
	case comma && semicolon:
		return "", undecided("the lines have commas and semicolons: say --sep comma or --sep semicolon")
	case (comma || semicolon) && blanks:
		return "", undecided("the lines have blanks, and commas or semicolons: say --sep space, comma or semicolon")
	case comma:
		return ",", nil
	case semicolon:
		return ";", nil
	case has(" ") || quotes: // or single names, in quotes
		if dash := tokens.Dash(lines); dash != "" {
			return "", undecided("%s stands between blanks in each line: does it separate places? say --sep ' %[1]s ' if so, "+
				"or --sep space", dash)
		}
		f.quotes = quotes
		return tokens.Space, nil
	}
	return tokens.Letters, nil
}

// counts reports whether the last token of each line is a whole number, and no other is: it may be a count.
func counts(lines []string, sep string) bool {
	if sep == tokens.Letters || len(lines) == 0 {
		return false
	}
	for _, s := range lines {
		cells := tokens.Split(nil, s, sep)
		if len(cells) < 2 || !whole(cells[len(cells)-1]) || slices.ContainsFunc(cells[:len(cells)-1], whole) {
			return false
		}
	}
	return true
}

// countError asks what the last token of each line is.
func (f *file) countError(line string) error {
	return undecided("is the last token of each line, as in %q, a count? say %s ngram if it is, or %[2]s lines or csv",
		line, f.o.Flag)
}

func whole(s string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(s))
	return err == nil
}
