package datasets

import (
	"testing"
)

// TestMapStart repeats the search that chose MapStart.
func TestMapStart(t *testing.T) {
	if testing.Short() {
		t.Skip("searches all nodes of the map")
	}
	w := must[*World](t)(Helsinki())
	var best int64
	widest := 0.0
	for i, n := range w.Nodes {
		if walks(w, i, 10) <= 2e7 { // no cut of the world has more
			continue
		}
		ridge, err := w.Near(i, RidgeSize)
		if err != nil {
			continue
		}
		heights := must[*World](t)(w.Near(i, HeightsSize))
		r, _ := ridge.Find(n.ID)
		h, _ := heights.Find(n.ID)
		if c := walks(heights, h, 9); walks(ridge, r, 10) <= 2e7 || c < 4e5 || c > 2e6 {
			continue
		}
		spread := 0.0
		for _, m := range heights.Nodes {
			spread += Distance(n, m) / HeightsSize
		}
		if spread > widest {
			best, widest = n.ID, spread
		}
	}
	if best != MapStart || widest < 80 || widest > 82 {
		t.Errorf("the search finds %d, spread %.1f m, want %d, 81 m", best, widest, MapStart)
	}
}

// walks counts the walks of a number of moves from a node, waiting allowed.
func walks(w *World, start, moves int) float64 {
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
