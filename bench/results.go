package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// result is what an engine showed at a contest.
type result struct {
	Key     string    `json:"contest"`
	Engine  string    `json:"engine"`
	Case    string    `json:"case,omitempty"`
	Threads int       `json:"threads,omitempty"`
	Batch   int       `json:"batch,omitempty"`
	Steps   int       `json:"steps,omitempty"` // of a path
	Taken   int       `json:"taken,omitempty"` // steps timed for each path, where not all
	Rates   []float64 `json:"rates,omitempty"` // path-steps, examples, operations or bytes per second, one a round
	Wall    []float64 `json:"wall,omitempty"`  // the same by the clock on the wall
	RSS     float64   `json:"rss,omitempty"`   // bytes
	OutDiff float64   `json:"out_diff,omitempty"`
	PiDiff  float64   `json:"pi_diff,omitempty"`
	Seconds float64   `json:"seconds,omitempty"`
	L1      float64   `json:"l1,omitempty"`
	Floor   float64   `json:"floor,omitempty"`
	Error   string    `json:"error,omitempty"`
}

// results is what a run keeps, and continues from where it was interrupted.
type results struct {
	Quick   bool     `json:"quick"`
	Done    bool     `json:"done"`
	Machine machine  `json:"machine"`
	Results []result `json:"results"`
}

// of returns the result of an engine at a contest, nil if there is none or it is an error.
func (r *results) of(key, engine string) *result {
	for i := range r.Results {
		if x := &r.Results[i]; x.Key == key && x.Engine == engine && x.Error == "" {
			return x
		}
	}
	return nil
}

// has reports whether a contest has been held.
func (r *results) has(key string) bool {
	return slices.ContainsFunc(r.Results, func(x result) bool { return x.Key == key })
}

// section returns the keys of a section's contests, in order.
func (r *results) section(name string) []string {
	var keys []string
	for _, x := range r.Results {
		if strings.HasPrefix(x.Key, name+"/") && !slices.Contains(keys, x.Key) {
			keys = append(keys, x.Key)
		}
	}
	return keys
}

// median returns the median, least and greatest of x; zeros of nothing.
func median(x []float64) (mid, lo, hi float64) {
	if len(x) == 0 {
		return 0, 0, 0
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2, s[0], s[len(s)-1]
}

// rate returns the median rate of an engine at a contest, 0 if there is none.
func (r *results) rate(key, engine string) float64 {
	x := r.of(key, engine)
	if x == nil {
		return 0
	}
	mid, _, _ := median(x.Rates)
	return mid
}

// save writes results.json and results.csv.
func (r *results) save(dir string) error {
	if err := writeJSON(filepath.Join(dir, "results.json"), r); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "results.csv"), 0o644, r.writeCSV)
}

// writeCSV writes a row a result.
func (r *results) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"contest", "engine", "threads", "batch", "steps", "taken", "median", "min", "max", "rounds",
		"median by the wall",
		"rss", "output difference", "pi difference", "seconds", "l1", "floor", "error"}}
	number := func(x float64) string {
		if x == 0 {
			return ""
		}
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	for _, x := range r.Results {
		mid, lo, hi := median(x.Rates)
		wall, _, _ := median(x.Wall)
		rows = append(rows, []string{x.Key, x.Engine, fmt.Sprint(x.Threads), fmt.Sprint(x.Batch), fmt.Sprint(x.Steps),
			fmt.Sprint(x.Taken),
			number(mid), number(lo), number(hi), fmt.Sprint(len(x.Rates)), number(wall),
			number(x.RSS), number(x.OutDiff), number(x.PiDiff), number(x.Seconds), number(x.L1), number(x.Floor), x.Error})
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}
