package cli

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// Rows says where the paths of a file stand in it, and which of its walks are no paths of the graph.
type Rows struct {
	At    []Row // by path of the data; nil where it is not known
	Stray []Row // different ones, in the order in which they first come
	Total int   // of Stray, repeats counted
}

// Row is where a walk first stands.
type Row struct {
	Names  []string // of a stray
	Count  int      // of a stray
	Line   int      // from 1; 0: not known
	Case   string   // of an event log
	Reason string   // why it is a stray
}

// ReadRows is ReadPaths by the flags of reading, which says where the paths stand. Walks by name that are no paths of
// the graph are left out and counted; it is an error if none is one. So are the flags where g's paths are not walks.
func (w *WalkFlags) ReadRows(a *App, cmd *cobra.Command, file string, g *ddps.LayeredGraph, by string) (*datasets.Data,
	*Rows, error) {
	if reading, _ := w.Given(cmd); len(reading) > 0 && (!g.Walks() || by == "number") {
		return nil, nil, Usagef("%s: of files of walks, and %s is read as paths of one length, or by numbers",
			strings.Join(reading, ", "), file)
	}
	switch {
	case by == "number":
		d, err := a.ReadPaths(file, g, by)
		return d, &Rows{}, err
	case g.Walks():
		return w.walkRows(a, file, g)
	}
	return a.pathRows(file, g)
}

// walkRows reads a file of walks as paths of a graph made before.
func (w *WalkFlags) walkRows(a *App, file string, g *ddps.LayeredGraph) (*datasets.Data, *Rows, error) {
	walks, err := w.Read(a, file)
	if err != nil {
		return nil, nil, err
	}
	d, report := sequences.On(g, walks)
	if err = w.left(a, report); err == nil && d == nil {
		err = noPath(file, report)
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := sequences.NewMapper(g)
	if err != nil {
		return nil, nil, err
	}
	rows, p := &Rows{Total: report.Total()}, make(ddps.Path, g.NumLayers())
	seen := map[string]int{} // walk → −1 for a path, else its number among the strays
	for i := range walks.Len() {
		key := make([]byte, 0, 64)
		for _, t := range walks.At(i) {
			key = binary.AppendUvarint(key, uint64(t))
		}
		if k, before := seen[string(key)]; before {
			if k >= 0 {
				rows.Stray[k].Count += walks.Count(i)
			}
			continue
		}
		_, line := walks.Where(i)
		r := Row{Line: line, Case: walks.Case(i)}
		if err := m.Walk(walks.Names(i), p); err == nil {
			seen[string(key)], rows.At = -1, append(rows.At, r)
			continue
		} else if !errors.As(err, new(*sequences.LeftOut)) {
			return nil, nil, err
		} else {
			r.Names, r.Count, r.Reason = walks.Names(i), walks.Count(i), Message(err)
		}
		seen[string(key)], rows.Stray = len(rows.Stray), append(rows.Stray, r)
	}
	return d, rows, nil
}

// pathRows reads a file of paths of one length by name.
func (a *App) pathRows(file string, g *ddps.LayeredGraph) (*datasets.Data, *Rows, error) {
	end := a.Working("reading " + file)
	d, found, err := a.readRows(file, g)
	if end(); err != nil {
		return nil, nil, err
	}
	for _, text := range d.Notes {
		a.Notef("%s: %s", file, text)
	}
	rows, seen := &Rows{}, map[string]int{}
	for _, line := range found.Lines {
		rows.At = append(rows.At, Row{Line: line})
	}
	for _, s := range found.Stray {
		key := fmt.Sprintf("%q", s.Names)
		k, before := seen[key]
		if !before {
			k = len(rows.Stray)
			seen[key] = k
			rows.Stray = append(rows.Stray, Row{Names: s.Names, Line: s.Line, Reason: Message(s.Err)})
		}
		rows.Stray[k].Count += s.Count
		rows.Total += s.Count
	}
	if rows.Total > 0 {
		first := rows.Stray[0]
		a.Notef("left out %s: no paths of the graph (first: %s:%d: %s)", Whole(rows.Total), file, first.Line, first.Reason)
	}
	return d, rows, nil
}

// readRows reads a file, or standard input.
func (a *App) readRows(file string, g *ddps.LayeredGraph) (*datasets.Data, *pathfile.Rows, error) {
	if file != "-" {
		return pathfile.ReadRows(file, g)
	}
	format, err := a.inputFormat()
	if err != nil {
		return nil, nil, err
	}
	return pathfile.ReadRowsFrom(standardInput, a.Input(), format, g)
}
