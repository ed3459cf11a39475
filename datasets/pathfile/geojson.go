package pathfile

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/ddps"
)

// feature is a GeoJSON feature (RFC 7946, section 3.2) with a line for a geometry.
// No library: the kept one for Go brings a database's driver with it.
type feature struct {
	Type       string         `json:"type"`
	Geometry   line2D         `json:"geometry"`
	Properties map[string]any `json:"properties"`
}

// line2D is a LineString, or a MultiLineString where the line is cut.
type line2D struct {
	Type        string `json:"type"`
	Coordinates any    `json:"coordinates"` // [][2]float64 or [][][2]float64
}

// lineFeature makes a feature; a line has at least two positions, so that a path
// that stays where it is has its place twice. A line across the 180th meridian is cut
// there (RFC 7946, section 3.1.9).
func lineFeature(at [][2]float64, properties map[string]any) feature {
	if len(at) == 1 {
		at = append(at, at[0])
	}
	if parts := earth.CutAt180(at); len(parts) > 1 {
		return feature{"Feature", line2D{"MultiLineString", parts}, properties}
	}
	return feature{"Feature", line2D{"LineString", at}, properties}
}

// geoWriter writes a FeatureCollection, a feature a line.
type geoWriter struct {
	g     *ddps.LayeredGraph
	pads  []bool // vertices that only pad a walk; nil: none
	way   []bool // vertices on the way between two places; nil: none
	out   *bufio.Writer
	any   bool
	first error
}

// newGeo opens the collection, which names the map's licence and attribution.
func newGeo(w io.Writer, g *ddps.LayeredGraph) (*geoWriter, error) {
	m := g.Meta()
	if m.XY == nil || m.Attr["crs"] != "EPSG:4326" {
		return nil, errors.New("datasets: geojson: the graph has no longitude and latitude")
	}
	for v, p := range m.XY {
		if math.Abs(p[0]) > 180 || math.Abs(p[1]) > 90 {
			return nil, fmt.Errorf("datasets: geojson: vertex %s: %v, %v are not degrees", g.Name(v), p[0], p[1])
		}
	}
	x := &geoWriter{g: g, out: bufio.NewWriter(w)}
	if g.Walks() {
		x.pads, x.way = g.Pads(), g.Transit()
	}
	_, x.first = x.out.WriteString(`{"type": "FeatureCollection",`)
	for _, name := range []string{"attribution", "licence"} {
		if text, err := json.Marshal(m.Attr[name]); m.Attr[name] != "" && err == nil && x.first == nil {
			_, x.first = fmt.Fprintf(x.out, "\n%q: %s,", name, text)
		}
	}
	if x.first == nil {
		_, x.first = x.out.WriteString("\n\"features\": [")
	}
	return x, nil
}

// add writes one feature.
func (x *geoWriter) add(f feature) error {
	text, err := json.Marshal(f)
	if err == nil {
		err = x.first
	}
	sep := "\n"
	if x.any {
		sep = ",\n"
	}
	if err == nil {
		_, err = x.out.WriteString(sep)
	}
	if err == nil {
		_, err = x.out.Write(text)
	}
	if x.any = true; err != nil {
		return fmt.Errorf("datasets: geojson: %w", err)
	}
	return nil
}

// Close ends the collection.
func (x *geoWriter) Close() error {
	err := x.first
	if err == nil {
		_, err = x.out.WriteString("\n]}\n")
	}
	if err == nil {
		err = x.out.Flush()
	}
	if err != nil {
		return fmt.Errorf("datasets: geojson: %w", err)
	}
	return nil
}

// between reports whether v is on the way between two places.
func (x *geoWriter) between(v int) bool { return x.way != nil && x.way[v] }

// padding reports whether v only pads a walk.
func (x *geoWriter) padding(v int) bool { return x.pads != nil && x.pads[v] }

