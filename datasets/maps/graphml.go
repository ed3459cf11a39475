package maps

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/graphml"
	"github.com/ddps-go/ddps/internal/names"
)

// readGraphML makes a world of a GraphML file. Coordinates are the attributes lon and lat (or longitude and latitude)
// of the nodes, or else x and y where they are degrees, as OSMnx writes them; keys may be typed as strings. An edge's
// length is its attribute length, in metres, its time travel_time, in seconds, its street name. Where some edge is
// directed, an undirected one goes both ways.
func readGraphML(r io.Reader, dir Direction) (*World, error) {
	g, err := graphml.Read(r)
	if err != nil {
		return nil, err
	}
	number := newNumbering()
	for _, n := range g.Nodes {
		lon, lat, err := lonLat(n.Data, g.Data["crs"])
		if err != nil {
			return nil, fmt.Errorf("graphml: node %s: %w", n.ID, err)
		}
		i, twice := number.add(n.ID, lon, lat)
		if twice {
			return nil, fmt.Errorf("graphml: node %s occurs twice", n.ID)
		}
		number.nodes[i].Title = streetName(cmp.Or(n.Data["name"], n.Data["label"], n.Data["title"]))
	}
	directed := dir == Directed || dir == AsFile && g.Directed
	for _, e := range g.Edges {
		directed = directed || dir == AsFile && e.Directed
	}
	edges, missing, err := graphMLEdges(g, number, directed)
	if err != nil {
		return nil, err
	}
	w, err := number.world(edges, directed, false, missing)
	if err == nil {
		w.Notes = append(caseNote(w.Nodes), timesNote(w.Edges, `the attribute "travel_time", in seconds`)...)
	}
	if err == nil && strings.Contains(g.Data["created_with"], "OSMnx") {
		w.Attr["licence"], w.Attr["attribution"] = osmLicence, osmCredit
	}
	return w, err
}

// graphMLEdges lists the edges by their ends' positions in the file, and counts
// those with an end that is no node.
func graphMLEdges(g *graphml.Graph, number *numbering, directed bool) (edges []Edge, missing int, err error) {
	for _, e := range g.Edges {
		a, okA := number.index[e.Source]
		b, okB := number.index[e.Target]
		if !okA || !okB {
			missing++
			continue
		}
		length := math.NaN()
		if text := e.Data["length"]; text != "" {
			if length, err = parseLength(text); err != nil {
				return nil, 0, fmt.Errorf("graphml: edge %s → %s: %w", e.Source, e.Target, err)
			}
		}
		seconds, err := parseTime(e.Data["travel_time"], 1)
		if err != nil {
			return nil, 0, fmt.Errorf("graphml: edge %s → %s: %w", e.Source, e.Target, err)
		}
		street := streetName(cmp.Or(e.Data["name"], e.Data["street"], e.Data["ref"]))
		edges = append(edges, Edge{a, b, length, seconds, street})
		if directed && !e.Directed {
			edges = append(edges, Edge{b, a, length, seconds, street})
		}
	}
	return edges, missing, nil
}

// parseLength reads a length: finite and not below 0.
func parseLength(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("length %q is not a finite number of 0 or more%s", text, names.CommaHint(text))
	}
	return x, nil
}

// lonLat finds a node's longitude and latitude among its attributes.
func lonLat(data map[string]string, crs string) (lon, lat float64, err error) {
	for _, names := range [][2]string{{"lon", "lat"}, {"longitude", "latitude"}, {"x", "y"}} {
		x, y := data[names[0]], data[names[1]]
		if x == "" || y == "" {
			continue
		}
		if lon, lat, err = parsePlace(x, y); err != nil && names[0] == "x" {
			why := "the file has no lon and lat; write it unprojected"
			if crs != "" {
				why = fmt.Sprintf("its crs is %q and the file has no lon and lat; write it in EPSG:4326", crs)
			}
			err = fmt.Errorf("%w: %s", err, why)
		}
		return lon, lat, err
	}
	return 0, 0, fmt.Errorf("no coordinates: neither lon and lat, longitude and latitude, nor x and y among its data")
}

// parsePlace reads a longitude and a latitude in degrees.
func parsePlace(x, y string) (lon, lat float64, err error) {
	lon, _, okX := earth.Degrees(x, earth.MaxLon)
	lat, _, okY := earth.Degrees(y, earth.MaxLat)
	if okX && okY {
		return lon, lat, nil
	}
	err = fmt.Errorf("longitude %q, latitude %q are not degrees", x, y)
	_, _, swapX := earth.Degrees(x, earth.MaxLat)
	if _, _, swapY := earth.Degrees(y, earth.MaxLon); swapX && swapY {
		err = fmt.Errorf("%w: are they the wrong way round?", err)
	}
	return 0, 0, err
}
