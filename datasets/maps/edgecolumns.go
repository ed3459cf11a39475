package maps

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ddps-go/ddps/datasets/internal/table"
)

// edgeColumns are the columns of an edge list.
var edgeColumns = []table.Column{
	{Name: "from", Also: []string{"source", "origin", "start", "tail", "u", "src", "from_node", "from_id", "source_id",
		"node1", "start_node"}, Must: true},
	{Name: "to", Also: []string{"target", "destination", "end", "head", "v", "dst", "to_node", "to_id", "target_id",
		"node2", "end_node"}, Must: true},
	{Name: "length", Also: []string{"metres", "meters", "length_m", "distance", "distance_m", "weight"}},
	{Name: "from_lon", Also: []string{"from_x", "from_longitude", "source_lon"}},
	{Name: "from_lat", Also: []string{"from_y", "from_latitude", "source_lat"}},
	{Name: "to_lon", Also: []string{"to_x", "to_longitude", "target_lon"}},
	{Name: "to_lat", Also: []string{"to_y", "to_latitude", "target_lat"}},
	{Name: "travel_time", Also: []string{"travel_time_s", "travel_time_sec", "travel_time_seconds"}},
	{Name: "travel_time_min", Also: []string{"travel_time_minutes"}},
	{Name: "street", Also: []string{"street_name", "road", "road_name"}},
	{Name: "oneway", Also: []string{"one_way", "is_oneway", "directed"}},
}

// placeColumns are the columns of a table of coordinates.
var placeColumns = []table.Column{
	{Name: "name", Also: []string{"node", "id", "node_id", "place", "label"}, Must: true},
	{Name: "lon", Also: []string{"longitude", "lng", "x"}, Must: true}, {Name: "lat", Also: []string{"latitude", "y"},
		Must: true},
}

// edgeOptions are those of an edge list and of a table of coordinates, errors with what it is.
func edgeOptions(what string, columns []table.Column) table.Options {
	return table.Options{Separators: "\t;, ", Comment: '#', Fits: func(row []string) bool {
		if strings.Contains(row[0], " {") { // a comma within the braces of NetworkX
			return false
		}
		m, err := table.Header(row, columns)
		return err != nil || m.Missing(columns) == nil || len(row) >= 2 && m.Found == 0
	}, At: func(line int, err error) error {
		if line == 0 {
			return fmt.Errorf("%s: %w", what, err)
		}
		return fmt.Errorf("%s: line %d: %w", what, line, err)
	}}
}

// looksLikeEdges reports whether text begins like an edge list: two or more fields,
// and where only spaces separate them such a header, or lines that spaced takes.
func looksLikeEdges(text []byte) bool {
	if bytes.IndexByte(text, 0) >= 0 {
		return false
	}
	if bytes.IndexByte(text, '\n') < 0 { // lines may end in CR alone
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	text = text[table.SepLine(text):]
	o := edgeOptions("", edgeColumns)
	sep, first := table.Separator(text, o), table.First(text, '#')
	if sep == ' ' {
		m, err := table.Header(strings.Fields(first), edgeColumns)
		return err == nil && m.Missing(edgeColumns) == nil || spaced(text)
	}
	return sep != 0 && utf8.ValidString(first)
}

// spaced reports whether the first lines, at most 20, are edges with spaces between their fields: two names, then
// nothing, a number, or data in braces. So that prose is none, one of them has more than names, or names that are whole
// numbers, or a name of a line before.
func spaced(text []byte) bool {
	seen, sure, n := map[string]bool{}, false, 0
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if n > 0 && !strings.HasSuffix(line, "\n") && len(text) == edgesSize || n == 20 {
			break // cut off, or enough
		}
		if len(f) < 2 || !utf8.ValidString(line) {
			return false
		}
		more := len(f) > 2
		if more && !(len(f) == 3 && table.IsNumber(f[2])) && !strings.HasPrefix(f[2], "{") {
			return false
		}
		sure = sure || more || isWhole(f[0]) && isWhole(f[1]) || seen[f[0]] || seen[f[1]]
		seen[f[0]], seen[f[1]] = true, true
		n++
	}
	return sure
}

func isWhole(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}
