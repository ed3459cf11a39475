package frame

import (
	"fmt"
	"slices"
)

// Join returns the rows of f, each beside every row of g that has equal values of equal types in the columns on; rows
// without such a row are left out. Columns of g that f has too get " (2)" after their names.
func (f *Frame) Join(g *Frame, on ...string) (*Frame, error) { return f.join(g, on, false) }

// LeftJoin is Join that keeps rows of f without one of g, whose values are then missing.
func (f *Frame) LeftJoin(g *Frame, on ...string) (*Frame, error) { return f.join(g, on, true) }

func (f *Frame) join(g *Frame, on []string, keep bool) (*Frame, error) {
	if len(on) == 0 {
		return nil, fmt.Errorf("frame: a join needs columns")
	}
	left, err := f.columns(on)
	if err != nil {
		return nil, err
	}
	right, err := g.columns(on)
	if err != nil {
		return nil, err
	}
	at := map[string][]int{}
	for r := range g.rows {
		k := g.key(right, r)
		at[k] = append(at[k], r)
	}
	var ours, theirs []int
	for r := range f.rows {
		found := at[f.key(left, r)]
		if len(found) == 0 && keep {
			found = []int{-1}
		}
		for _, o := range found {
			ours, theirs = append(ours, r), append(theirs, o)
		}
	}
	out, other := f.take(ours), g.take(theirs)
	for i, n := range other.names {
		if slices.Contains(on, n) {
			continue
		}
		for out.has(n) {
			n += " (2)"
		}
		out.add(n, other.cols[i])
	}
	return out, nil
}
