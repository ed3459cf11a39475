package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// WalkFlags are the flags of a command that reads files of walks (package sequences) and makes a graph of them.
type WalkFlags struct {
	read    sequences.ReadOptions
	make    sequences.Options
	edges   string
	missing []string
	strict  bool

	reading, making []string // names of flags
}

// The rules of --edges; anything else is a file of moves.
const (
	edgesSeen = "seen"
	edgesAll  = "all"
)

// ReadVars adds the flags that say how files are read, in a group of their own.
func (w *WalkFlags) ReadVars(cmd *cobra.Command) { w.ReadVarsOf(cmd, "format") }

// ReadVarsOf is ReadVars with another name for --format, which a command has for what it writes.
func (w *WalkFlags) ReadVarsOf(cmd *cobra.Command, format string) {
	var formats []string
	for _, f := range sequences.Formats() {
		formats = append(formats, string(f))
	}
	f := cmd.Flags()
	ChoiceVar(cmd, (*string)(&w.read.Format), format, "", "", formats, "format of files of walks, by default decided "+
		"by their content")
	f.StringVar(&w.read.Sep, "sep", "", "`text` that separates tokens, or one of space, tab, comma, semicolon, letters "+
		"(by default decided)")
	ChoiceVar(cmd, &w.read.Header, "header", "", "", []string{"yes", "no"}, "whether the first row of a table names "+
		"its columns (by default decided)")
	f.StringSliceVar(&w.read.Columns, "columns", nil, "`names` of the columns of a table that are places, in order; "+
		"a..b for those from a to b")
	f.StringVar(&w.read.Walk, "walk", "", "`name` of the column of a table that holds whole walks")
	f.StringVar(&w.read.Case, "case", "", "of an event log, the `column` of the walk that an event is of")
	f.StringVar(&w.read.Time, "time", "", "of an event log, the `column` of times; of XES the key")
	f.StringVar(&w.read.Place, "place", "", "of an event log, the `column` of places; of XES the key")
	ChoiceVar(cmd, &w.read.Dates, "dates", "", "", []string{"day", "month", "year"}, "what comes first in dates such as "+
		"03/04/2024 (by default decided by the column)")
	f.StringSliceVar(&w.missing, "missing", nil, "`cells` at the end of a row that are no place, like NA; none if all "+
		"are places")
	f.BoolVar(&w.strict, "strict", false, "a walk or row that is left out is an error, and nothing is written")
	w.reading = []string{format, "sep", "header", "columns", "walk", "case", "time", "place", "dates", "missing", "strict"}
	GroupFlags(cmd, "Reading walks", w.reading...)
}

// MakeVars adds the flags that say how a graph is made of walks, in a group of their own.
func (w *WalkFlags) MakeVars(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.edges, "edges", edgesSeen, "which moves there are: seen (in any position), all, or a `file` of from,to")
	f.StringArrayVar(&w.make.Starts, "start", nil, "a `place` where walks may begin; others are left out; may be "+
		"repeated (by default any)")
	f.StringArrayVar(&w.make.Ends, "end", nil, "a `place` where walks may end; others are left out; may be repeated "+
		"(by default any)")
	CountVar(cmd, &w.make.Prefix, "prefix", "", 0, 0, "cut walks to so many first places (0: no)")
	CountVar(cmd, &w.make.MaxLength, "max-length", "", 0, 0, "leave out walks of more places, after --prefix (0: none)")
	CountVar(cmd, &w.make.MinCount, "min-count", "", 0, 0, "leave out walks through a place that fewer walks pass")
	w.making = []string{"edges", "start", "end", "prefix", "max-length", "min-count"}
	FileFlag(cmd, "edges")
	GroupFlags(cmd, "Graph of the walks", w.making...)
}

// Given returns the names of the flags of reading, or of making, that the command line has, with their dashes.
func (w *WalkFlags) Given(cmd *cobra.Command) (reading, making []string) {
	changed := func(names []string) (list []string) {
		for _, n := range names {
			if cmd.Flags().Changed(n) {
				list = append(list, "--"+n)
			}
		}
		return list
	}
	return changed(w.reading), changed(w.making)
}

