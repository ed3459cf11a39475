package maps

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/gtfs"
	"github.com/ddps-go/ddps/ddps"
)

// begin finds the stops where paths begin.
func (x *timetable) begin() error {
	list := x.o.Starts
	if list == nil {
		list = []string{x.o.Start}
	}
	if len(list) == 0 {
		return fmt.Errorf("no start")
	}
	if x.o.Weights != nil && len(x.o.Weights) != len(list) {
		return fmt.Errorf("%d weights of %d starts", len(x.o.Weights), len(list))
	}
	x.weight = map[int]float64{}
	for k, id := range list {
		i := slices.IndexFunc(x.feed.Stops, func(s gtfs.Stop) bool { return s.ID == id })
		if i < 0 {
			return fmt.Errorf("start %q is none of the %d stops, of which %q is one", id, len(x.feed.Stops), x.feed.Stops[0].ID)
		}
		if slices.Contains(x.starts, i) {
			return fmt.Errorf("start %q is given twice", id)
		}
		if x.starts = append(x.starts, i); x.o.Weights != nil {
			x.weight[i] = x.o.Weights[k]
			if !(x.weight[i] > 0) || math.IsInf(x.weight[i], 1) {
				return fmt.Errorf("start %q: weight %v is not a number above 0", id, x.weight[i])
			}
		}
	}
	slices.Sort(x.starts)
	return nil
}

// ids returns the ids of stops.
func (x *timetable) ids(stops []int) (list []string) {
	for _, i := range stops {
		list = append(list, x.feed.Stops[i].ID)
	}
	return list
}

// weights puts the weights of several starts into the graph's attributes, in the order of its vertices.
func (x *timetable) weights() {
	if len(x.weight) == 0 {
		return
	}
	var list []string
	for _, i := range x.starts {
		list = append(list, strconv.FormatFloat(x.weight[i], 'g', -1, 64))
	}
	x.meta.Attr["start_weights"] = strings.Join(list, "\t")
}

// source puts a source before several starts, at the first of them.
func (x *timetable) source() {
	heads := make([]int, len(x.starts))
	for k := range heads {
		heads[k] = 1 + k
	}
	at := x.feed.Stops[x.starts[0]]
	x.sizes, x.heads = append(x.sizes, 1), append(x.heads, heads)
	x.meta.Names, x.meta.XY, x.meta.Place = []string{ddps.Source}, [][2]float64{{at.Lon, at.Lat}}, []int{-1}
	x.meta.Attr[ddps.AttrFromLayer] = "1"
}
