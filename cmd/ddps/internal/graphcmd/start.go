package graphcmd

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// follow returns the number of the node called label; one that a merge took away
// moves to the node it went into, or nearest to it. what is start or end.
func follow(a *cli.App, read, w *maps.World, what, label string) (int, error) {
	if i, is := w.FindLabel(label); is {
		return i, nil
	}
	i, was := read.FindLabel(label)
	if near := read.NearLabel(label); !was && near != "" {
		return 0, fmt.Errorf("%s %s is not on the map of %s nodes, did you mean %q?", what, label, cli.Whole(len(w.Nodes)),
			near)
	}
	if !was {
		return 0, fmt.Errorf("%s %s is not on the map of %s nodes, of which %s is one", what, label, cli.Whole(len(w.Nodes)),
			w.Nodes[0].Label())
	}
	n := read.Nodes[i]
	k := w.Nearest(n.Lon, n.Lat)
	to := w.Nodes[k]
	a.Notef("%s %s was merged: taking %s, %.1f m away", what, label, to.Label(), maps.Distance(n, to))
	return k, nil
}

// named lists the numbers of the nodes that --start and --end are at, as far as they are on the map w made of read.
func (o *importOptions) named(read, w *maps.World) (ids []int64) {
	for _, label := range append(append([]string{}, o.start...), o.slots.ends...) {
		i, is := read.FindLabel(label)
		if k := strings.LastIndex(label, "="); !is && k >= 0 { // a weight
			i, is = read.FindLabel(label[:k])
		}
		if !is {
			continue
		}
		if j, stays := w.Find(read.Nodes[i].ID); stays {
			ids = append(ids, w.Nodes[j].ID)
		} else if !read.Unplaced {
			ids = append(ids, w.Nodes[w.Nearest(read.Nodes[i].Lon, read.Nodes[i].Lat)].ID)
		}
	}
	return ids
}

// startHint says how to say where on a map paths begin.
func startHint(w *maps.World) string {
	if len(w.Nodes) == 0 {
		return "the map has no node"
	}
	hint := "--start NODE, like --start " + w.Nodes[0].Label()
	if w.Unplaced {
		return hint
	}
	return hint + ", or --at LONGITUDE,LATITUDE; the map is " + extent(w)
}

// extent describes where a map with coordinates lies.
func extent(w *maps.World) string {
	lons, lat := make([]float64, len(w.Nodes)), [2]float64{math.Inf(1), math.Inf(-1)}
	for i, n := range w.Nodes {
		lons[i] = n.Lon
		lat = [2]float64{min(lat[0], n.Lat), max(lat[1], n.Lat)}
	}
	lons = ddps.UnwrapLongitudes(lons)
	west, east := slices.Min(lons), slices.Max(lons)
	across := ""
	if east > 180 {
		east, across = east-360, " across the 180th meridian"
	}
	return fmt.Sprintf("of longitudes %.4f to %.4f%s and latitudes %.4f to %.4f", west, east, across, lat[0], lat[1])
}

// offMap is how far from a street, in metres, a place is no longer on the map.
const offMap = 1000

// startNear returns the node nearest to a place.
func startNear(a *cli.App, w *maps.World, lon, lat float64) (int, error) {
	if w.Unplaced {
		return 0, fmt.Errorf("--at: the map has no coordinates; name the --start")
	}
	k := w.Nearest(lon, lat)
	n := w.Nodes[k]
	d := maps.Distance(maps.Node{Lon: lon, Lat: lat}, n)
	if d > offMap {
		swapped := maps.Distance(maps.Node{Lon: lat, Lat: lon}, w.Nodes[w.Nearest(lat, lon)])
		if math.Abs(lon) <= 90 && swapped < max(offMap, d/100) {
			return 0, fmt.Errorf("--at %v,%v is latitude,longitude: want --at %v,%v", lon, lat, lat, lon)
		}
		return 0, fmt.Errorf("--at %v,%v is not on the map, %s: the nearest street is %.1f km away", lon, lat, extent(w),
			d/1000)
	}
	a.Notef("start %s, %.0f m from the place asked for", n.Label(), d)
	return k, nil
}
