package table1

import (
	"math"
	"testing"
)

// Of each method the table shows the longest training's row; over seeds are rates by the same training.
func TestSeedMeans(t *testing.T) {
	row := func(method string, seed uint64, examples, samples int, valid float64) Row {
		return Row{Method: method, Seed: seed, TrainExamples: examples, Samples: samples, ValidRate: valid}
	}
	rows := []Row{row(MethodSwinGNN, 1, 100, 64, .5), row(MethodSwinGNN, 0, 100, 64, .7),
		row(MethodSwinGNN, 0, 900, 32, .9), row(MethodSwinGNN, 1, 100, 512, .6), row(MethodDDPS, 2, 10, 64, 1)}
	main := Main(rows)
	if len(main) != 2 || main[0].ValidRate != .9 || main[1].Method != MethodDDPS {
		t.Errorf("%+v", main)
	}
	list := SeedMeans(rows)
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	m := list[0]
	if m.TrainExamples != 100 || m.Least != 64 || m.Most != 512 || m.Valid.N != 2 || m.Valid.Low != .6 ||
		m.Valid.High != .7 || math.Abs(m.Valid.Mean-.65) > 1e-12 {
		t.Errorf("%+v", m)
	}
}
