package pathfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// ReadJSONL reads paths of g from JSON Lines, a path per line:
//
//	{"path": ["source", "dummy1", 3], "count": 2}
//
// A string is a vertex's name (ddps.LayeredGraph.Name), a number its number in the graph, 0…V-1. count is optional, a
// whole number of at least 1. The keys may be called otherwise, as the columns of ReadCSV are; other keys, and a key
// that stands twice, are refused. Empty lines and a byte-order mark are skipped, lines that repeat a path add up. name
// only serves the messages. Errors are those of ReadCSV.
func ReadJSONL(name string, r io.Reader, g *ddps.LayeredGraph) (*datasets.Data, error) {
	return readJSONL(name, r, newGather(g))
}

func readJSONL(name string, r io.Reader, b *gather) (*datasets.Data, error) {
	in := input.Lines(input.Text(input.Unpacked(r)))
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		if text := bytes.TrimSpace(text); len(text) > 0 {
			if err := b.line(text, number); err != nil {
				return nil, fmt.Errorf("datasets: %s:%d: %w", name, number, err)
			}
		}
		if err == io.EOF {
			return b.done(name)
		}
	}
}

// line adds one line of a JSON Lines file.
func (b *gather) line(text []byte, number int) error {
	p := make(ddps.Path, b.g.NumLayers())
	n, cells, err := b.parseLine(text, p)
	var list []string
	for _, c := range cells {
		list = append(list, fmt.Sprint(c))
	}
	return b.take(p, list, n, number, err)
}

// parseLine reads one line of a JSON Lines file into p and returns the count and what the path is there.
func (b *gather) parseLine(text []byte, p ddps.Path) (n int, list []any, err error) {
	keys, object, err := input.Object(text)
	if err != nil {
		return 0, nil, err
	}
	path, count, err := b.pathKeys(keys)
	if err != nil {
		return 0, nil, err
	}
	list, is := object[path].([]any)
	switch {
	case path != "" && !is:
		return 0, nil, errors.New("field path: it is no list of vertices")
	case len(list) != len(p):
		return 0, nil, fmt.Errorf("field path: %d vertices, expected %d", len(list), len(p))
	}
	var none error
	for l, v := range list {
		if p[l], err = b.jsonVertex(l, v); err == nil {
			continue
		}
		if err = fmt.Errorf("field path[%d]: %w", l, err); !errors.As(err, &stray{}) {
			return 0, nil, err
		}
		none = cmp.Or(none, err)
	}
	if n = 1; count != "" {
		if n, err = jsonCount(object[count]); err != nil {
			return 0, nil, err
		}
	}
	return n, list, none
}

// jsonVertex finds a vertex by a value, a name or a number.
func (b *gather) jsonVertex(l int, v any) (int, error) {
	switch v := v.(type) {
	case string:
		return b.named(l, v)
	case json.Number:
		return b.numbered(l, v.String())
	case nil:
		return 0, errors.New("null is neither a name nor a number")
	}
	return 0, fmt.Errorf("%v is neither a name nor a number", v)
}

// pathKeys returns the keys of the path and of the count, "" for none. The error names a key of neither.
func (b *gather) pathKeys(keys []string) (path, count string, err error) {
	all := func(string) bool { return true }
	if path, err = b.keys.Find(keys, b.words, all); err != nil {
		return "", "", err
	}
	if count, err = b.keys.Find(keys, countWords, all); err != nil {
		return "", "", err
	}
	for _, key := range keys {
		if key != path && key != count {
			return "", "", fmt.Errorf("key %q is neither path nor count%s", key, names.Meant(key, []string{"path", "count"}))
		}
	}
	return path, count, nil
}

// jsonCount reads a count, a number or a text of one.
func jsonCount(value any) (n int, err error) {
	switch v := value.(type) {
	case json.Number:
		n, err = count(v.String())
	case string:
		n, err = count(v)
	case nil:
		err = errors.New("it is null")
	default:
		err = errors.New("it is no number")
	}
	if err != nil {
		return 0, fmt.Errorf("field count: %w", err)
	}
	return n, nil
}

// WriteJSONL writes the data with counts, vertices as strings ByName and as
// numbers ByNumber: what ReadJSONL reads.
func WriteJSONL(w io.Writer, d *datasets.Data, by Vertices) error {
	return WritePaths(NewJSONLWriter(w, d.Graph, by), d)
}

// jsonlWriter writes a JSON object a line.
type jsonlWriter struct {
	g    *ddps.LayeredGraph
	by   Vertices
	out  *bufio.Writer
	json *json.Encoder
	row  struct {
		Path  []any `json:"path"`
		Count int   `json:"count"`
	}
	rows int
}

// NewJSONLWriter returns a writer of JSON Lines: {"path": […], "count": n} a line.
func NewJSONLWriter(w io.Writer, g *ddps.LayeredGraph, by Vertices) Writer {
	j := &jsonlWriter{g: g, by: by, out: bufio.NewWriter(w)}
	j.json = json.NewEncoder(j.out)
	j.json.SetEscapeHTML(false)
	j.row.Path = make([]any, g.NumLayers())
	return j
}

func (j *jsonlWriter) Write(p ddps.Path, count int) error {
	for l, v := range p {
		if j.row.Path[l] = v; j.by == ByName {
			j.row.Path[l] = j.g.Name(v)
		}
	}
	j.row.Count = count
	j.rows++
	if err := j.json.Encode(j.row); err != nil {
		return fmt.Errorf("datasets: jsonl: path %d: %w", j.rows, err)
	}
	return nil
}

func (j *jsonlWriter) Close() error {
	if err := j.out.Flush(); err != nil {
		return fmt.Errorf("datasets: jsonl: %w", err)
	}
	return nil
}
