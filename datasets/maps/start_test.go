package maps_test

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// TestMapStart repeats the search that chose MapStart.
func TestMapStart(t *testing.T) {
	if testing.Short() {
		t.Skip("searches all nodes of the map")
	}
	w := fixture.Must[*maps.World](t)(datasets.Helsinki())
	var best int64
	most := 0.0
	for i, n := range w.Nodes {
		if walks(w, i, 10) <= 2e7 { // no cut of the world has more
			continue
		}
		ridge, err := w.Near(i, datasets.RidgeSize)
		if err != nil {
			continue
		}
		heights := fixture.Must[*maps.World](t)(w.Near(i, datasets.HeightsSize))
		r, _ := ridge.Find(n.ID)
		h, _ := heights.Find(n.ID)
		if c := walks(heights, h, 9); walks(ridge, r, 10) <= 2e7 || c < 4e5 || c > 2e6 || spread(heights, n) < 42 {
			continue
		}
		if gap := memoryGap(t, w, n.ID); gap > most {
			best, most = n.ID, gap
		}
	}
	if best != datasets.MapStart || most < 0.295 || most > 0.307 {
		t.Errorf("the search finds %d, gap %.4f nats, want %d, 0.301", best, most, datasets.MapStart)
	}
}

// spread returns the mean distance of a world's places from a node, in metres.
func spread(w *maps.World, from maps.Node) (mean float64) {
	for _, m := range w.Nodes {
		mean += maps.Distance(from, m) / float64(len(w.Nodes))
	}
	return mean
}

// memoryGap returns KL(distribution ‖ chain) in nats: distribution is that which makes the data of a Heights begun at
// start, chain the first-order chain with the distribution's edge probabilities.
func memoryGap(t *testing.T, w *maps.World, start int64) (gap float64) {
	t.Helper()
	g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: start, Depth: 10, Dummies: true,
		All: true, Nodes: datasets.HeightsSize}))
	memory := fixture.Must[*datasets.Memory](t)(datasets.NewMemory(g, fixture.Must[[]ddps.Path](t)(datasets.Draw(g, 20_000,
		0))))
	p := g.Prune()
	all := fixture.Must[*datasets.Data](t)(datasets.All(p, 1<<22))
	dist := memory.Distribution(p, all.Paths)
	edge, vertex := make([]float64, p.NumEdges()), make([]float64, p.NumVertices())
	for k, q := range all.Paths {
		gap += dist[k] * math.Log(dist[k])
		for l := range len(q) - 1 {
			e, _ := p.EdgeBetween(q[l], q[l+1])
			edge[e] += dist[k]
			vertex[q[l]] += dist[k]
		}
	}
	for e, x := range edge {
		if x > 0 {
			gap -= x * math.Log(x/vertex[p.Tail(e)])
		}
	}
	return gap
}

// walks counts the walks of a number of moves from a node, waiting allowed.
func walks(w *maps.World, start, moves int) float64 {
	at := make([]float64, len(w.Nodes))
	at[start] = 1
	for range moves {
		next := make([]float64, len(at))
		for i, c := range at {
			if c == 0 {
				continue
			}
			next[i] += c
			for _, b := range w.Heads(i) {
				next[b] += c
			}
		}
		at = next
	}
	sum := 0.0
	for _, c := range at {
		sum += c
	}
	return sum
}
