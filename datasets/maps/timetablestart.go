package maps

import (
	"fmt"
	"slices"

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
	for _, id := range list {
		i := slices.IndexFunc(x.feed.Stops, func(s gtfs.Stop) bool { return s.ID == id })
		if i < 0 {
			return fmt.Errorf("start %q is none of the %d stops, of which %q is one", id, len(x.feed.Stops), x.feed.Stops[0].ID)
		}
		if slices.Contains(x.starts, i) {
			return fmt.Errorf("start %q is given twice", id)
		}
		x.starts = append(x.starts, i)
	}
	slices.Sort(x.starts)
	return nil
}

// names returns the ids of the starts.
func (x *timetable) names() (list []string) {
	for _, i := range x.starts {
		list = append(list, x.feed.Stops[i].ID)
	}
	return list
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
