package maps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/arrivals"
	"github.com/ddps-go/ddps/datasets/internal/gtfs"
	"github.com/ddps-go/ddps/ddps"
)

// endings finds the stops where paths end.
func (x *timetable) endings() error {
	if x.o.Absorb && x.o.Ends == nil {
		return errors.New("no end, where paths are to end at one")
	}
	for _, id := range x.o.Ends {
		i := slices.IndexFunc(x.feed.Stops, func(s gtfs.Stop) bool { return s.ID == id })
		if i < 0 {
			return fmt.Errorf("end %q is none of the %d stops, of which %q is one", id, len(x.feed.Stops), x.feed.Stops[0].ID)
		}
		if slices.Contains(x.ends, i) {
			return fmt.Errorf("end %q is given twice", id)
		}
		x.ends = append(x.ends, i)
	}
	slices.Sort(x.ends)
	return nil
}

// describeEnds adds the attributes of the ends.
func (x *timetable) describeEnds() {
	if x.ends != nil {
		x.meta.Attr["end"] = strings.Join(x.ids(x.ends), ", ")
	}
	if x.o.Absorb && x.endName() != ddps.End {
		x.meta.Attr[ddps.AttrEnd] = x.endName()
	}
}

// describeStops adds the attribute of the stops' names.
func (x *timetable) describeStops() {
	labels := make([]string, len(x.feed.Stops))
	for i, s := range x.feed.Stops {
		labels[i] = s.Name
	}
	label(&x.meta, labels)
}

// end is the state of who has come to an end.
func (x *timetable) end() int { return len(x.feed.Stops) + len(x.runs) }

// endName is what end is called.
func (x *timetable) endName() string {
	names := make([]string, len(x.feed.Stops))
	for i, s := range x.feed.Stops {
		names[i] = s.ID
	}
	return ddps.EndName(names)
}

// after returns what follows the end of a path, nil where the path goes on.
func (x *timetable) after(s, now int) []int {
	if s == x.end() || x.o.Absorb && now > x.from && slices.Contains(x.ends, s) {
		return []int{x.end()}
	}
	return nil
}

// unroll lists the layers.
func (x *timetable) unroll() error {
	layers, next := [][]int{x.starts}, make([][][]int, x.o.Depth)
	bytes, half := 0.0, 2
	for l := range x.o.Depth - 1 {
		var following []int
		bytes += copyBytes * float64(len(layers[l]))
		if x.over(bytes) {
			return fmt.Errorf("%d of %d layers take more than the %.3g GiB of memory that there are: a depth of %d fits",
				l+1, x.o.Depth, float64(x.o.Memory)/(1<<30), half)
		}
		if !x.over(2 * bytes) {
			half = max(2, l+1)
		}
		for _, s := range layers[l] {
			to := x.next(s, x.from+l*x.o.Slot)
			bytes += edgeBytes * float64(len(to))
			next[l], following = append(next[l], to), append(following, to...)
		}
		slices.Sort(following)
		layers = append(layers, slices.Compact(following))
	}
	if x.ends != nil {
		if err := x.arrive(layers, next); err != nil {
			return err
		}
	}
	for l, layer := range layers {
		x.sizes = append(x.sizes, len(layer))
		first := len(x.heads) + len(layer) // vertex of the next layer
		for i, s := range layer {
			x.describe(s, x.from+l*x.o.Slot)
			var heads []int
			if l < x.o.Depth-1 {
				heads = make([]int, 0, len(next[l][i]))
				for _, to := range next[l][i] {
					at, _ := slices.BinarySearch(layers[l+1], to)
					heads = append(heads, first+at)
				}
			}
			x.heads = append(x.heads, heads)
		}
	}
	return nil
}

// arrive drops what leads to no end. The error names the start from which none is reached.
func (x *timetable) arrive(layers [][]int, next [][][]int) error {
	last, dropped := x.o.Depth-1, 0
	for l := last; l >= 0; l-- {
		var layer []int
		var lists [][]int
		for i, s := range layers[l] {
			if l == last {
				if s == x.end() || slices.Contains(x.ends, s) {
					layer = append(layer, s)
				}
				continue
			}
			to := slices.DeleteFunc(slices.Clone(next[l][i]), func(b int) bool {
				_, kept := slices.BinarySearch(layers[l+1], b)
				return !kept
			})
			if len(to) > 0 {
				layer, lists = append(layer, s), append(lists, to)
			} else if l == 0 {
				return fmt.Errorf("from start %s no end is reached in %d layers: take more layers or a later end",
					x.feed.Stops[s].ID, x.o.Depth)
			}
		}
		dropped += len(layers[l]) - len(layer)
		layers[l], next[l] = layer, lists
	}
	if len(layers[last]) == 0 {
		return fmt.Errorf("no end is reached in %d layers", x.o.Depth)
	}
	if dropped > 0 && x.o.Note != nil {
		x.o.Note(fmt.Sprintf("pruned %d vertices from which no end is reached in time", dropped))
	}
	if list := arrivals.Missed(x.ends, layers, next, x.end()); x.o.Note != nil && list != nil {
		x.o.Note("no path ends at " + strings.Join(x.ids(list), ", "))
	}
	return nil
}
