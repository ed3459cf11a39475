package maps

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/datasets/internal/earth"
)

// Merge makes one node of intersections (nodes that do not have exactly two
// neighbours) less than metres apart in a straight line, as crossings of streets
// drawn with two carriageways. In the order of the nodes each intersection joins
// the nearest leader within metres, or else becomes a leader itself: no cluster
// is wider than twice metres, whereas joining all close pairs would chain a whole
// square into one node. A cluster that streets within it do not join, as a bridge and
// the street below, is split into parts that they do, as OSMnx does
// (consolidate_intersections): by pieces of street among the nodes within metres
// of the leader. The new node lies at the mean and takes the smallest id.
// Streets within a cluster are dropped and counted as loops, streets that became
// parallel as duplicates. 0 merges nothing; 10 is the
// threshold of the generator (Černý et al. 2024) that the paper §5 uses. The
// error refuses a negative or non-finite distance.
func (w *World) Merge(metres float64) (*World, error) {
	return w.merge(metres, func(root []int) []int { return w.connected(root, w.within(metres)) })
}

// MergeUnjoined is Merge without the splitting of clusters that no street joins: it also merges a crossing on a bridge
// with one below. Heights and Ridge were made by it.
func (w *World) MergeUnjoined(metres float64) (*World, error) {
	return w.merge(metres, func(root []int) []int { return root })
}

// merge merges clusters after a function has split them.
func (w *World) merge(metres float64, split func(root []int) []int) (*World, error) {
	if !(metres >= 0) || math.IsInf(metres, 0) {
		return nil, fmt.Errorf("datasets: merge within %v m, expected a distance of 0 or more", metres)
	}
	if metres == 0 {
		return w, nil
	}
	if w.Unplaced {
		return nil, fmt.Errorf("datasets: merge within %v m: the nodes have no coordinates", metres)
	}
	return w.collapse(split(w.clusters(metres)))
}

// collapse makes one node of all with the same root, of which root[root] is itself: at
// their mean, with the smallest id.
func (w *World) collapse(root []int) (*World, error) {
	nodes, number := []Node{}, make([]int, len(w.Nodes))
	size := []float64{}
	for i, n := range w.Nodes {
		if root[i] == i {
			number[i] = len(nodes)
			nodes, size = append(nodes, Node{ID: n.ID}), append(size, 0)
		}
	}
	for i, n := range w.Nodes {
		k := number[root[i]]
		m := &nodes[k]
		if n.ID <= m.ID {
			m.ID, m.Name, m.Title = n.ID, n.Name, n.Title
		}
		m.Lon += earth.Beside(n.Lon, w.Nodes[root[i]].Lon)
		m.Lat, m.X, m.Y = m.Lat+n.Lat, m.X+n.X, m.Y+n.Y
		size[k]++
	}
	for k := range nodes {
		m := &nodes[k]
		m.Lon, m.Lat, m.X, m.Y = earth.Within180(m.Lon/size[k]), m.Lat/size[k], m.X/size[k], m.Y/size[k]
	}
	edges := slices.Clone(w.Edges)
	for i, e := range edges {
		edges[i].From, edges[i].To = number[root[e.From]], number[root[e.To]]
	}
	return w.derive(nodes, edges)
}

// clusters returns for each node the leader of its cluster.
func (w *World) clusters(metres float64) []int {
	leader, degree, leaders := make([]int, len(w.Nodes)), w.neighbours(), earth.NewCells(metres)
	for i, n := range w.Nodes {
		leader[i] = i
		if len(degree[i]) == 2 {
			continue
		}
		at, best := earth.NewSpot(n.Lon, n.Lat, 0), metres
		leaders.Near(at, func(j int) {
			if d := Distance(n, w.Nodes[j]); d < best || d == best && j < leader[i] {
				leader[i], best = j, d
			}
		})
		if leader[i] == i {
			leaders.Add(i, at)
		}
	}
	return leader
}

// within returns a function that calls in for each node less than metres from node i.
func (w *World) within(metres float64) func(i int, in func(j int)) {
	grid := earth.NewCells(metres)
	for i, n := range w.Nodes {
		grid.Add(i, earth.NewSpot(n.Lon, n.Lat, 0))
	}
	return func(i int, in func(j int)) {
		n := w.Nodes[i]
		grid.Near(earth.NewSpot(n.Lon, n.Lat, 0), func(j int) {
			if Distance(n, w.Nodes[j]) < metres {
				in(j)
			}
		})
	}
}

// neighbours lists the nodes joined to each node in either direction, ascending.
func (w *World) neighbours() [][]int {
	nb := make([][]int, len(w.Nodes))
	for _, e := range w.Edges {
		nb[e.From] = append(nb[e.From], e.To)
		nb[e.To] = append(nb[e.To], e.From)
	}
	for i := range nb {
		slices.Sort(nb[i])
		nb[i] = slices.Compact(nb[i])
	}
	return nb
}

// Split cuts every edge longer than metres into equal pieces no longer than
// that, with new nodes on the straight line between its ends, ids -1, -2, …, and its time in equal parts (the
// two directions of a directed street get nodes of their own). Heights and Ridge
// use twice the generator's unit of 1,000 m, at which no edge of theirs is cut.
// 0 splits nothing; the error refuses a negative or non-finite length, and one
// so short that more than a million nodes would be made.
func (w *World) Split(metres float64) (*World, error) {
	if !(metres >= 0) || math.IsInf(metres, 0) {
		return nil, fmt.Errorf("datasets: split at %v m, expected a length of 0 or more", metres)
	}
	if metres == 0 {
		return w, nil
	}
	if w.Unplaced && !w.Measured {
		return nil, fmt.Errorf("datasets: split at %v m: the nodes have no coordinates, and the edges no lengths", metres)
	}
	total := 0.0
	for _, e := range w.Edges {
		total += max(0, math.Ceil(e.Length/metres)-1)
	}
	if total > 1e6 {
		return nil, fmt.Errorf("datasets: split at %v m would make %.0f nodes, more than a million", metres, total)
	}
	nodes, edges, id := slices.Clone(w.Nodes), []Edge(nil), int64(-1)
	for _, n := range nodes {
		id = min(id, n.ID-1)
	}
	for _, e := range w.Edges {
		pieces := max(1, int(math.Ceil(e.Length/metres)))
		from, a, b := e.From, w.Nodes[e.From], w.Nodes[e.To]
		for k := 1; k < pieces; k++ {
			for ; w.named(id); id-- {
			}
			f := float64(k) / float64(pieces)
			at := earth.Between([2]float64{a.Lon, a.Lat}, [2]float64{b.Lon, b.Lat}, f)
			nodes = append(nodes, Node{ID: id, Lon: at[0], Lat: at[1], X: a.X + f*(b.X-a.X), Y: a.Y + f*(b.Y-a.Y)})
			edges = append(edges, e.part(from, len(nodes)-1, pieces))
			from, id = len(nodes)-1, id-1
		}
		edges = append(edges, e.part(from, e.To, pieces))
	}
	return w.derive(nodes, edges)
}

// part is a piece of e, of so many equal ones.
func (e Edge) part(from, to, pieces int) Edge {
	e.From, e.To, e.Length, e.Time = from, to, e.Length/float64(pieces), e.Time/float64(pieces)
	return e
}

// named reports whether a node is called like the number id.
func (w *World) named(id int64) bool {
	_, taken := w.by[strconv.FormatInt(id, 10)]
	return taken
}
