package slots

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// meta describes the vertices.
func (x *expansion) meta() ddps.Meta {
	N := len(x.w.Nodes)
	labels := make([]string, N)
	for i, n := range x.w.Nodes {
		labels[i] = n.Label()
	}
	end, m := ddps.EndName(labels), ddps.Meta{}
	add := func(name string, place int, xy [2]float64) {
		m.Names, m.Place, m.XY = append(m.Names, name), append(m.Place, place), append(m.XY, xy)
	}
	starts := x.starts()
	var nodes []int
	for _, s := range starts {
		nodes = append(nodes, s.Node)
	}
	if len(starts) > 1 {
		add(ddps.Source, -1, x.middle(nodes))
	}
	for _, layer := range x.layers {
		for _, s := range layer {
			switch {
			case s == x.end:
				add(end, s, x.middle(x.ends()))
			case s < N:
				add(labels[s], s, [2]float64{x.w.Nodes[s].Lon, x.w.Nodes[s].Lat})
			default:
				a, from := x.tail[s-N], x.from[s-N]
				j := s - x.first[a.number] + 1
				add(fmt.Sprintf("%s>%s %d/%d", labels[from], labels[a.head], j, a.slots), s,
					between(x.w.Nodes[from], x.w.Nodes[a.head], float64(j)/float64(a.slots)))
			}
		}
	}
	if x.w.Unplaced {
		m.XY = nil
	}
	m.Attr = map[string]string{}
	for k, text := range x.w.Attr {
		m.Attr[k] = text
	}
	if x.o.Labels {
		if text := ddps.LabelText(x.w.Labels(), m.Place); text != "" {
			m.Attr[ddps.AttrLabels] = text
		}
	}
	x.attributes(m.Attr, labels, starts, end)
	return m
}

// attributes fills the attributes of the graph.
func (x *expansion) attributes(attr map[string]string, labels []string, starts []Start, end string) {
	var names, weights, ends []string
	for _, s := range starts {
		names = append(names, labels[s.Node])
		weights = append(weights, strconv.FormatFloat(s.Weight, 'g', -1, 64))
	}
	for _, e := range x.o.Ends {
		ends = append(ends, labels[e])
	}
	attr["start"], attr["depth"] = strings.Join(names, ", "), strconv.Itoa(x.Depth)
	if len(starts) > 1 {
		attr[ddps.AttrStarts] = strings.Join(names, "\t")
	} else if !x.w.Unplaced {
		n := x.w.Nodes[starts[0].Node]
		attr["start_lon"], attr["start_lat"] = fmt.Sprintf("%.7f", n.Lon), fmt.Sprintf("%.7f", n.Lat)
	}
	if len(starts) > 1 && starts[0].Weight > 0 {
		attr["start_weights"] = strings.Join(weights, "\t")
	}
	if len(ends) > 0 {
		attr["end"] = strings.Join(ends, ", ")
	}
	if (x.o.Absorb || x.o.Early) && end != ddps.End {
		attr[ddps.AttrEnd] = end
	}
	if x.Slot == 0 {
		return
	}
	attr[ddps.AttrSlot], attr[ddps.AttrFrom] = strconv.Itoa(x.Slot), cmp.Or(x.o.From, "0:00")
	if len(starts) > 1 {
		attr[ddps.AttrFromLayer] = "1"
	}
	if len(x.tail) > 0 {
		attr[ddps.AttrTransit] = strconv.Itoa(len(x.w.Nodes))
	}
}

// starts returns the starts in the order of their vertices.
func (x *expansion) starts() []Start {
	list := slices.Clone(x.o.Starts)
	slices.SortFunc(list, func(a, b Start) int { return cmp.Compare(a.Node, b.Node) })
	return list
}

// ends returns the nodes where walks may end.
func (x *expansion) ends() []int {
	if x.o.Ends != nil {
		return x.o.Ends
	}
	all := make([]int, len(x.w.Nodes))
	for i := range all {
		all[i] = i
	}
	return all
}

// middle returns the mean of some nodes.
func (x *expansion) middle(nodes []int) (xy [2]float64) {
	lon := make([]float64, len(nodes))
	for k, i := range nodes {
		lon[k] = x.w.Nodes[i].Lon
		xy[1] += x.w.Nodes[i].Lat / float64(len(nodes))
	}
	for _, l := range ddps.UnwrapLongitudes(lon) {
		xy[0] += l / float64(len(nodes))
	}
	xy[0] = within180(xy[0])
	return xy
}

// between returns the point at a share of the straight line from a to b.
func between(a, b maps.Node, share float64) [2]float64 {
	lon := ddps.UnwrapLongitudes([]float64{a.Lon, b.Lon})
	return [2]float64{within180(lon[0] + share*(lon[1]-lon[0])), a.Lat + share*(b.Lat-a.Lat)}
}

// within180 moves a longitude by whole turns into −180…180.
func within180(lon float64) float64 {
	for lon > 180 {
		lon -= 360
	}
	for lon < -180 {
		lon += 360
	}
	return lon
}
