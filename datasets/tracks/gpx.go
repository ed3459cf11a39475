package tracks

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
)

// ReadGPX reads tracks from GPX (the GPS Exchange Format, 1.0 or 1.1): the points trkpt of each trk, in segments or
// not; routes and waypoints have no times and are left out. A track goes by its name, or by its number where it has
// none or one before it is called so. Points without a time are in Bad. name only serves the messages and the fixes.
func ReadGPX(name string, r io.Reader) (*Tracks, error) {
	g := gpx{d: xml.NewDecoder(input.XML(input.Unpacked(r))), name: name,
		t: &Tracks{Layout: []string{name + ": track, time, lat, lon of GPX"}}, seen: map[string]bool{}}
	g.d.CharsetReader = input.Charset
	for {
		token, err := g.d.Token()
		if err == io.EOF {
			return g.t.done(name)
		}
		if err == nil {
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "trk" {
				err = g.track()
			}
		}
		if err != nil {
			line, _ := g.d.InputPos()
			return nil, fmt.Errorf("datasets: %s:%d: %w", name, line, err)
		}
	}
}

// gpx reads a file of GPX.
type gpx struct {
	d    *xml.Decoder
	name string
	t    *Tracks
	n    int
	seen map[string]bool
}

// track reads a trk after its start.
func (g *gpx) track() error {
	g.n++
	called, from, bad := "", len(g.t.Fixes), len(g.t.Bad)
	for {
		token, err := g.d.Token()
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "trkpt":
				err = g.point(e)
			case "name":
				err = g.d.DecodeElement(&called, &e)
			case "trkseg": // its points come next
			default:
				err = g.d.Skip()
			}
			if err != nil {
				return err
			}
		case xml.EndElement:
			if e.Name.Local != "trk" {
				continue
			}
			called = strings.TrimSpace(called)
			for n := g.n; called == "" || g.seen[called]; n++ {
				called = strconv.Itoa(n)
			}
			g.seen[called] = true
			for i := range g.t.Fixes[from:] {
				g.t.Fixes[from+i].Track = called
			}
			for i := range g.t.Bad[bad:] {
				g.t.Bad[bad+i].Track = called
			}
			return nil
		}
	}
}

// point reads a trkpt.
func (g *gpx) point(start xml.StartElement) error {
	line, _ := g.d.InputPos()
	var p struct {
		Lat  string `xml:"lat,attr"`
		Lon  string `xml:"lon,attr"`
		Time string `xml:"time"`
	}
	if err := g.d.DecodeElement(&p, &start); err != nil {
		return err
	}
	f, err := g.t.newFix(func(r role) (string, bool) {
		return map[role]string{roleLat: p.Lat, roleLon: p.Lon, roleTime: p.Time}[r], r != rolePlace && r != roleStep
	}, nil)
	g.t.add(f, g.name, line, err)
	return nil
}
