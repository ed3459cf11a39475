package maps

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/geojson"
	"github.com/ddps-go/ddps/internal/names"
)

// lines is GeoJSON being read.
type lines struct {
	number *numbering
	place  map[[2]float64]int
	ways   []way
	oneWay oneWay
	ends   int // lines whose properties name their ends
	inner  int // points of these that are no places
}

// readGeoJSON makes a world of the lines of GeoJSON: a node for each of their points, equal ones once, numbered from 1
// in the order of the file, and an edge for each piece. Where all lines have properties u and v (from and to, source
// and target) a line is one edge between these, of its property length or its own, and its other points are no places.
// A property oneway says in which direction a line may be used, travel_time its seconds, name its street.
func readGeoJSON(r io.Reader, dir Direction) (*World, error) {
	l := &lines{number: newNumbering(), place: map[[2]float64]int{}}
	others, err := geojson.Read(r, l.line)
	if err != nil {
		return nil, err
	}
	said := geojson.Said(others)
	if len(l.ways) == 0 {
		return nil, fmt.Errorf("geojson: no line%s", optional("; ", said))
	}
	directed := l.oneWay.directed(dir)
	w, err := l.number.world(edgesOf(l.ways, directed), directed, false, 0)
	if err != nil {
		return nil, err
	}
	if said != "" {
		w.Notes = append(w.Notes, said)
	}
	w.Notes = append(w.Notes, l.oneWay.note(`property "oneway"`, dir)...)
	w.Notes = append(w.Notes, timesNote(w.Edges, `the property "travel_time", in seconds`)...)
	if l.inner > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("lines are edges between the ends that they name: points between, which are "+
			"no places: %d", l.inner))
	}
	w.Notes = append(w.Notes, caseNote(w.Nodes)...)
	return w, nil
}

// optional is a text with what comes before it, "" where it is empty.
func optional(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// endsOf are what properties call the ends of a line.
var endsOf = [][2]string{{"u", "v"}, {"from", "to"}, {"source", "target"}, {"from_node", "to_node"}}

// line takes a line.
func (l *lines) line(g geojson.Line) error {
	street := cmp.Or(g.Properties["name"], g.Properties["street"], g.Properties["ref"])
	w := way{Edge: Edge{Street: streetName(street)}}
	var err error
	if w.forth, w.back, err = l.oneWay.take(cmp.Or(g.Properties["oneway"], g.Properties["one_way"])); err != nil {
		return err
	}
	var a, b string
	for _, ends := range endsOf {
		if a == "" || b == "" {
			a, b = g.Properties[ends[0]], g.Properties[ends[1]]
		}
	}
	named := a != "" && b != ""
	if named != (l.ends > 0) && len(l.ways) > 0 {
		return errors.New("some lines name their ends, by u and v or from and to, and some do not")
	}
	if named {
		l.ends++
		return l.named(g, w, names.Normal(a), names.Normal(b))
	}
	for k, p := range g.Places {
		i := l.node(p)
		if k > 0 {
			w.From, w.To, w.Length = w.To, i, math.NaN()
			l.ways = append(l.ways, w)
		}
		w.To = i
	}
	return nil
}

// node returns the node of a place.
func (l *lines) node(p [2]float64) int {
	i, met := l.place[p]
	if !met {
		i, _ = l.number.add(strconv.Itoa(len(l.place)+1), p[0], p[1])
		l.place[p] = i
	}
	return i
}

// named takes a line between the nodes that it names.
func (l *lines) named(g geojson.Line, w way, a, b string) (err error) {
	if g.Parts > 1 {
		return fmt.Errorf("%d lines from %s to %s in one feature: which of them leads there?", g.Parts, a, b)
	}
	last := len(g.Places) - 1
	for i := 1; i <= last; i++ {
		p, q := g.Places[i-1], g.Places[i]
		w.Length += earth.Distance(p[0], p[1], q[0], q[1])
	}
	if text := g.Properties["length"]; text != "" {
		if w.Length, err = parseLength(text); err != nil {
			return err
		}
	}
	if w.Time, err = parseTime(g.Properties["travel_time"], 1); err != nil {
		return err
	}
	w.From, _ = l.number.add(a, g.Places[0][0], g.Places[0][1])
	w.To, _ = l.number.add(b, g.Places[last][0], g.Places[last][1])
	for i, end := range []int{w.From, w.To} {
		p, n := g.Places[i*last], l.number.nodes[end]
		if earth.Distance(p[0], p[1], n.Lon, n.Lat) > sameNode {
			return fmt.Errorf("node %s is at %v, %v here and at %v, %v before", n.Name, p[0], p[1], n.Lon, n.Lat)
		}
	}
	l.inner += last - 1
	l.ways = append(l.ways, w)
	return nil
}

// sameNode is how far apart, in metres, lines may begin that name one node: as far as rounding coordinates moves them.
const sameNode = 1
