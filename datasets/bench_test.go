package datasets_test

import (
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// BenchmarkHelsinki reads, merges and splits the shipped map.
func BenchmarkHelsinki(b *testing.B) {
	for b.Loop() {
		fixture.Must[*maps.World](b)(datasets.Helsinki())
	}
}

// BenchmarkExpandPrune unrolls Ridge and prunes it.
func BenchmarkExpandPrune(b *testing.B) {
	w := fixture.Must[*maps.World](b)(datasets.Helsinki())
	for b.Loop() {
		o := maps.ExpandOptions{Start: datasets.MapStart, Depth: 11, Dummies: true, All: true, Nodes: datasets.RidgeSize}
		fixture.Must[*ddps.LayeredGraph](b)(maps.Expand(w, o)).Prune()
	}
}

// BenchmarkDraw draws the 120,000 paths of Heights.
func BenchmarkDraw(b *testing.B) {
	g := fixture.Must[*ddps.LayeredGraph](b)(datasets.HeightsGraph())
	for b.Loop() {
		fixture.Must[[]ddps.Path](b)(datasets.Draw(g, datasets.HeightsPaths, 0))
	}
}

// BenchmarkMemory repeats them.
func BenchmarkMemory(b *testing.B) {
	g := fixture.Must[*ddps.LayeredGraph](b)(datasets.HeightsGraph())
	paths := fixture.Must[[]ddps.Path](b)(datasets.Draw(g, datasets.HeightsPaths, 0))
	for b.Loop() {
		fixture.Must[*datasets.Memory](b)(datasets.NewMemory(g, paths)).Counts(g, paths)
	}
}
