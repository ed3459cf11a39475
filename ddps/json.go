package ddps

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/ddps-go/ddps/internal/jsonkeys"
)

// GraphFormat and GraphVersion are at the head of a graph's JSON form.
//
//	{
//	  "format": "ddps-graph", "version": 1,
//	  "attributes": {"name": "example"},
//	  "layers":      [[[0, 1, 2]], [[0, 1], [0, 2], [1, 2]], …],   layer → vertex → positions in the next layer
//	  "names":       [["A"], ["B", "C", "D"], …],                  optional, like the four below
//	  "coordinates": [[[24.94, 60.17]], …],
//	  "places":      [[3], …],
//	  "ids":         [[0], …]
//	}
//
// The last layer's successor lists are empty. See Meta for what the optional fields mean.
const (
	GraphFormat  = "ddps-graph"
	GraphVersion = 1
)

// graphJSON is the JSON form; fields by layer, then by vertex.
type graphJSON struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	Attributes  map[string]string `json:"attributes,omitempty"`
	Layers      [][][]int         `json:"layers"`
	Names       [][]string        `json:"names,omitempty"`
	Coordinates [][]point         `json:"coordinates,omitempty"`
	Places      [][]int           `json:"places,omitempty"`
	IDs         [][]int           `json:"ids,omitempty"`
}

// point is a vertex's coordinates: exactly two numbers, where encoding/json would fill up or drop silently.
type point [2]float64

// UnmarshalJSON reads an array of two numbers.
func (p *point) UnmarshalJSON(data []byte) error {
	var xy []*float64
	if err := json.Unmarshal(data, &xy); err != nil || len(xy) != 2 || xy[0] == nil || xy[1] == nil {
		return fmt.Errorf("field coordinates: %s is not two numbers", data)
	}
	*p = point{*xy[0], *xy[1]}
	return nil
}

// convert copies coordinates from one form to the other; nil stays nil.
func convert[To, From ~[2]float64](s []From) []To {
	if s == nil {
		return nil
	}
	out := make([]To, len(s))
	for i, p := range s {
		out[i] = To(p)
	}
	return out
}

// ReadGraph reads a graph from its JSON form and checks it as New and WithMeta do. Errors name the line of a
// syntax error, or the field, layer and vertex that are wrong; a wrong format or version is refused.
func ReadGraph(r io.Reader) (*LayeredGraph, error) {
	data, err := readObject(r)
	if err != nil {
		return nil, fmt.Errorf("ddps: graph: %w", err)
	}
	var j graphJSON
	if err := decodeStrict(data, &j); err != nil {
		return nil, fmt.Errorf("ddps: graph: %w", err)
	}
	if line := jsonkeys.Null(data); line > 0 {
		return nil, fmt.Errorf("ddps: graph: line %d: null is no value of a field", line)
	}
	if j.Format != GraphFormat {
		return nil, fmt.Errorf("ddps: graph: field format is %q, expected %q", j.Format, GraphFormat)
	}
	if j.Version != GraphVersion {
		return nil, fmt.Errorf("ddps: graph: version %d, this program reads version %d", j.Version, GraphVersion)
	}
	return j.graph()
}

// maxJSON is the most bytes of a graph's JSON form.
const maxJSON = 512 << 20

// readObject reads the text of a JSON object to its end, and of what begins as none only the start.
func readObject(r io.Reader) ([]byte, error) {
	in := bufio.NewReaderSize(r, 1<<12)
	most := int64(maxJSON)
	if head, _ := in.Peek(1 << 12); !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) && len(head) > 0 {
		most = 1 << 12
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(data) > maxJSON {
		err = fmt.Errorf("more than %d MiB", maxJSON>>20)
	}
	return data[:min(int64(len(data)), most)], err
}

