package guide

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps/chain"
)

// errNoPathMeets begins the error of a conflict.
const errNoPathMeets = chain.ImpossibleError("no path meets")

// All makes the condition that all of the parts are met, its weight the product of theirs: the product of their
// automata, with only those combinations of states that lie on a path which meets them. Where no path meets them, the
// error names the part, or a smallest set of them that no path meets together; where the product has more than MaxEdges
// edges, how many states each of them has.
func All(parts ...Condition) (Condition, error) { return allOf(MaxEdges, parts) }

func allOf(limit int, list []Condition) (Condition, error) {
	if len(list) == 0 {
		return nil, errors.New("guide: all of no conditions")
	}
	var d *Diagrams
	var parts []Part
	var names, notes, absent []string
	for _, c := range list {
		own, ok := c.(*condition)
		if !ok {
			return nil, fmt.Errorf("guide: %v is not a condition that New made", c)
		}
		if d == nil {
			d = newDiagrams(own.d.g, limit)
		}
		if !own.d.g.Equal(d.g) {
			return nil, fmt.Errorf("guide: %v and %v are about different graphs", list[0], own)
		}
		for _, p := range own.parts {
			parts = append(parts, Part{p.Name, d.copy(own.d, p.Set, map[Set]Set{})})
		}
		names, notes = append(names, own.name), append(notes, own.product.Notes...)
		absent = append(absent, own.product.Absent...)
	}
	c, err := d.Condition(strings.Join(names, " and "), parts, notes...)
	if err == nil {
		c.Product().Absent = absent
	}
	return c, err
}

// meet returns the paths in all of the parts: the smallest first, so that what is between stays small.
func (d *Diagrams) meet(parts []Part) (Set, error) {
	type sized struct {
		set   Set
		edges int
	}
	list := make([]sized, len(parts))
	for i, p := range parts {
		_, edges := d.Size(p.Set)
		list[i] = sized{p.Set, edges}
	}
	slices.SortStableFunc(list, func(a, b sized) int { return cmp.Compare(a.edges, b.edges) })
	all := Every
	for _, x := range list {
		var err error
		if all, err = d.And(all, x.set); err != nil {
			return None, err
		}
	}
	return all, nil
}

// some is parts in a store of their own, so that the store they came from is only read.
type some struct {
	d   *Diagrams
	all Set
}

func newDiagramsOf(from *Diagrams, parts []Part) (some, error) {
	d := newDiagrams(from.g, from.limit)
	own := make([]Part, len(parts))
	for i, p := range parts {
		own[i] = Part{p.Name, d.copy(from, p.Set, map[Set]Set{})}
	}
	all, err := d.meet(own)
	return some{d, all}, err
}

// conflict returns a smallest bad subset of parts, all of which are bad: no part of it can be left out.
func conflict(parts []Part, bad func([]Part) bool) []Part {
	kept := slices.Clone(parts)
	for i := 0; i < len(kept) && len(kept) > 1; {
		if less := slices.Delete(slices.Clone(kept), i, i+1); bad(less) {
			kept = less
		} else {
			i++
		}
	}
	return kept
}

// together names parts that are bad together.
func together(parts []Part) string {
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names, " and ") + " together; with any one of them left out, some path does"
}
