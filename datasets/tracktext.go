package datasets

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// counter numbers the fixes of tracks that have no times.
func counter() func(track string) int {
	n := map[string]int{}
	return func(track string) int { n[track]++; return n[track] - 1 }
}

// ReadTrackCSV reads tracks from comma-separated values; see ReadTracks. name only serves the messages and the fixes.
func ReadTrackCSV(name string, r io.Reader) (*Tracks, error) {
	c := csv.NewReader(withoutBOM(r))
	c.FieldsPerRecord, c.ReuseRecord, c.TrimLeadingSpace = -1, true, true
	t, next := &Tracks{}, counter()
	var at [roles]int
	for first := true; ; first = false {
		row, err := c.Read()
		if err == io.EOF {
			return t.done(name)
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("datasets: %s:%d: column %d: %w", name, syntax.Line, syntax.Column, syntax.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		line, _ := c.FieldPos(0)
		if first {
			header, err := columns(row, &at)
			if err != nil {
				return nil, fmt.Errorf("datasets: %s:%d: %w", name, line, err)
			}
			t.Steps = at[roleTime] < 0
			if header {
				t.Layout = append(t.Layout, name+": "+told(at, row))
				continue
			}
			t.Layout = append(t.Layout, name+": no header, so "+told(at, nil))
		}
		f, err := newFix(func(r role) (string, bool) {
			if at[r] < 0 {
				return "", false
			}
			if at[r] >= len(row) {
				return "", true
			}
			return row[at[r]], true
		}, next)
		if f.File, f.Line = name, line; err != nil {
			t.bad(name, line, f.Track, err)
			continue
		}
		t.Fixes = append(t.Fixes, f)
	}
}

// columns finds out what the columns of a file are for from its first row, and whether that is a header.
func columns(row []string, at *[roles]int) (header bool, err error) {
	*at = rolesOf(row)
	for _, i := range at {
		header = header || i >= 0
	}
	if header {
		return true, layout(at)
	}
	switch len(row) {
	case 4:
		*at = [roles]int{0, 1, -1, 2, 3, -1}
	case 3:
		*at = [roles]int{0, 1, -1, -1, -1, 2}
	default:
		return false, fmt.Errorf("no header that names columns (track, time, lat, lon, or place), and %d columns rather than 4 or 3", len(row))
	}
	return false, nil
}

// ReadTrackJSONL reads tracks from JSON Lines; see ReadTracks. The keys of the first line say what is for what. name only
// serves the messages and the fixes.
func ReadTrackJSONL(name string, r io.Reader) (*Tracks, error) {
	in, t, next := withoutBOM(r), &Tracks{}, counter()
	var keys [roles]string
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		if text := bytes.TrimSpace(text); len(text) > 0 {
			object, names, err := jsonObject(text)
			if err == nil && t.Layout == nil {
				at := rolesOf(names)
				if err = layout(&at); err == nil {
					for r, i := range at {
						if i >= 0 {
							keys[r] = names[i]
						}
					}
					t.Steps, t.Layout = at[roleTime] < 0, []string{name + ": " + told(at, names)}
				}
			}
			if err != nil {
				return nil, fmt.Errorf("datasets: %s:%d: %w", name, number, err)
			}
			f, err := newFix(func(r role) (string, bool) { return object[keys[r]], keys[r] != "" }, next)
			if f.File, f.Line = name, number; err != nil {
				t.bad(name, number, f.Track, err)
			} else {
				t.Fixes = append(t.Fixes, f)
			}
		}
		if err == io.EOF {
			return t.done(name)
		}
	}
}

// jsonObject returns the strings and numbers of an object by key, and the keys in order.
func jsonObject(text []byte) (object map[string]string, keys []string, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, errors.New("no JSON object")
	}
	object = map[string]string{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return nil, nil, fmt.Errorf("the value of %q: %w", key, err)
		}
		switch v := value.(type) {
		case string:
			object[key.(string)] = v
		case json.Number:
			object[key.(string)] = v.String()
		default: // nothing that a fix has
		}
		keys = append(keys, key.(string))
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, errors.New("the JSON object ends too early")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("more than one JSON value in the line")
	}
	return object, keys, nil
}

// ReadGPX reads tracks from GPX (the GPS Exchange Format, 1.0 or 1.1): the points trkpt of each trk, in segments or not;
// routes and waypoints have no times and are left out. A track goes by its name, or by its number where it has none or
// one before it is called so. Points without a time are in Bad. name only serves the messages and the fixes.
func ReadGPX(name string, r io.Reader) (*Tracks, error) {
	g := gpx{d: xml.NewDecoder(withoutBOM(r)), name: name, t: &Tracks{Layout: []string{name + ": track, time, lat, lon of GPX"}}, seen: map[string]bool{}}
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
			if called = strings.TrimSpace(called); called == "" || g.seen[called] {
				called = strconv.Itoa(g.n)
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
	f, err := newFix(func(r role) (string, bool) {
		return map[role]string{roleLat: p.Lat, roleLon: p.Lon, roleTime: p.Time}[r], r != rolePlace && r != roleStep
	}, nil)
	if f.File, f.Line = g.name, line; err != nil {
		g.t.bad(g.name, line, "", err)
		return nil
	}
	g.t.Fixes = append(g.t.Fixes, f)
	return nil
}
