package blocks

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// walkRows parses rows of walks by name as pathfile.NewWriter writes them: CSV with columns v1, … and perhaps count,
// where cells behind the end of a walk are empty, or {"path": […], "count": n} a line.
type walkRows struct {
	m     *sequences.Mapper
	place []int // columns, in order
	count int   // column, −1 for none
	names []string
}

// newWalkRows returns the parser of a file that begins with head, and how many bytes at the head are no rows. The error
// is of a CSV file without a header.
func newWalkRows(g *ddps.LayeredGraph, format string, head []byte) (parse func(string, ddps.Path) (int, error),
	skip int64, err error) {
	r := &walkRows{count: -1}
	if r.m, err = sequences.NewMapper(g); err != nil || format == pathfile.JSONL {
		return r.json, 0, err
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	header := strings.Split(strings.TrimPrefix(strings.TrimSpace(string(first)), "\ufeff"), ",")
	for i, name := range header {
		header[i] = names.Folded(name)
	}
	for k := 1; ; k++ {
		i := slices.Index(header, "v"+strconv.Itoa(k))
		if i < 0 {
			break
		}
		r.place = append(r.place, i)
	}
	r.count = slices.Index(header, "count")
	if len(r.place) == 0 {
		return nil, 0, fmt.Errorf("no header v1,v2,… of walks: 'ddps paths convert' writes one")
	}
	for i, name := range header {
		if i != r.count && !slices.Contains(r.place, i) {
			return nil, 0, fmt.Errorf("column %q is neither one of v1, v2, … nor count, or is the second of its name: "+
				"'ddps paths convert' writes files without others", name)
		}
	}
	return r.csv, int64(len(first)) + 1, nil
}

func (r *walkRows) csv(line string, p ddps.Path) (int, error) {
	cells := strings.Split(line, ",")
	if strings.IndexByte(line, '"') >= 0 {
		c := csv.NewReader(strings.NewReader(line))
		c.FieldsPerRecord = -1
		var err error
		if cells, err = c.Read(); err != nil {
			return 0, err
		}
	}
	r.names = r.names[:0]
	for _, i := range r.place {
		if i < len(cells) {
			r.names = append(r.names, cells[i])
		}
	}
	for len(r.names) > 0 && r.names[len(r.names)-1] == "" {
		r.names = r.names[:len(r.names)-1]
	}
	n := 1
	if r.count >= 0 && r.count < len(cells) {
		var err error
		if n, err = strconv.Atoi(cells[r.count]); err != nil || n < 1 {
			return 0, fmt.Errorf("count %q is not a whole number of 1 or more", cells[r.count])
		}
	}
	return n, r.m.Walk(r.names, p)
}

func (r *walkRows) json(line string, p ddps.Path) (int, error) {
	keys, object, err := input.Object([]byte(line))
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		if key != "path" && key != "count" {
			return 0, fmt.Errorf("key %q is neither path nor count", key)
		}
	}
	list, is := object["path"].([]any)
	if !is {
		return 0, errors.New("field path: it is no list of places")
	}
	r.names = r.names[:0]
	for k, x := range list {
		switch x := x.(type) {
		case string:
			r.names = append(r.names, x)
		case json.Number:
			r.names = append(r.names, x.String())
		default:
			return 0, fmt.Errorf("field path[%d] is neither a name nor a number", k)
		}
	}
	n := 1
	if x, has := object["count"]; has {
		text, is := x.(json.Number)
		if n, err = strconv.Atoi(text.String()); !is || err != nil || n < 1 {
			return 0, fmt.Errorf("count %v is not a whole number of 1 or more", x)
		}
	}
	return n, r.m.Walk(r.names, p)
}
