package datasets

import (
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// BenchmarkHelsinki reads, merges and splits the shipped map.
func BenchmarkHelsinki(b *testing.B) {
	for b.Loop() {
		must[*World](b)(Helsinki())
	}
}

// BenchmarkExpandPrune unrolls Ridge and prunes it.
func BenchmarkExpandPrune(b *testing.B) {
	w := must[*World](b)(Helsinki())
	for b.Loop() {
		o := ExpandOptions{Start: MapStart, Depth: 11, Dummies: true, All: true, Nodes: RidgeSize}
		must[*ddps.LayeredGraph](b)(Expand(w, o)).Prune()
	}
}

// BenchmarkDraw draws the 120,000 paths of Heights.
func BenchmarkDraw(b *testing.B) {
	g := must[*ddps.LayeredGraph](b)(HeightsGraph())
	for b.Loop() {
		must[[]ddps.Path](b)(Draw(g, HeightsPaths, 0))
	}
}

// BenchmarkMemory repeats them.
func BenchmarkMemory(b *testing.B) {
	g := must[*ddps.LayeredGraph](b)(HeightsGraph())
	paths := must[[]ddps.Path](b)(Draw(g, HeightsPaths, 0))
	for b.Loop() {
		must[*Memory](b)(NewMemory(g, paths)).Counts(g, paths)
	}
}