// graph builds the graph that j describes.
func (j *graphJSON) graph() (*LayeredGraph, error) {
	sizes := make([]int, len(j.Layers))
	var heads [][]int
	for l, layer := range j.Layers {
		sizes[l] = len(layer)
		next := 0
		if l+1 < len(j.Layers) {
			next = len(j.Layers[l+1])
		}
		base := len(heads) + len(layer)
		for i, succ := range layer {
			hs := make([]int, len(succ))
			for d, s := range succ {
				if s < 0 || s >= next {
					return nil, fmt.Errorf("ddps: graph: layers[%d][%d][%d]: %d is no position in the next layer (0…%d)",
						l, i, d, s, next-1)
				}
				hs[d] = base + s
			}
			heads = append(heads, hs)
		}
	}
	g, err := New(sizes, heads)
	if err != nil {
		return nil, err
	}
	m, xy := Meta{Attr: j.Attributes}, []point(nil)
	if err := errors.Join(flatten("names", &m.Names, j.Names, sizes), flatten("coordinates", &xy, j.Coordinates, sizes),
		flatten("places", &m.Place, j.Places, sizes), flatten("ids", &m.ID, j.IDs, sizes)); err != nil {
		return nil, err
	}
	m.XY = convert[[2]float64](xy)
	return g.WithMeta(m)
}

// flatten joins a field's layers into one slice, checking their sizes.
func flatten[T any](field string, dst *[]T, layers [][]T, sizes []int) error {
	if layers == nil {
		return nil
	}
	if len(layers) != len(sizes) {
		return fmt.Errorf("ddps: graph: %s: %d layers, expected %d", field, len(layers), len(sizes))
	}
	for l, layer := range layers {
		if len(layer) != sizes[l] {
			return fmt.Errorf("ddps: graph: %s[%d]: %d entries for %d vertices", field, l, len(layer), sizes[l])
		}
		*dst = append(*dst, layer...)
	}
	return nil
}

// WriteTo writes the graph's JSON form, a line a field, and returns the number of bytes.
func (g *LayeredGraph) WriteTo(w io.Writer) (int64, error) {
	j := graphJSON{Format: GraphFormat, Version: GraphVersion, Attributes: g.meta.Attr,
		Names: split(g, g.meta.Names), Coordinates: split(g, convert[point](g.meta.XY)), Places: split(g, g.meta.Place),
		IDs: split(g, g.meta.ID)}
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		layer := make([][]int, hi-lo)
		for v := lo; v < hi; v++ {
			layer[v-lo] = make([]int, g.Degree(v))
			for d, w := range g.From(v) {
				layer[v-lo][d] = w - hi
			}
		}
		j.Layers = append(j.Layers, layer)
	}
	data, err := json.Marshal(j)
	if err != nil {
		return 0, fmt.Errorf("ddps: graph: %w", err)
	}
	for _, field := range []string{`"attributes":`, `"layers":`, `"names":`, `"coordinates":`, `"places":`, `"ids":`} {
		data = bytes.Replace(data, []byte(","+field), []byte(",\n"+field), 1)
	}
	n, err := w.Write(append(data, '\n'))
	return int64(n), err
}

// split cuts a slice by vertex into layers.
func split[T any](g *LayeredGraph, s []T) [][]T {
	if s == nil {
		return nil
	}
	out := make([][]T, g.NumLayers())
	for l := range out {
		lo, hi := g.Layer(l)
		out[l] = s[lo:hi]
	}
	return out
}

// decodeStrict decodes one JSON value and nothing after it, refusing unknown fields and repeated ones; syntax and type
// errors tell the line.
func decodeStrict(data []byte, into any) error {
	if !utf8.Valid(data) {
		return errors.New("the text is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, more := dec.Token(); more == io.EOF {
			return jsonkeys.Check(data, true)
		}
		return fmt.Errorf("line %d: more data after the JSON value", lineAt(data, dec.InputOffset()))
	}
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", lineAt(data, syntax.Offset), err)
	case errors.As(err, &typ):
		return fmt.Errorf("line %d: field %s: %s where %s is expected", lineAt(data, typ.Offset), typ.Field, typ.Value,
			typ.Type)
	case errors.Is(err, io.EOF):
		return errors.New("empty file")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("line %d: the file ends too early", lineAt(data, int64(len(data))))
	}
	return err
}

// lineAt returns the line, from 1, of a byte offset.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}
