// Package geojson reads the lines of GeoJSON (RFC 7946): of a FeatureCollection, a Feature, a geometry, or several of
// them one after the other (GeoJSON Lines, RFC 8142).
package geojson

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/internal/jsonkeys"
)

// Line is a LineString, or one of a MultiLineString.
type Line struct {
	Places     [][2]float64 // longitude and latitude in degrees, two or more
	Properties map[string]string
	Parts      int // lines of its feature
}

// object is a Feature, a geometry, or a collection of them.
type object struct {
	Type        string            `json:"type"`
	Geometry    *json.RawMessage  `json:"geometry"`
	Properties  map[string]any    `json:"properties"`
	Coordinates json.RawMessage   `json:"coordinates"`
	Geometries  []json.RawMessage `json:"geometries"`
	Features    []json.RawMessage `json:"features"`
	CRS         *struct {
		Properties struct{ Name string }
	} `json:"crs"`
}

// reader is the state of one Read.
type reader struct {
	do     func(Line) error
	others map[string]int
	crs    string
}

// Read calls do for each line. others counts the geometries that are none by type, features without a geometry as
// "null". Errors name the feature, from 0.
func Read(r io.Reader, do func(Line) error) (others map[string]int, err error) {
	x := &reader{do: do, others: map[string]int{}}
	d := json.NewDecoder(&sequence{r: bufio.NewReader(input.JSON(r))})
	for n := 0; ; n++ {
		var text json.RawMessage
		err := d.Decode(&text)
		if err == io.EOF {
			return x.others, nil
		}
		if err == nil {
			if key, line := jsonkeys.Repeated(text, false); line > 0 {
				err = jsonkeys.Error(key)
			}
		}
		if input.Cut(err) {
			err = errors.New("the file ends too early")
		}
		if err == nil {
			err = x.object(text, nil, "")
		}
		if err != nil && n > 0 {
			err = fmt.Errorf("object %d: %w", n, err)
		}
		if err != nil {
			return nil, fmt.Errorf("geojson: %w", err)
		}
	}
}

// sequence leaves out the separators of records (RFC 8142).
type sequence struct{ r io.Reader }

func (s *sequence) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	for i, b := range p[:n] {
		if b == 0x1e {
			p[i] = ' '
		}
	}
	return n, err
}

// object takes an object; properties are those of the Feature that it is the geometry of, at says where it is.
func (x *reader) object(text json.RawMessage, properties map[string]string, at string) error {
	var o object
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // names of nodes may be longer numbers than a float64 holds
	if err := d.Decode(&o); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			err = fmt.Errorf("member %s: %s is not what GeoJSON has there", wrong.Field, wrong.Value)
		}
		return fmt.Errorf("%s%w", at, err)
	}
	if o.CRS != nil {
		x.crs = o.CRS.Properties.Name
	}
	switch o.Type {
	case "FeatureCollection", "GeometryCollection":
		list, name := o.Features, "features"
		if o.Type == "GeometryCollection" {
			list, name = o.Geometries, "geometries"
		}
		for i, f := range list {
			if err := x.object(f, properties, fmt.Sprintf("%s%s[%d]: ", at, name, i)); err != nil {
				return err
			}
		}
		return nil
	case "Feature":
		if o.Geometry == nil {
			x.others["null"]++
			return nil
		}
		return x.object(*o.Geometry, texts(o.Properties), at)
	case lineString, multiLine:
		if err := x.lines(&o, properties); err != nil {
			return fmt.Errorf("%s%w", at, err)
		}
		return nil
	}
	if !slices.Contains(Types(), o.Type) {
		return fmt.Errorf("%stype %q is none of GeoJSON", at, o.Type)
	}
	x.others[o.Type]++
	return nil
}

// texts returns the properties that are texts, numbers or truth values, or lists of them, as texts.
func texts(properties map[string]any) map[string]string {
	out := map[string]string{}
	for key, value := range properties {
		if text := textOf(value); text != "" {
			out[key] = text
		}
	}
	return out
}

func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") { // 7.0 is the node 7
			x, _ := v.Float64()
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		var parts []string
		for _, part := range v {
			parts = append(parts, textOf(part))
		}
		return strings.Join(parts, ", ")
	}
	return ""
}

// lines takes the lines of a geometry.
func (x *reader) lines(o *object, properties map[string]string) error {
	list := make([][][]*float64, 1) // null is no 0
	var err error
	if o.Type == lineString {
		err = json.Unmarshal(o.Coordinates, &list[0])
	} else {
		err = json.Unmarshal(o.Coordinates, &list)
	}
	if err != nil {
		return fmt.Errorf("its coordinates are not those of a %s", o.Type)
	}
	for _, places := range list {
		line := Line{Properties: properties, Parts: len(list)}
		for k, p := range places {
			if len(p) < 2 || p[0] == nil || p[1] == nil || math.Abs(*p[0]) > earth.MaxLon || math.Abs(*p[1]) > earth.MaxLat {
				return x.place(k, p)
			}
			line.Places = append(line.Places, [2]float64{*p[0], *p[1]})
		}
		if len(places) < 2 {
			return fmt.Errorf("a line of %d places", len(places))
		}
		if err := x.do(line); err != nil {
			return err
		}
	}
	return nil
}

// place is the error of a position of a line.
func (x *reader) place(k int, p []*float64) error {
	text, _ := json.Marshal(p)
	err := fmt.Errorf("place %d, %s, is not longitude and latitude in degrees", k+1, text)
	if x.crs != "" {
		err = fmt.Errorf("%w: the file's crs is %q: write it in EPSG:4326", err, x.crs)
	}
	return err
}

// Said is the note on what is no line, "" for nothing.
func Said(others map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(others)) {
		list = append(list, fmt.Sprintf("%d of type %s", others[name], name))
	}
	if len(list) == 0 {
		return ""
	}
	return "geometries that are no lines, which are left out: " + strings.Join(list, ", ")
}
