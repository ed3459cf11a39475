package guide

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Visits reads a path for how many of its steps meet s: lo to hi of them; hi −1 is any number. A state is that number,
// as far as it matters.
func Visits(g *ddps.LayeredGraph, s Stop, lo, hi int) (Automaton, error) {
	hit, now, err := s.hits(g)
	if err != nil {
		return Automaton{}, err
	}
	most := max(lo, hi+1)
	start := 0
	if now {
		start = min(1, most)
	}
	return Automaton{Start: start, Next: func(q, e int) (int, float64) {
		if hit[e] {
			q = min(q+1, most)
		}
		return q, alive
	}, Accept: func(q int) float64 { return met(q >= lo && (hi < 0 || q <= hi)) }}, nil
}

// Before reads a path for meeting both a and b, a for the first time at an earlier step than b for the first time.
func Before(g *ddps.LayeredGraph, a, b Stop) (Automaton, error) {
	hitA, nowA, err := a.hits(g)
	if err != nil {
		return Automaton{}, err
	}
	hitB, nowB, err := b.hits(g)
	if err != nil {
		return Automaton{}, err
	}
	const neither, first, both, missed = 0, 1, 2, 3
	next := func(q int, a, b bool) int {
		switch {
		case q == neither && b:
			return missed
		case q == neither && a:
			return first
		case q == first && b:
			return both
		}
		return q
	}
	return Automaton{Start: next(neither, nowA, nowB), Next: func(q, e int) (int, float64) {
		if q = next(q, hitA[e], hitB[e]); q == missed {
			return q, dead
		}
		return q, alive
	}, Accept: func(q int) float64 { return met(q == both) }}, nil
}

// Near reads a path for meeting a and b at steps that are at most k apart, in either order. A state is how many steps
// ago a and b were met last, k+1 for longer.
func Near(g *ddps.LayeredGraph, a, b Stop, k int) (Automaton, error) {
	if k < 0 {
		return Automaton{}, fmt.Errorf("guide: within %d steps, must be at least 0", k)
	}
	hitA, nowA, err := a.hits(g)
	if err != nil {
		return Automaton{}, err
	}
	hitB, nowB, err := b.hits(g)
	if err != nil {
		return Automaton{}, err
	}
	k = min(k, g.NumLayers())
	const done = -1
	next := func(q int, a, b bool) int {
		if q == done {
			return q
		}
		x, y := min(q/(k+2)+1, k+1), min(q%(k+2)+1, k+1)
		if a {
			x = 0
		}
		if b {
			y = 0
		}
		if a && y <= k || b && x <= k {
			return done
		}
		return x*(k+2) + y
	}
	long := (k+1)*(k+2) + k + 1
	return Automaton{Start: next(long, nowA, nowB), Next: func(q, e int) (int, float64) {
		return next(q, hitA[e], hitB[e]), alive
	}, Accept: func(q int) float64 { return met(q == done) }}, nil
}

// Stay reads a path for its longest run of layers in a row that meet s: lo to hi layers; hi −1 is any number. A state
// is the run under way, and whether one has been long enough.
func Stay(g *ddps.LayeredGraph, s Stop, lo, hi int) (Automaton, error) {
	hit, now, err := s.hits(g)
	if err != nil {
		return Automaton{}, err
	}
	if hi < 0 {
		hi = g.NumLayers()
	}
	long := func(run int, had bool) int { // run·2 + had
		if had = had || run >= lo; had {
			return 2*run + 1
		}
		return 2 * run
	}
	next := func(q int, hit bool) int {
		run := 0
		if hit {
			run = q/2 + 1
		}
		return long(run, q%2 == 1)
	}
	return Automaton{Start: next(long(0, false), now), Next: func(q, e int) (int, float64) {
		to := next(q, hit[e])
		return to, met(q/2 <= hi && to/2 <= hi)
	}, Accept: func(q int) float64 { return met(q%2 == 1 && q/2 <= hi) }}, nil
}