// Read reads files of walks, and notes what their readers decided and left out.
func (w *WalkFlags) Read(a *App, files ...string) (*sequences.Walks, error) {
	o := w.read
	if o.Missing = w.missing; slices.Equal(w.missing, []string{"none"}) {
		o.Missing = []string{}
	}
	o.Input, o.Flag = a.Input(), "--input-format" // that of paths convert
	if len(w.reading) > 0 {
		o.Flag = "--" + w.reading[0]
	}
	end := a.Working("reading " + strings.Join(files, ", "))
	walks, err := sequences.ReadFile(o, files...)
	end()
	if undecided := (sequences.UndecidedError{}); len(w.reading) == 0 && errors.As(err, &undecided) {
		err = fmt.Errorf("%w (flags of 'ddps paths convert', without a GRAPH: what it writes is read without them)", err)
	}
	if err != nil {
		return nil, err
	}
	a.Notes(walks.Notes)
	return walks, w.left(a, &walks.Report)
}

// left notes what is left out, or returns it as the error of --strict.
func (w *WalkFlags) left(a *App, r *sequences.Report) error {
	for _, l := range r.List() {
		a.Notef("%s", l)
	}
	if n := r.Total(); w.strict && n > 0 {
		return fmt.Errorf("--strict: %s left out, so nothing is written", Whole(n))
	}
	return nil
}

// Make makes a graph of sets of walks, and notes what is left out.
func (w *WalkFlags) Make(a *App, sets ...*sequences.Walks) (*sequences.Result, error) {
	o := w.make
	switch w.edges {
	case edgesSeen, "":
		o.Edges = sequences.Seen
	case edgesAll:
		o.Edges = sequences.All
	default:
		var err error
		if o.Moves, err = readMoves(a, w.edges); err != nil {
			return nil, err
		}
		o.Edges = sequences.Given
	}
	r, err := sequences.Make(o, sets...)
	if err != nil {
		return nil, err
	}
	a.Notes(r.Notes)
	return r, w.left(a, &r.Report)
}

// readMoves reads a file of moves.
func readMoves(a *App, path string) ([][2]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--edges %s: %w, and it is neither seen nor all", path, Reason(err))
	}
	defer f.Close()
	moves, notes, err := sequences.ReadMoves(path, f)
	if err == nil {
		a.Notes(notes)
	}
	return moves, err
}

// Paths reads files of walks as paths of a graph made before. The report is of walks that are no path of it; the data
// are nil where none is.
func (w *WalkFlags) Paths(a *App, g *ddps.LayeredGraph, files ...string) (*datasets.Data, *sequences.Report, error) {
	walks, err := w.Read(a, files...)
	if err != nil {
		return nil, nil, err
	}
	d, r := sequences.On(g, walks)
	return d, r, w.left(a, r)
}

// LoadPaths is App.LoadPaths by the flags of reading.
func (w *WalkFlags) LoadPaths(a *App, cmd *cobra.Command, graph, file, by string) (*datasets.Data, error) {
	if reading, _ := w.Given(cmd); len(reading) == 0 {
		return a.LoadPaths(graph, file, by)
	}
	g, err := LoadGraph(graph)
	if err != nil {
		return nil, err
	}
	d, _, err := w.ReadRows(a, cmd, file, g, by)
	return d, err
}

// noPath is the error of a file without a path of the graph.
func noPath(file string, r *sequences.Report) error {
	why := ""
	if list := r.List(); len(list) > 0 {
		why = ": " + list[0].String()
	}
	return fmt.Errorf("%s: no walk is a path of the graph%s", file, why)
}

// WalksNote says what walks are, in a line: how many, how many of them differ, how long.
func WalksNote(d *datasets.Data) string {
	names := sequences.Names(d.Graph)
	least, most, sum := 0, 0, 0
	for i, p := range d.Paths {
		n := len(names(p))
		if i == 0 || n < least {
			least = n
		}
		most, sum = max(most, n), sum+n*d.Counts[i]
	}
	total := d.Total()
	if least == most {
		return fmt.Sprintf("%s walks, %s distinct, of %d places", Whole(total), Whole(len(d.Paths)), most)
	}
	return fmt.Sprintf("%s walks, %s distinct, of %d to %d places, %s on average", Whole(total), Whole(len(d.Paths)),
		least, most,
		Real3(float64(sum)/float64(total)))
}
