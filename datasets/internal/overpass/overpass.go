// Package overpass reads the JSON of the Overpass API ([out:json]): nodes and
// ways, the ways' places either as nodes of the answer or within the way, as
// `out geom` writes them. Relations, areas and counts are stepped over.
package overpass

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/geojson"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/osmway"
	"github.com/ddps-go/ddps/internal/jsonkeys"
)

// element is an entry of the answer's list.
type element struct {
	Type     string            `json:"type"`
	ID       *int64            `json:"id"`
	Lat      *float64          `json:"lat"`
	Lon      *float64          `json:"lon"`
	Nodes    []int64           `json:"nodes"`
	Tags     map[string]string `json:"tags"`
	Visible  *bool             `json:"visible"`
	Version  int               `json:"version"`
	Geometry []*struct {       // null where a place lies outside the box that was asked for
		Lat *float64 `json:"lat"`
		Lon *float64 `json:"lon"`
	} `json:"geometry"`
}

// reader is the state of one Read.
type reader struct {
	node   func(*osm.Node)
	way    func(*osm.Way)
	at     *osmway.Places
	remark string
	found  bool
}

// Read calls node and way for every node and way of r, Visible unless they are deleted. A way with a geometry
// gives its places as nodes too, before itself; where it lacks the numbers of its
// nodes (`out ids geom`), equal coordinates are one node, numbered -1, -2, … in
// the order of the file. Errors name the element; the server's remark (a time-out,
// say) is one.
func Read(r io.Reader, node func(*osm.Node), way func(*osm.Way)) error {
	x := &reader{node: node, way: way, at: osmway.New(node)}
	d := json.NewDecoder(input.JSON(r))
	err := x.object(d)
	if err == nil {
		err = end(d)
	}
	switch {
	case errors.Is(err, errGeoJSON):
		return err
	case input.Cut(err):
		err = errors.New("the file ends too early")
	case err == nil && x.remark != "":
		err = fmt.Errorf("the server's remark: %s", x.remark)
	case err == nil && !x.found:
		err = errors.New("no list called elements: is it an answer of Overpass?")
	}
	if err != nil {
		return fmt.Errorf("overpass: byte %d: %w", d.InputOffset(), err)
	}
	return nil
}

// errGeoJSON is the error of a file of GeoJSON.
var errGeoJSON = errors.New("the file is GeoJSON, which is a format of its own (geojson), not an answer of Overpass")

// object reads the outermost object.
func (x *reader) object(d *json.Decoder) error {
	if err := open(d, '{'); err != nil {
		return err
	}
	met := map[json.Token]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if met[name] {
			return jsonkeys.Error(fmt.Sprint(name))
		}
		met[name] = true
		switch name {
		case "elements":
			x.found = true
			err = x.elements(d)
		case "remark":
			err = d.Decode(&x.remark)
		case "type":
			var of any
			if err = d.Decode(&of); err == nil && slices.Contains(geojson.Types(), fmt.Sprint(of)) {
				err = errGeoJSON
			}
		default:
			var other json.RawMessage
			err = d.Decode(&other)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// end takes the end of the file.
func end(d *json.Decoder) error {
	switch _, err := d.Token(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("more than one answer in the file")
	default:
		return err
	}
}

// open takes one delimiter.
func open(d *json.Decoder, want json.Delim) error {
	t, err := d.Token()
	if err == nil && t != want {
		err = fmt.Errorf("%v where %v is expected", t, want)
	}
	return err
}

func (x *reader) elements(d *json.Decoder) error {
	if err := open(d, '['); err != nil {
		return err
	}
	for i := 0; d.More(); i++ {
		var e element
		var text json.RawMessage
		err := d.Decode(&text)
		if err == nil {
			err = plain(json.Unmarshal(text, &e))
		}
		if err == nil {
			if key, line := jsonkeys.Repeated(text, true); line > 0 {
				err = jsonkeys.Error(key)
			}
		}
		if err == nil {
			err = x.element(&e)
		}
		if err != nil {
			return fmt.Errorf("elements[%d]%s: %w", i, e.called(), err)
		}
	}
	_, err := d.Token()
	return err
}

// called is " (node 7)", "" of an element without type or number.
func (e *element) called() string {
	if e.Type == "" || e.ID == nil {
		return ""
	}
	return fmt.Sprintf(" (%s %d)", e.Type, *e.ID)
}

// plain reports a value of the wrong type without Go's words for it.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("field %s: %s is no %s of Overpass", wrong.Field, wrong.Value, wrong.Type.Kind())
	}
	return err
}

func (x *reader) element(e *element) error {
	if e.ID == nil && (e.Type == "node" || e.Type == "way") {
		return fmt.Errorf("a %s without id", e.Type)
	}
	visible := e.Visible == nil || *e.Visible
	switch {
	case e.Type == "node" && !visible:
		x.node(&osm.Node{ID: osm.NodeID(*e.ID)})
	case e.Type == "way" && !visible:
		x.way(&osm.Way{ID: osm.WayID(*e.ID)})
	case e.Type == "node":
		if e.Lat == nil || e.Lon == nil {
			return errors.New("no lat and lon: ask for them, not for `out ids`")
		}
		x.node(&osm.Node{ID: osm.NodeID(*e.ID), Lat: *e.Lat, Lon: *e.Lon, Visible: true})
	case e.Type == "way":
		nodes, err := x.places(e)
		if err != nil {
			return err
		}
		w := &osm.Way{ID: osm.WayID(*e.ID), Nodes: nodes, Visible: true, Version: e.Version}
		for _, k := range slices.Sorted(maps.Keys(e.Tags)) {
			w.Tags = append(w.Tags, osm.Tag{Key: k, Value: e.Tags[k]})
		}
		x.way(w)
	}
	return nil
}

// places returns the nodes of a way, after it called node for those that its geometry gives.
func (x *reader) places(e *element) (osm.WayNodes, error) {
	points := make([]*osmway.Point, len(e.Geometry))
	for i, at := range e.Geometry {
		if at == nil {
			continue
		}
		if at.Lat == nil || at.Lon == nil {
			return nil, fmt.Errorf("geometry[%d]: no lat and lon", i)
		}
		points[i] = &osmway.Point{Lat: *at.Lat, Lon: *at.Lon}
	}
	return x.at.Nodes(e.Nodes, points)
}