// at returns where v lies, rounded to 1e-9 degrees, a tenth of a millimetre.
func (x *geoWriter) at(v int) [2]float64 {
	p := x.g.Meta().XY[v]
	return [2]float64{math.Round(p[0]*1e9) / 1e9, math.Round(p[1]*1e9) / 1e9}
}

// geoPaths writes a line per path.
type geoPaths struct {
	*geoWriter
	walk func(ddps.Path) ddps.Walk
}

// NewGeoJSONWriter returns a writer of GeoJSON (RFC 7946): a FeatureCollection
// with a LineString for each path, or a MultiLineString for one across the 180th meridian, whose properties are count
// and path, the names of its vertices. Positions that follow one another are not repeated: where a path waits shows in
// its names. The collection's members attribution and licence are the graph's. The error says so if the graph has no
// longitude and latitude.
func NewGeoJSONWriter(w io.Writer, g *ddps.LayeredGraph) (Writer, error) {
	x, err := newGeo(w, g)
	if err != nil {
		return nil, err
	}
	return geoPaths{x, g.WalkNamer()}, nil
}

func (x geoPaths) Write(p ddps.Path, count int) error {
	at := make([][2]float64, 0, len(p))
	for _, v := range p {
		if x.padding(v) {
			continue
		}
		if here := x.at(v); len(at) == 0 || at[len(at)-1] != here {
			at = append(at, here)
		}
	}
	return x.add(lineFeature(at, map[string]any{"count": count, "path": x.walk(p).Names}))
}

// geoEdges counts moves and writes a line for each at the end.
type geoEdges struct {
	*geoWriter
	count map[[2]int]int // by the places of the ends, of vertices without place by -1-vertex
	order [][2]int
	at    map[int][2]float64
	name  map[int]string
	paths int
}

// NewGeoJSONEdgeWriter returns a writer of GeoJSON that sums the paths up: a
// LineString for each street that some path takes, in the direction in which it
// does, whatever the layer, with the properties from, to and count, and share, the
// count per path. Waits are left out. Its memory is that of the streets. Otherwise
// as NewGeoJSONWriter.
func NewGeoJSONEdgeWriter(w io.Writer, g *ddps.LayeredGraph) (Writer, error) {
	x, err := newGeo(w, g)
	if err != nil {
		return nil, err
	}
	return &geoEdges{geoWriter: x, count: map[[2]int]int{}, at: map[int][2]float64{}, name: map[int]string{}}, nil
}

// place returns the key of v's place, and notes where it is.
func (x *geoEdges) place(v int) int {
	key := -1 - v
	if p := x.g.Meta().Place; p != nil && p[v] >= 0 {
		key = p[v]
	}
	if _, ok := x.name[key]; !ok {
		x.name[key], x.at[key] = x.g.Name(v), x.geoWriter.at(v)
	}
	return key
}

func (x *geoEdges) Write(p ddps.Path, count int) error {
	x.paths += count
	last := -1 // place before
	for _, v := range p {
		switch {
		case x.padding(v) || x.between(v):
		case last < 0:
			last = v
		default:
			x.move([2]int{x.place(last), x.place(v)}, count)
			last = v
		}
	}
	return nil
}

// move counts a move; waits are left out.
func (x *geoEdges) move(k [2]int, count int) {
	if k[0] == k[1] || x.at[k[0]] == x.at[k[1]] {
		return
	}
	if x.count[k] == 0 {
		x.order = append(x.order, k)
	}
	x.count[k] += count
}

func (x *geoEdges) Close() error {
	for _, k := range x.order {
		n := x.count[k]
		err := x.add(lineFeature([][2]float64{x.at[k[0]], x.at[k[1]]}, map[string]any{
			"from": x.name[k[0]], "to": x.name[k[1]], "count": n, "share": float64(n) / float64(x.paths)}))
		if err != nil {
			return err
		}
	}
	return x.geoWriter.Close()
}
