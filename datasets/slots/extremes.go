package slots

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/tracks"
)

// Extremes finds where tracks begin and end on a map, for Options.Starts and Options.Ends (with Options.Early): the
// node of the first fix in time of each track, and that of its last, by name, or the nearest one within radius metres
// of a point. A start weighs as much as tracks begin there. Both are in the order of the nodes. Tracks of which
// either is at no node are left out, and the note says how many.
//
// Errors: points on a map without coordinates, no track that begins and ends at a node. O(tracks·nodes).
func Extremes(
	w *maps.World,
	t *tracks.Tracks,
	radius float64,
) (starts []Start, ends []int, note string, err error) {
	type track struct{ first, last tracks.Fix }
	at, list := map[[2]string]int{}, []track(nil)
	for _, f := range t.Fixes {
		if f.Place == "" && w.Unplaced {
			return nil, nil, "", errors.New("slots: the map has no coordinates: tracks are to name its places")
		}
		key := [2]string{f.File, f.Track}
		i, ok := at[key]
		if !ok {
			at[key], list = len(list), append(list, track{f, f})
			continue
		}
		if f.Time < list[i].first.Time {
			list[i].first = f
		}
		if f.Time >= list[i].last.Time {
			list[i].last = f
		}
	}
	find := func(f tracks.Fix) (int, bool) {
		if f.Place != "" {
			return w.FindLabel(f.Place)
		}
		i := w.Nearest(f.Lon, f.Lat)
		return i, maps.Distance(maps.Node{Lon: f.Lon, Lat: f.Lat}, w.Nodes[i]) <= radius
	}
	weight, off := map[int]float64{}, 0
	for _, x := range list {
		a, okA := find(x.first)
		b, okB := find(x.last)
		if !okA || !okB {
			off++
			continue
		}
		weight[a]++
		ends = append(ends, b)
	}
	if len(ends) == 0 {
		return nil, nil, "", fmt.Errorf("slots: none of %d tracks begins and ends at a place of the map", len(list))
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	for i := range w.Nodes {
		if weight[i] > 0 {
			starts = append(starts, Start{i, weight[i]})
		}
	}
	note = fmt.Sprintf("%d tracks begin at %d places and end at %d", len(list)-off, len(starts), len(ends))
	if off > 0 {
		note += fmt.Sprintf("; %d begin or end farther than %v m from any place, or at none of the map", off, radius)
	}
	return starts, ends, note, nil
}
