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
	"strconv"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// element is a node or a way.
type element struct {
	ID      string `xml:"id,attr"`
	Lat     string `xml:"lat,attr"`
	Lon     string `xml:"lon,attr"`
	Visible string `xml:"visible,attr"`
	Action  string `xml:"action,attr"`
	Refs    []struct {
		Ref string `xml:"ref,attr"`
	} `xml:"nd"`
	Tags []struct {
		Key   string `xml:"k,attr"`
		Value string `xml:"v,attr"`
	} `xml:"tag"`
}

// Read calls node and way for every node and way of r, in the file's order, but
// for those that are deleted (visible is false, or action delete). The outermost
// element has to be osm. Errors name the line, and the element where there is one:
// a file that is cut short, a number that is missing or none.
func Read(r io.Reader, node func(*osm.Node), way func(*osm.Way)) error {
	d := xml.NewDecoder(input.Text(r))
	d.CharsetReader = input.Charset
	err := read(d, node, way)
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
func read(d *xml.Decoder, node func(*osm.Node), way func(*osm.Way)) error {
	for depth := 0; ; {
		t, err := d.Token()
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
				if err := child(d, e, node, way); err != nil {
					return err
				}
			}
		}
	}
}

// child takes an element of osm.
func child(d *xml.Decoder, e xml.StartElement, node func(*osm.Node), way func(*osm.Way)) error {
	kind := e.Name.Local
	if kind != "node" && kind != "way" {
		return d.Skip()
	}
	var x element
	if err := d.DecodeElement(&x, &e); err != nil {
		return err
	}
	if x.Visible == "false" || x.Action == "delete" {
		return nil
	}
	id, err := number(x.ID)
	if err == nil && kind == "node" {
		err = x.node(id, node)
	} else if err == nil {
		err = x.way(id, way)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", kind, x.ID, err)
	}
	return nil
}

func (x *element) node(id int64, node func(*osm.Node)) error {
	lat, err := strconv.ParseFloat(x.Lat, 64)
	lon, err2 := strconv.ParseFloat(x.Lon, 64)
	if err != nil || err2 != nil || !(math.Abs(lon) <= 180 && math.Abs(lat) <= 90) {
		return fmt.Errorf("lat %q, lon %q are not degrees", x.Lat, x.Lon)
	}
	node(&osm.Node{ID: osm.NodeID(id), Lat: lat, Lon: lon})
	return nil
}

func (x *element) way(id int64, way func(*osm.Way)) error {
	w := &osm.Way{ID: osm.WayID(id), Nodes: make(osm.WayNodes, len(x.Refs))}
	for i, r := range x.Refs {
		ref, err := number(r.Ref)
		if err != nil {
			return fmt.Errorf("node number %d of it: %w", i+1, err)
		}
		w.Nodes[i].ID = osm.NodeID(ref)
	}
	for _, t := range x.Tags {
		w.Tags = append(w.Tags, osm.Tag{Key: t.Key, Value: t.Value})
	}
	way(w)
	return nil
}

func number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", s)
	}
	return n, nil
}
