package where

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// lacks notes, once, that layers, or the graph, lack the place or edge at a position of the text: no path is there.
func (c *compiler) lacks(at int, problem string) {
	if !slices.ContainsFunc(c.absent, func(b *Error) bool { return b.At == at && strings.HasPrefix(b.Problem, problem) }) {
		c.absent = append(c.absent, &Error{c.text, at, problem})
	}
}

// explain adds to the absences from number first on, of a layer.
func (c *compiler) explain(first int, why string) {
	for _, a := range c.absent[first:] {
		if strings.HasPrefix(a.Problem, "layer ") {
			a.Problem += why
		}
	}
}

// absentIn returns the first absence of what a node that no path meets names, nil where there is none.
func (c *compiler) absentIn(n Node) *Error {
	c.absent = nil
	if _, err := c.set(n); err != nil || len(c.absent) == 0 {
		return nil
	}
	return c.absent[0]
}

// absences are notes on all of them.
func (c *compiler) absences() (list []string) {
	for _, a := range c.absent {
		list = append(list, a.Problem)
	}
	return list
}

// vertices finds those that p names, in layers lo…hi, from 0. Where it names some, but none of the layers, that is an
// absence.
func (c *compiler) vertices(p Place, lo, hi int) (in []int, err error) {
	if p.Kind == ByFile {
		return c.listed(p, lo, hi)
	}
	all := c.is(p)
	for _, v := range all {
		if l := c.g.LayerOf(v); l >= lo && l <= hi {
			in = append(in, v)
		}
	}
	switch {
	case len(in) > 0:
		return in, nil
	case len(all) > 0 && lo == hi:
		problem := fmt.Sprintf("layer %d has no %v", lo+1, p)
		if lo == 0 && c.pads != nil && c.pads[0] {
			problem += ": layer 1 is the source before all starts, layer 2 the first place"
		}
		c.lacks(p.At, problem)
		return nil, nil
	case len(all) > 0:
		c.lacks(p.At, fmt.Sprintf("layers %d to %d have no %v", lo+1, hi+1, p))
		return nil, nil
	case p.Kind == ByName && c.listInQuotes(p.Name) != nil:
		return nil, &Error{c.text, p.At, fmt.Sprintf(`no vertex is called %v: several places are {"%s"}`, p,
			strings.Join(c.listInQuotes(p.Name), `", "`))}
	case p.Kind == ByName:
		return nil, &Error{c.text, p.At, fmt.Sprintf("no vertex on any path is called %v%s", p, c.near(p.Name))}
	}
	return nil, &Error{c.text, p.At, fmt.Sprintf("there is no %v on any path", p)}
}

// is returns the vertices that p names.
func (c *compiler) is(p Place) (in []int) {
	switch p.Kind {
	case ByPlace:
		for v, place := range c.g.Meta().Place {
			if place == p.Number {
				in = append(in, v)
			}
		}
	case ByVertex:
		for v := range c.g.NumVertices() {
			if c.g.ID(v) == p.Number {
				in = append(in, v)
			}
		}
	default:
		if in = c.named[p.Name]; in != nil {
			return in
		}
		for _, name := range c.env.Alias[p.Name] {
			in = append(in, c.named[name]...)
		}
		if in == nil {
			in = c.label()[p.Name]
		}
		slices.Sort(in)
		in = slices.Compact(in)
	}
	return in
}

// label returns the vertices by what people call their places: by the whole label, and by each street of it.
func (c *compiler) label() map[string][]int {
	if c.labelled != nil {
		return c.labelled
	}
	c.labelled = map[string][]int{}
	for v, label := range c.g.Labels() {
		if label == "" {
			continue
		}
		c.labelled[label] = append(c.labelled[label], v)
		if streets := strings.Split(label, ddps.LabelSeparator); len(streets) > 1 {
			for _, s := range streets {
				c.labelled[s] = append(c.labelled[s], v)
			}
		}
	}
	return c.labelled
}

// listed finds the vertices that a file of names lists, one a line; blank lines are skipped. It is an error if the
// graph lacks one.
func (c *compiler) listed(p Place, lo, hi int) (in []int, err error) {
	if c.env.ReadFile == nil {
		return nil, &Error{c.text, p.At, "files of names are not read here: write the names in braces"}
	}
	data, err := c.env.ReadFile(p.Name)
	if err != nil {
		return nil, &Error{c.text, p.At, err.Error()}
	}
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		name := strings.TrimSpace(line)
		if name == "" {
			continue
		}
		all := c.is(Place{Kind: ByName, Name: name})
		if len(all) == 0 {
			return nil, &Error{c.text, p.At, fmt.Sprintf("%s:%d: no vertex on any path is called %q%s", p.Name, i+1,
				name, c.near(name))}
		}
		for _, v := range all {
			if l := c.g.LayerOf(v); l >= lo && l <= hi {
				in = append(in, v)
			}
		}
	}
	if len(in) == 0 {
		c.lacks(p.At, fmt.Sprintf("%s names no vertex of layers %d to %d", p.Name, lo+1, hi+1))
	}
	slices.Sort(in)
	return slices.Compact(in), nil
}

// near returns a question about a name that is like the one that was not found.
func (c *compiler) near(name string) string {
	known := make([]string, 0, c.g.NumVertices())
	for v := range c.g.NumVertices() {
		known = append(known, c.g.Name(v))
	}
	aliases := slices.Collect(maps.Keys(c.env.Alias))
	aliases = slices.AppendSeq(aliases, maps.Keys(c.label()))
	slices.Sort(aliases)
	if best := names.Near(name, append(known, aliases...)); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
