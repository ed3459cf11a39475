// Package osmxml reads the part of OpenStreetMap's XML
// (wiki.openstreetmap.org/wiki/OSM_XML) that a street map needs: nodes and ways
// with their tags. All else is stepped over.
//
// It is here beside github.com/paulmach/osm, whose types it fills, because that
// module's own decoder takes any XML for a map, and a number that is missing for
// 0, which puts places into the Gulf of Guinea without a word.
package osmxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/osmway"
)

// element is a node or a way.
type element struct {
	ID      string `xml:"id,attr"`
	Lat     string `xml:"lat,attr"`
	Lon     string `xml:"lon,attr"`
	Version string `xml:"version,attr"`
	Visible string `xml:"visible,attr"`
	Action  string `xml:"action,attr"`
	Refs    []ref  `xml:"nd"`
	Tags    []struct {
		Key   string `xml:"k,attr"`
		Value string `xml:"v,attr"`
	} `xml:"tag"`
}

// ref is a node of a way.
type ref struct {
	Ref string `xml:"ref,attr"`
	Lat string `xml:"lat,attr"`
	Lon string `xml:"lon,attr"`
}

// reader is the state of one Read.
type reader struct {
	d    *xml.Decoder
	node func(*osm.Node)
	way  func(*osm.Way)
	at   *osmway.Places
}

// Read calls node and way for every node and way of r, in the file's order, Visible unless they are deleted (visible is
// false, or action delete). A way whose nodes have places (Overpass's `out geom`, locations on ways) gives these as
// nodes too, before itself; see osmway. The outermost element has to be osm. Errors name the line, and the element
// where there is one: a file that is cut short, a number that is missing or none, a remark of the server's, a list of
// changes.
func Read(r io.Reader, node func(*osm.Node), way func(*osm.Way)) error {
	d := xml.NewDecoder(input.XML(r))
	d.CharsetReader = input.Charset
	x := &reader{d, node, way, osmway.New(node)}
	err := x.read()
	if err == nil {
		return nil
	}
	line, _ := d.InputPos()
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF) || errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		err = errors.New("the file ends too early")
	case syntax != nil:
		line, err = syntax.Line, errors.New(syntax.Msg)
	}
	return fmt.Errorf("osm: line %d: %w", line, err)
}

// read takes the outermost element and what is in it.
func (x *reader) read() error {
	for depth := 0; ; {
		t, err := x.d.Token()
		if err == io.EOF && depth < 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := t.(type) {
		case xml.CharData:
			if depth < 0 && len(bytes.TrimSpace(e)) > 0 {
				return errors.New("text after the end of the map")
			}
		case xml.EndElement:
			depth = -1 // of osm, since all others are taken whole
		case xml.StartElement:
			switch {
			case depth < 0:
				return fmt.Errorf("a second document begins: %s", e.Name.Local)
			case depth == 0 && e.Name.Local != "osm":
				return fmt.Errorf("the outermost element is %s, not osm", e.Name.Local)
			case depth == 0:
				depth = 1
			default:
				if err := x.child(e); err != nil {
					return err
				}
			}
		}
	}
}

// child takes an element of osm.
func (x *reader) child(e xml.StartElement) error {
	switch kind := e.Name.Local; kind {
	case "node", "way":
		var c element
		if err := x.d.DecodeElement(&c, &e); err != nil {
			return err
		}
		if err := x.element(kind, &c); err != nil {
			return fmt.Errorf("%s %s: %w", kind, c.ID, err)
		}
		return nil
	case "remark":
		var text string
		if err := x.d.DecodeElement(&text, &e); err != nil {
			return err
		}
		return fmt.Errorf("the server's remark: %s", strings.TrimSpace(text))
	case "action", "create", "modify", "delete":
		return fmt.Errorf("element %s: the file lists changes, it is no map", kind)
	}
	return x.d.Skip()
}

// element takes a node or a way.
func (x *reader) element(kind string, c *element) error {
	id, err := number(c.ID)
	if err != nil {
		return err
	}
	visible := c.Visible != "false" && c.Action != "delete"
	switch {
	case kind == "node" && !visible:
		x.node(&osm.Node{ID: osm.NodeID(id)})
		return nil
	case kind == "way" && !visible:
		x.way(&osm.Way{ID: osm.WayID(id)})
		return nil
	case kind == "node":
		p, err := point(c.Lat, c.Lon)
		if err != nil {
			return err
		}
		x.node(&osm.Node{ID: osm.NodeID(id), Lat: p.Lat, Lon: p.Lon, Visible: true})
		return nil
	}
	return x.wayOf(id, c)
}

// point reads a place in degrees.
func point(lat, lon string) (p osmway.Point, err error) {
	p.Lat, err = strconv.ParseFloat(lat, 64)
	var err2 error
	p.Lon, err2 = strconv.ParseFloat(lon, 64)
	if err != nil || err2 != nil || !(math.Abs(p.Lon) <= 180 && math.Abs(p.Lat) <= 90) {
		return p, fmt.Errorf("lat %q, lon %q are not degrees", lat, lon)
	}
	return p, nil
}

func (x *reader) wayOf(id int64, c *element) error {
	var refs []int64
	var points []*osmway.Point
	placed := slices.ContainsFunc(c.Refs, func(r ref) bool { return r.Lat != "" })
	for i, r := range c.Refs {
		if r.Ref != "" || !placed {
			n, err := number(r.Ref)
			if err != nil {
				return fmt.Errorf("node number %d of it: %w", i+1, err)
			}
			refs = append(refs, n)
		}
		if !placed {
			continue
		}
		points = append(points, nil)
		if r.Lat == "" && r.Lon == "" { // outside of the box asked for
			continue
		}
		p, err := point(r.Lat, r.Lon)
		if err != nil {
			return fmt.Errorf("node number %d of it: %w", i+1, err)
		}
		points[i] = &p
	}
	nodes, err := x.at.Nodes(refs, points)
	if err != nil {
		return err
	}
	w := &osm.Way{ID: osm.WayID(id), Nodes: nodes, Visible: true}
	w.Version, _ = strconv.Atoi(c.Version) // 0 where there is none
	for _, t := range c.Tags {
		w.Tags = append(w.Tags, osm.Tag{Key: t.Key, Value: t.Value})
	}
	x.way(w)
	return nil
}

func number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", s)
	}
	return n, nil
}
