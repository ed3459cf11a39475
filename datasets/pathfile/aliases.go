package pathfile

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// aliasColumns are the columns of a file of other names.
var aliasColumns = []table.Column{
	{Name: "alias", Also: []string{"stop_name", "other name"}, Must: true},
	{Name: "name", Also: []string{"stop_id", "vertex", "node", "place"}, Must: true},
}

// ReadAliases reads other names of g's vertices from separated text: rows of alias and name below a header, which may
// be that of a GTFS stops.txt (stop_name and stop_id), with the columns in any order, and others, which are not used.
// Separators, encodings and names are those of ReadCSV. An alias may stand for several names. The result is the names
// by alias, those of vertices as g has them; an alias that is the name of a vertex, and one of what g lacks, are left
// out. note, where it is given, is called with what was found out and left out, a line each.
//
// Errors name the file, the line and the field: a header that lacks a column, an empty alias or name, a row longer than
// the header, a file without an alias.
func ReadAliases(name string, r io.Reader, g *ddps.LayeredGraph, note ...func(text string)) (map[string][]string,
	error) {
	x := aliasReader{known: map[string]string{}, list: map[string][]string{}}
	for v := range g.NumVertices() {
		called := g.Name(v)
		x.known[names.Normal(called)] = called
		x.all = append(x.all, called)
	}
	notes, err := table.Rows(r, table.Options{Separators: ",;\t", At: table.AtLine(name), Fits: func(row []string) bool {
		m, err := table.Header(row, aliasColumns)
		return err != nil || m.Missing(aliasColumns) == nil
	}}, aliasColumns, func([]string) bool { return false }, x.row)
	if err != nil {
		return nil, err
	}
	if x.rows == 0 {
		return nil, table.AtLine(name)(0, errors.New("no aliases: expected a header alias,name and rows below it"))
	}
	for _, text := range append(notes, x.notes()...) {
		for _, f := range note {
			f(text)
		}
	}
	return x.list, nil
}

// aliasReader is the work of one ReadAliases.
type aliasReader struct {
	all   []string            // names of vertices
	known map[string]string   // by normal form
	list  map[string][]string // names by alias
	rows  int

	lacking, shadowing []string // rows that are left out
	first              string   // name of the first that is lacking
}

// row takes an alias and a name.
func (x *aliasReader) row(cells []string) error {
	x.rows++
	alias, name := names.Normal(cells[0]), names.Normal(cells[1])
	called, ok := x.known[name]
	_, shadows := x.known[alias]
	switch {
	case !ok:
		if len(x.lacking) == 0 {
			x.first = name
		}
		x.lacking = append(x.lacking, fmt.Sprintf("%q for %q", alias, name))
	case alias == name: // says nothing
	case shadows:
		x.shadowing = append(x.shadowing, fmt.Sprintf("%q for %q", alias, name))
	case !slices.Contains(x.list[alias], called):
		x.list[alias] = append(x.list[alias], called)
	}
	return nil
}

// notes says what is left out.
func (x *aliasReader) notes() (notes []string) {
	if len(x.shadowing) > 0 {
		notes = append(notes, "aliases that vertices have as their names, which mean those vertices: "+
			names.SomeOf(x.shadowing))
	}
	if len(x.lacking) > 0 {
		notes = append(notes, fmt.Sprintf("aliases of no vertex of the graph, which are left out: %s%s",
			names.SomeOf(x.lacking), names.Meant(x.first, x.all)))
	}
	return notes
}
