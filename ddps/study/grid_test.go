package study

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

type square struct {
	X int `csv:"x"`
	Y int `csv:"y"`
}

// A grid measures what is missing, in order, and no more; one that fails says where; results come in the order of the
// grid, whatever that of the table.
func TestGrid(t *testing.T) {
	to, err := OpenTable[square](filepath.Join(t.TempDir(), "squares.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if err := to.Add(square{3, 9}); err != nil {
		t.Fatal(err)
	}
	var measured []int
	fail := errors.New("two is too much")
	g := Grid[square]{Points: []square{{X: 1}, {X: 2}, {X: 3}}, Same: func(a, b square) bool { return a.X == b.X },
		Stage: "squares",
		Measure: func(_ context.Context, s *square) error {
			measured = append(measured, s.X)
			if s.X == 2 && fail != nil {
				return fail
			}
			s.Y = s.X * s.X
			return nil
		}}
	ctx := context.Background()
	if open := to.Missing(g.Points, g.Same); len(open) != 2 || open[0].X != 1 || open[1].X != 2 {
		t.Errorf("missing %v", open)
	}
	if err := g.Run(ctx, to, nil); !errors.Is(err, fail) || len(to.Rows) != 2 {
		t.Errorf("%v, rows %v", err, to.Rows)
	}
	fail = nil
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := g.Run(stopped, to, nil); !errors.Is(err, context.Canceled) || len(measured) != 2 {
		t.Errorf("stopped: %v, measured %v", err, measured)
	}
	for range 2 {
		if err := g.Run(ctx, to, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(measured) != 3 || len(to.Rows) != 3 {
		t.Errorf("measured %v, rows %v", measured, to.Rows)
	}
	for i, r := range to.Rows { // 3 was there first
		if r.X != i+1 {
			t.Errorf("row %d: %v", i, r)
		}
	}
	for _, r := range []square{{9, 81}, {8, 64}} { // of another study: they stay where they are
		if err := to.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	back := Grid[square]{Points: []square{{X: 8}, {X: 2}, {X: 1}}, Same: g.Same}
	if err := back.Run(ctx, to, nil); err != nil {
		t.Fatal(err)
	}
	want := []int{8, 2, 3, 9, 1}
	again, err := ReadTable[square](to.path)
	for i, r := range again {
		if err != nil || len(again) != 5 || r.X != want[i] || to.Rows[i] != r {
			t.Errorf("arranged: %v, %v", again, err)
			break
		}
	}
	for i, r := range g.Results(to) {
		if r != (square{i + 1, (i + 1) * (i + 1)}) {
			t.Errorf("result %d: %v", i, r)
		}
	}
}
