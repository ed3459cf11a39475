package guide

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// All makes the condition that all of the parts are met, its weight the product of theirs: the product of their
// automata, with only those combinations of states that some path leads to. Where no path meets them, the error
// names the part, or a smallest set of them that no path meets together, as it does where the product has more
// than MaxEdges edges.
func All(parts ...Condition) (Condition, error) { return allOf(MaxEdges, parts) }

func allOf(limit int, list []Condition) (Condition, error) {
	if len(list) == 0 {
		return nil, errors.New("guide: all of no conditions")
	}
	var parts []part
	var names []string
	first, _ := list[0].(*condition)
	for _, c := range list {
		own, ok := c.(*condition)
		if !ok {
			return nil, fmt.Errorf("guide: %v is not a condition that New made", c)
		}
		if own.g != first.g {
			return nil, fmt.Errorf("guide: %v and %v are about different graphs", first, own)
		}
		parts, names = append(parts, own.parts...), append(names, own.name)
	}
	c, err := compile(first.g, strings.Join(names, " and "), parts, limit)
	if err == nil {
		return c, nil
	}
	if errors.Is(err, errNoPath) {
		bad := conflict(parts, func(sub []part) bool {
			_, err := compile(first.g, "", sub, limit)
			return errors.Is(err, errNoPath)
		})
		return nil, fmt.Errorf("guide: no path meets %s", together(bad))
	}
	names = names[:0]
	for _, p := range parts {
		names = append(names, fmt.Sprintf("%s (%d)", p.name, p.states))
	}
	return nil, fmt.Errorf("guide: all of %s, with the number of states of each: %w", strings.Join(names, ", "), err)
}

func (c *condition) Impossible(pi []float64) error {
	out := make([]float64, len(pi))
	impossible := func(c *condition) bool { return math.IsInf(c.Tilt(pi, out), -1) }
	if !impossible(c) {
		return nil
	}
	bad := conflict(c.parts, func(sub []part) bool {
		d, err := compile(c.g, "", sub, MaxEdges)
		return err == nil && impossible(d)
	})
	return fmt.Errorf("guide: no path that the law gives a probability above 0 meets %s", together(bad))
}

// conflict returns a smallest bad subset of parts, all of which are bad: no part of it can be left out.
func conflict(parts []part, bad func([]part) bool) []part {
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
func together(parts []part) string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names, " and ") + " together; with any one of them left out, some path does"
}
