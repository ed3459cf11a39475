package datasets

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

// source puts a source before several starts, at their mean.
func (x *timetable) source() {
	var heads []int
	points := make([][2]float64, 0, len(x.starts))
	lons := make([]float64, 0, len(x.starts))
	for k, i := range x.starts {
		p := x.feed.Stops[i]
		heads = append(heads, 1+k)
		points, lons = append(points, [2]float64{p.Lon, p.Lat}), append(lons, p.Lon)
	}
	for k, lon := range ddps.UnwrapLongitudes(lons) {
		points[k][0] = lon
	}
	at := meanOf(points)
	at[0] = within180(at[0])
	x.sizes, x.heads = append(x.sizes, 1), append(x.heads, heads)
	x.meta.Names, x.meta.XY, x.meta.Place = []string{ddps.Source}, [][2]float64{at}, []int{-1}
	x.meta.Attr[ddps.AttrFromLayer] = "1"
}
