package tracks

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/internal/names"
)

// ReadGPX reads tracks from GPX (the GPS Exchange Format, 1.0 or 1.1): the points trkpt of each trk, in segments or
// not, and the points rtept of each rte; waypoints are left out, and counted. A track goes by its name, or by its
// number where it has none or one before it is called so. Where none of its points has a time, as in planned routes,
// they are passed at pace, which Layout says; elsewhere points without one are in Bad. name only serves the messages
// and the fixes.
func ReadGPX(name string, r io.Reader) (*Tracks, error) { return newTracks("").gpx(name, r) }

// pace is how fast tracks without times go, in metres per second.
const pace = 1

func (t *Tracks) gpx(name string, r io.Reader) (*Tracks, error) {
	t.Layout = []string{name + ": track, time, lat, lon of GPX"}
	g := gpx{d: xml.NewDecoder(input.XML(input.Unpacked(r))), name: name, t: t, seen: map[string]bool{}}
	g.d.CharsetReader = input.Charset
	for {
		token, err := g.d.Token()
		if err == io.EOF {
			return g.done()
		}
		if start, ok := token.(xml.StartElement); err == nil && ok {
			switch kind := start.Name.Local; kind {
			case "trk", "rte":
				err = g.track(kind)
			case "wpt":
				g.waypoints++
				err = g.d.Skip()
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

	waypoints, paced int   // points left out, tracks without times
	pacing           []Fix // their points
}

// done says what is left out, and that tracks without times have some.
func (g *gpx) done() (*Tracks, error) {
	if g.waypoints > 0 && g.n == 0 {
		return nil, fmt.Errorf("datasets: %s: no track and no route in the file, but %s, which have no order", g.name,
			names.Plural(g.waypoints, "waypoint", "waypoints"))
	}
	beside := len(g.t.Fixes) > 0
	if !beside {
		g.t.Fixes, g.t.paced = g.pacing, len(g.pacing) > 0
	}
	t, err := g.t.done(g.name)
	if err == nil && g.waypoints > 0 {
		t.Layout = append(t.Layout, fmt.Sprintf("%s: waypoints, which are left out: %d", g.name, g.waypoints))
	}
	switch {
	case err != nil || g.paced == 0:
	case beside:
		t.Layout = append(t.Layout, fmt.Sprintf("%s: tracks and routes without times, which are left out beside those with "+
			"times: %d", g.name, g.paced))
	default:
		t.Layout = append(t.Layout, fmt.Sprintf("%s: tracks and routes without times, whose points are taken to be passed "+
			"at %d m/s: %d", g.name, pace, g.paced))
	}
	return t, err
}

// fix is a point of a track, and where it stands.
type fix struct {
	lat, lon, time string
	line           int
}

// take takes the points of a track, at pace where none has a time.
func (g *gpx) take(list []fix) {
	timed, far := false, 0.
	for _, p := range list {
		timed = timed || p.time != ""
	}
	if !timed && len(list) > 0 {
		g.paced++
	}
	var before *Fix
	for _, p := range list {
		f, err := g.t.newFix(func(r role) (string, bool) {
			return map[role]string{roleLat: p.lat, roleLon: p.lon, roleTime: p.time}[r],
				r == roleLat || r == roleLon || timed && r == roleTime
		}, func(string) int { return 0 })
		if err != nil || timed {
			g.t.add(f, g.name, p.line, err)
			continue
		}
		if before != nil {
			far += earth.Distance(before.Lon, before.Lat, f.Lon, f.Lat)
		}
		f.Time, f.File, f.Line, before = far/pace, g.name, p.line, &f
		g.pacing = append(g.pacing, f)
	}
}

// track reads a trk or rte after its start.
func (g *gpx) track(kind string) error {
	g.n++
	called, from, pacing, bad := "", len(g.t.Fixes), len(g.pacing), len(g.t.Bad)
	var list []fix
	for {
		token, err := g.d.Token()
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "trkpt", "rtept":
				err = g.point(e, &list)
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
			if e.Name.Local != kind {
				continue
			}
			g.take(list)
			called = strings.TrimSpace(called)
			for n := g.n; called == "" || g.seen[called]; n++ {
				called = strconv.Itoa(n)
			}
			g.seen[called] = true
			for i := range g.t.Fixes[from:] {
				g.t.Fixes[from+i].Track = called
			}
			for i := range g.pacing[pacing:] {
				g.pacing[pacing+i].Track = called
			}
			for i := range g.t.Bad[bad:] {
				g.t.Bad[bad+i].Track = called
			}
			return nil
		}
	}
}

// point reads a trkpt or rtept.
func (g *gpx) point(start xml.StartElement, list *[]fix) error {
	line, _ := g.d.InputPos()
	var p struct {
		Lat  string `xml:"lat,attr"`
		Lon  string `xml:"lon,attr"`
		Time string `xml:"time"`
	}
	if err := g.d.DecodeElement(&p, &start); err != nil {
		return err
	}
	*list = append(*list, fix{p.Lat, p.Lon, strings.TrimSpace(p.Time), line})
	return nil
}
