package where

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// Condition makes the condition on the paths of g; totals are by edge, by name. An error in a name is an *Error;
// else, where no path meets it, or too many states would be needed, it names the terms that are to blame.
func (x *Expr) Condition(g *ddps.LayeredGraph, totals map[string][]float64) (guide.Condition, error) {
	c := &compiler{x.text, g, totals}
	var parts []guide.Condition
	for _, t := range x.Terms {
		part, err := c.term(t)
		if err != nil {
			return nil, err
		}
		parts = append(parts, guide.Named(part, t.String()))
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	all, err := guide.All(parts...)
	if err != nil {
		return nil, err
	}
	return guide.Named(all, x.String()), nil
}

// Totals returns the names of the totals that the condition asks for, in order.
func (x *Expr) Totals() []string {
	names := map[string]bool{}
	for _, t := range x.Terms {
		switch t := t.(type) {
		case Max:
			names[t.Total.Name] = true
		case Boltzmann:
			names[t.Total.Name] = true
		case Compare:
			names[t.Total.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// compiler knows the names.
type compiler struct {
	text   string
	g      *ddps.LayeredGraph
	totals map[string][]float64
}

// term makes the condition of one term.
func (c *compiler) term(t Term) (guide.Condition, error) {
	switch t := t.(type) {
	case Max:
		return c.with(t.Total, t, guide.MaxReward)
	case Boltzmann:
		return c.with(t.Total, t, func(g *ddps.LayeredGraph, u []float64) (guide.Condition, error) { return guide.Boltzmann(g, u, t.Beta) })
	case Compare:
		value, err := c.value(t)
		if err != nil {
			return nil, err
		}
		return c.with(t.Total, t, func(g *ddps.LayeredGraph, u []float64) (guide.Condition, error) {
			switch t.Op {
			case ">=":
				return guide.AtLeast(g, u, value)
			case "<=":
				return guide.Budget(g, u, value)
			}
			return guide.Exactly(g, u, value)
		})
	case Stops:
		stops := make([]guide.Stop, len(t))
		for i, s := range t {
			var err error
			if stops[i], err = c.stop(s); err != nil {
				return nil, err
			}
		}
		if len(stops) == 1 {
			return c.blame(t)(guide.Through(c.g, stops...))
		}
		return c.blame(t)(guide.InOrder(c.g, stops...))
	case Motif:
		return c.met(t)(c.motif(t, guide.Motif))
	case Avoid:
		return c.avoid(t)
	case End:
		s, err := c.stop(Stop{Places: t.Places, Layer: c.g.NumLayers()})
		if err != nil {
			return nil, err
		}
		return c.blame(t)(guide.EndIn(c.g, s.Vertices...))
	}
	return nil, fmt.Errorf("where: a term of type %T", t)
}

// avoid makes the condition of a visit, an edge or a motif that is not to be.
func (c *compiler) avoid(t Avoid) (guide.Condition, error) {
	if t.Motif != nil {
		return c.met(t)(c.motif(*t.Motif, guide.NoMotif))
	}
	s, err := c.stop(t.Stop)
	if err != nil {
		return nil, err
	}
	return c.blame(t)(guide.Avoid(c.g, s))
}

// blame gives the error of a term's condition the term's own words.
func (c *compiler) blame(t Term) func(guide.Condition, error) (guide.Condition, error) {
	return func(cond guide.Condition, err error) (guide.Condition, error) {
		if err != nil {
			err = fmt.Errorf("where: %s: %s", t, reason(err))
		}
		return cond, err
	}
}

// met is blame, but leaves an error in the text as it is.
func (c *compiler) met(t Term) func(guide.Condition, error) (guide.Condition, error) {
	return func(cond guide.Condition, err error) (guide.Condition, error) {
		if _, inText := err.(*Error); inText {
			return nil, err
		}
		return c.blame(t)(cond, err)
	}
}

// reason is what an error of package guide says after the name that it gives the condition.
func reason(err error) string {
	parts := strings.SplitN(err.Error(), ": ", 3)
	return parts[len(parts)-1]
}

// with makes a condition on a total.
func (c *compiler) with(t Total, term Term, f func(*ddps.LayeredGraph, []float64) (guide.Condition, error)) (guide.Condition, error) {
	u, ok := c.totals[t.Name]
	if !ok && t.Name == "gc" {
		if u = gc(c.g); u == nil {
			return nil, &Error{c.text, t.At, "gc counts letters of DNA, and the graph's vertices are not called A, C, G, T"}
		}
		ok = true
	}
	if !ok || u == nil {
		known := slices.Sorted(maps.Keys(c.totals))
		if slices.Contains(known, t.Name) || t.Name == "reward" || t.Name == "cost" {
			return nil, &Error{c.text, t.At, "no " + t.Name + " is given"}
		}
		return nil, &Error{c.text, t.At, fmt.Sprintf("there is no total called %s (%s)", t.Name, strings.Join(known, ", "))}
	}
	return c.blame(term)(f(c.g, u))
}

// stop finds the vertices or edges of a stop.
func (c *compiler) stop(s Stop) (out guide.Stop, err error) {
	L := c.g.NumLayers()
	if s.Layer > L {
		at := s.At
		if s.Edge == nil {
			at = s.Places[0].At
		}
		return out, &Error{c.text, at, fmt.Sprintf("there is no layer %d, only 1…%d", s.Layer, L)}
	}
	if s.Edge == nil {
		for _, p := range s.Places {
			v, err := c.vertices(p, s.Layer)
			if err != nil {
				return out, err
			}
			out.Vertices = append(out.Vertices, v...)
		}
		return out, nil
	}
	from, err := c.vertices(s.Edge[0], s.Layer)
	if err != nil {
		return out, err
	}
	to, err := c.vertices(s.Edge[1], 0)
	if err != nil {
		return out, err
	}
	for _, v := range from {
		lo, hi := c.g.Edges(v)
		for e := lo; e < hi; e++ {
			if slices.Contains(to, c.g.Head(e)) {
				out.Edges = append(out.Edges, e)
			}
		}
	}
	if len(out.Edges) == 0 {
		where := ""
		if s.Layer > 0 {
			where = fmt.Sprintf(" from layer %d on", s.Layer)
		}
		return out, &Error{c.text, s.At, fmt.Sprintf("there is no edge from %v to %v%s", s.Edge[0], s.Edge[1], where)}
	}
	return out, nil
}

// vertices finds those that p names, in a layer from 1, 0 for any.
func (c *compiler) vertices(p Place, layer int) (in []int, err error) {
	anywhere := false
	for v := range c.g.NumVertices() {
		if !c.is(v, p) {
			continue
		}
		anywhere = true
		if layer == 0 || c.g.LayerOf(v) == layer-1 {
			in = append(in, v)
		}
	}
	switch {
	case len(in) > 0:
		return in, nil
	case anywhere:
		return nil, &Error{c.text, p.At, fmt.Sprintf("layer %d has no %v", layer, p)}
	case p.Kind == ByName:
		return nil, &Error{c.text, p.At, fmt.Sprintf("no vertex on any path is called %v%s", p, c.near(p.Name))}
	}
	return nil, &Error{c.text, p.At, fmt.Sprintf("there is no %v on any path", p)}
}

// is tells whether p names v.
func (c *compiler) is(v int, p Place) bool {
	switch p.Kind {
	case ByPlace:
		places := c.g.Meta().Place
		return places != nil && places[v] == p.Number
	case ByVertex:
		return c.g.ID(v) == p.Number
	}
	return c.g.Name(v) == p.Name
}
