package tracks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/table"
)

// counter numbers the fixes of tracks that have no times.
func counter() func(track string) int {
	n := map[string]int{}
	return func(track string) int { n[track]++; return n[track] - 1 }
}

// ReadCSV reads tracks from separated text; see Read. name only serves the messages and the fixes.
func ReadCSV(name string, r io.Reader) (*Tracks, error) { return newTracks("").csv(name, r) }

func (t *Tracks) csv(name string, r io.Reader) (*Tracks, error) {
	at := table.AtLine(name)
	in := table.Open(r, table.Options{Separators: ",;\t", At: at, Fits: func(row []string) bool {
		cols, err := rolesOf(row)
		return err != nil || len(row) == 4 || len(row) == 3 || layout(&cols) == nil
	}})
	next := counter()
	var cols [roles]int
	for first := true; ; first = false {
		row, line, err := in.Read()
		if err == io.EOF {
			return t.done(name)
		}
		if err != nil {
			return nil, err
		}
		if first {
			header, err := t.head(name, row, &cols)
			if err != nil {
				return nil, at(line, err)
			}
			for _, note := range in.Notes {
				t.Layout = append(t.Layout, name+": "+note)
			}
			if header {
				continue
			}
		}
		f, err := t.newFix(func(r role) (string, bool) {
			if cols[r] >= 0 && cols[r] < len(row) {
				return row[cols[r]], true
			}
			return "", cols[r] >= 0
		}, next)
		t.add(f, name, line, err)
	}
}

// add takes a fix, or a row of which err says that it is none.
func (t *Tracks) add(f Fix, name string, line int, err error) {
	if f.File, f.Line = name, line; err != nil {
		t.Bad = append(t.Bad, Outcome{File: name, Line: line, Track: f.Track, Fate: Unreadable, Detail: err.Error()})
		return
	}
	if t.swappable {
		t.open = append(t.open, len(t.Fixes))
	}
	t.Fixes = append(t.Fixes, f)
}

// head takes the first row of a file, and reports whether it is a header.
func (t *Tracks) head(name string, row []string, at *[roles]int) (header bool, err error) {
	if header, err = columns(row, at); err != nil {
		return false, err
	}
	t.Steps = at[roleTime] < 0
	if header {
		t.Layout = append(t.Layout, name+": "+told(*at, row))
	} else {
		t.Layout = append(t.Layout, name+": no header, so "+told(*at, nil))
	}
	return header, nil
}

// columns finds out what the columns of a file are for from its first row, and whether that is a header.
func columns(row []string, at *[roles]int) (header bool, err error) {
	if *at, err = rolesOf(row); err != nil {
		return false, err
	}
	for _, i := range at {
		header = header || i >= 0
	}
	if header {
		return true, layout(at)
	}
	data := false
	switch len(row) {
	case 4:
		*at, data = [roles]int{0, 1, -1, 2, 3, -1, -1, -1, -1}, table.IsNumber(row[2]) || table.IsNumber(row[3])
	case 3:
		_, err := new(Tracks).parseTime(strings.TrimSpace(row[1]))
		*at, data = [roles]int{0, 1, -1, -1, -1, 2, -1, -1, -1}, err == nil
	default:
		return false, fmt.Errorf("no header that names columns (track, time, lat, lon, or place), and %d columns rather "+
			"than 4 or 3", len(row))
	}
	if !data {
		return false, table.Ask(row, []table.Column{{Name: "track"}, {Name: "time", Must: true}, {Name: "lat", Must: true},
			{Name: "lon (or place)", Must: true}})
	}
	return false, nil
}

// ReadJSONL reads tracks from JSON Lines; see Read. The keys of the first line say what is for what. name only
// serves the messages and the fixes.
func ReadJSONL(name string, r io.Reader) (*Tracks, error) { return newTracks("").jsonl(name, r) }

func (t *Tracks) jsonl(name string, r io.Reader) (*Tracks, error) {
	in, next := input.Lines(input.Text(input.Unpacked(r))), counter()
	var keys [roles]string
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		if text := bytes.TrimSpace(text); len(text) > 0 {
			object, names, err := jsonObject(text)
			if err == nil && t.Layout == nil {
				var at [roles]int
				if at, err = rolesOf(names); err == nil {
					err = layout(&at)
				}
				if err == nil {
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
			f, err := t.newFix(func(r role) (string, bool) { return object[keys[r]], keys[r] != "" }, next)
			t.add(f, name, number, err)
		}
		if err == io.EOF {
			return t.done(name)
		}
	}
}

// jsonObject returns the strings and numbers of an object by key, and the keys in order.
func jsonObject(text []byte) (object map[string]string, keys []string, err error) {
	keys, values, err := input.Object(text)
	object = map[string]string{}
	for key, value := range values {
		switch v := value.(type) {
		case string:
			object[key] = v
		case json.Number:
			object[key] = v.String()
		default: // nothing that a fix has
		}
	}
	return object, keys, err
}
