// Package osmway gives the nodes of a way that carries its own places: Overpass writes them with `out geom`, osmium and
// others as locations on ways.
package osmway

import (
	"fmt"
	"math"

	"github.com/paulmach/osm"
)

// Point is a place of a way, in degrees.
type Point struct{ Lat, Lon float64 }

// Places numbers places without a number of their own.
type Places struct {
	node   func(*osm.Node)
	number map[Point]osm.NodeID
}

// New returns Places that call node for each place of a way.
func New(node func(*osm.Node)) *Places { return &Places{node, map[Point]osm.NodeID{}} }

// Nodes returns the nodes of a way with the numbers refs at the places points, after it called node for each place.
// Either list may be empty. Without refs equal places are one node, numbered −1, −2, … as they come. A place that is
// nil, as outside of the box asked for, or that is out of range, as what is undefined is written, is none of node's.
func (p *Places) Nodes(refs []int64, points []*Point) (osm.WayNodes, error) {
	if len(refs) > 0 && len(points) > 0 && len(refs) != len(points) {
		return nil, fmt.Errorf("%d nodes, but %d places in its geometry", len(refs), len(points))
	}
	nodes := make(osm.WayNodes, max(len(refs), len(points)))
	for i := range nodes {
		if len(refs) > 0 {
			nodes[i].ID = osm.NodeID(refs[i])
		}
		if len(points) == 0 || points[i] == nil || !(math.Abs(points[i].Lat) <= 90 && math.Abs(points[i].Lon) <= 180) {
			continue // number 0 is no node's
		}
		at := *points[i]
		if len(refs) == 0 {
			if p.number[at] == 0 {
				p.number[at] = -osm.NodeID(len(p.number) + 1)
			}
			nodes[i].ID = p.number[at]
		}
		if p.node != nil {
			p.node(&osm.Node{ID: nodes[i].ID, Lat: at.Lat, Lon: at.Lon, Visible: true})
		}
	}
	return nodes, nil
}
