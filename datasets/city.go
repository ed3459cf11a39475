package datasets

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// The make of a City, in shares of what could be.
const (
	cityBlock    = 100.  // metres from crossing to crossing
	cityJitter   = 15.   // metres that a crossing may be off the grid, either way
	cityParks    = .06   // crossings that are not there: four blocks in one
	cityGaps     = .05   // pieces of street that are not there
	cityDiagonal = .08   // blocks that a street crosses
	cityOneWay   = .25   // streets, from end to end, that are one way
	maxCity      = 1_000 // crossings a side
	maxCityDepth = 300
)

// City makes the streets of a city that is none: side × side crossings, 100 m
// apart but for some disorder, joined to a grid of which parks and gaps are left
// out, with diagonals across some blocks; a quarter of the streets are one way
// over their whole length. Every crossing is numbered row · side + column, from 0,
// and lies about 0° N 0° E; the one in the middle, side/2 · side + side/2, is
// never a park. The world is directed. Equal arguments give equal worlds. side is
// 2…1,000. O(side²).
func City(side int, seed uint64) (*maps.World, error) {
	if side < 2 || side > maxCity {
		return nil, fmt.Errorf("datasets: city: %d crossings a side, expected 2…%d", side, maxCity)
	}
	c := newCity(side, seed)
	w, err := maps.NewWorld(c.nodes, c.edges, true)
	if err == nil {
		w.Attr["name"], w.Attr["seed"], w.Attr["place"] = "City", strconv.FormatUint(seed, 10), "nowhere: made up"
	}
	return w, err
}

// city is the work of one City.
type city struct {
	side  int
	index []int // of a crossing in nodes, -1 for a park
	nodes []maps.Node
	edges []maps.Edge
}

func newCity(side int, seed uint64) *city {
	c := &city{side: side, index: make([]int, side*side)}
	rng, middle := ddps.Rand(seed, 0), (side/2)*side+side/2
	const metre = 180 / (math.Pi * earth.Radius) // in degrees
	for i := range c.index {
		row, col := i/side, i%side
		park := rng.Float64() < cityParks
		dx, dy := cityJitter*(2*rng.Float64()-1), cityJitter*(2*rng.Float64()-1)
		if c.index[i] = -1; park && i != middle {
			continue
		}
		c.index[i] = len(c.nodes)
		c.nodes = append(c.nodes, maps.Node{ID: int64(i), Lon: metre * (cityBlock*float64(col-side/2) + dx),
			Lat: metre * (cityBlock*float64(row-side/2) + dy)})
	}
	ways := make([]float64, 2*side) // of the rows and the columns: one way if below cityOneWay
	for k := range ways {
		ways[k] = rng.Float64()
	}
	for i := range c.index {
		row, col := i/side, i%side
		gapE, gapS, cross := rng.Float64() < cityGaps, rng.Float64() < cityGaps, rng.Float64()
		if col+1 < side && !gapE {
			c.street(i, i+1, ways[row])
		}
		if row+1 < side && !gapS {
			c.street(i, i+side, ways[side+col])
		}
		if row+1 < side && col+1 < side && cross < cityDiagonal {
			if a, b := i, i+side+1; cross < cityDiagonal/2 {
				c.street(a, b, 1)
			} else {
				c.street(i+1, i+side, 1)
			}
		}
	}
	return c
}

// street joins two crossings, unless one is a park: both ways, or one way if way
// is below cityOneWay, forth or back by its half.
func (c *city) street(i, j int, way float64) {
	a, b := c.index[i], c.index[j]
	if a < 0 || b < 0 {
		return
	}
	if way >= cityOneWay/2 {
		c.edges = append(c.edges, maps.Edge{From: a, To: b})
	}
	if way < cityOneWay/2 || way >= cityOneWay {
		c.edges = append(c.edges, maps.Edge{From: b, To: a})
	}
}

// CityGraph unrolls a City so large that no walk of depth layers of places leaves
// it: every layer holds what is reached from the middle by then, waiting allowed.
// The number of vertices grows as the cube of depth: about 1,000 at 12, 10⁶ at
// 111. depth is 2…300. The error is City's and Expand's.
func CityGraph(depth int, seed uint64) (*ddps.LayeredGraph, error) {
	if depth < 2 || depth > maxCityDepth {
		return nil, fmt.Errorf("datasets: city: depth %d, expected 2…%d", depth, maxCityDepth)
	}
	side := 2*depth - 1
	w, err := City(side, seed)
	if err != nil {
		return nil, err
	}
	return maps.Expand(w, maps.ExpandOptions{Start: int64((side/2)*side + side/2), Depth: depth})
}
