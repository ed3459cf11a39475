package where

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/internal/names"
)

// Env is what a condition may name besides vertices.
type Env struct {
	Totals   map[string][]float64              // numbers by edge, by name; nil where one is known but not given
	Alias    map[string][]string               // other names, such as those of stops or streets, and what each stands for
	ReadFile func(name string) ([]byte, error) // reads a file of names; nil: none is read
	MaxEdges int                               // of the product of graph and states; 0: guide.MaxEdges
	Wide     bool                              // totals that are rounded are widened and not narrowed (guide.Band)
}

// Condition makes the condition on the paths of g; totals are by edge, by name. See Compile.
func (x *Expr) Condition(g *ddps.LayeredGraph, totals map[string][]float64) (guide.Condition, error) {
	return x.Compile(g, Env{Totals: totals})
}

// Compile makes the condition on the paths of g. An error in a name is an *Error, and so is that of a term that no path
// meets; else, where no path meets all of them, or too many states would be needed, it names the terms that are to
// blame. Where no path meets it the error is chain.ErrImpossible, wrapped.
func (x *Expr) Compile(g *ddps.LayeredGraph, env Env) (guide.Condition, error) {
	return x.CompileContext(context.Background(), g, env)
}

// CompileContext is Compile that ends with ctx's error. Time and memory go by the edges of the product, of which
// Env.MaxEdges allows so many: a program that takes conditions from others bounds both, and the length of the text, and
// has no Env.ReadFile.
func (x *Expr) CompileContext(ctx context.Context, g *ddps.LayeredGraph, env Env) (guide.Condition, error) {
	c := &compiler{text: x.text, g: g, env: env, d: guide.NewDiagrams(g), named: map[string][]int{},
		within: guide.Every}
	c.d.Until(ctx)
	if env.MaxEdges > 0 {
		c.d.Limit(env.MaxEdges)
	}
	c.pads, c.no, c.heading = g.Pads(), g.NoPlaces(), g.Headings()
	for v := range g.NumVertices() {
		c.named[g.Name(v)] = append(c.named[g.Name(v)], v)
	}
	if all := c.named[g.Name(0)]; c.pads != nil && c.pads[0] && len(all) > 1 { // a place is called as the source is
		c.named[g.Name(0)] = all[1:]
	}
	list := terms(x.Root)
	sets, late, err := c.together(list)
	if err != nil {
		return nil, err
	}
	parts := make([]guide.Part, len(list))
	for i, n := range list {
		parts[i] = guide.Part{Name: n.String(), Set: sets[i]}
		if late[i] {
			parts[i].Name += " beside the other terms"
		}
		if sets[i] == guide.None {
			return nil, x.unmet(c, n, late[i])
		}
	}
	cond, err := c.d.Condition(x.String(), parts, c.notes...)
	if err == nil {
		cond.Product().Absent = c.absences()
	}
	return cond, err
}

// unmet is the error of a term that no path meets, alone or, where late, beside the others.
func (x *Expr) unmet(c *compiler, n Node, late bool) error {
	if absent := c.absentIn(n); absent != nil {
		return &termError{absent.Error(), errors.Join(absent, chain.ErrImpossible)}
	}
	if late {
		return x.noPath(x.Root, "no path meets "+x.String())
	}
	return x.noPath(n, n.String()+": no path meets it")
}

// noPath is the error of a node that no path meets.
func (x *Expr) noPath(n Node, problem string) error {
	at := &Error{x.text, max(0, strings.Index(x.text, n.String())), problem}
	return &termError{"where: " + problem, errors.Join(at, chain.ErrImpossible)}
}

// compiler knows the names, and holds the sets of paths that terms are.
type compiler struct {
	text  string
	g     *ddps.LayeredGraph
	env   Env
	d     *guide.Diagrams
	named map[string][]int // vertices by name
	pads  []bool           // by vertex: it only fills a path up to the length of the graph; nil for none
	no    []bool           // by vertex: padding, or on the way between two places; nil for none
	notes []string

	absent []*Error // what terms name that layers lack

	within guide.Set // paths that automata are read along

	heading  ddps.Headings
	labelled map[string][]int // vertices by label, made when one is looked for
}

// set returns the paths that meet a node in positive normal form.
func (c *compiler) set(n Node) (s guide.Set, err error) {
	switch n := n.(type) {
	case And:
		return c.both(n)
	case Or:
		return c.either(n)
	case Not:
		s, err = c.not(n)
	default:
		s, err = c.term(n)
	}
	if _, inText := err.(*Error); err != nil && !inText {
		err = &termError{fmt.Sprintf("where: %s: %s", n, reason(err)), err}
	}
	return s, err
}

// reason is what an error of package guide says after the name that it gives the condition.
func reason(err error) string {
	parts := strings.SplitN(err.Error(), ": ", 3)
	return parts[len(parts)-1]
}

// read returns the paths that an automaton accepts.
func (c *compiler) read(a guide.Automaton, err error) (guide.Set, error) {
	if err != nil {
		return guide.None, err
	}
	return c.d.ReadWithin(a, c.within)
}

// term returns the paths that meet a term.
func (c *compiler) term(n Node) (guide.Set, error) {
	switch t := n.(type) {
	case Max:
		u, err := c.total(t.Total)
		if err != nil {
			return guide.None, err
		}
		return c.d.Max(u)
	case Boltzmann:
		u, err := c.total(t.Total)
		if err != nil {
			return guide.None, err
		}
		return c.d.Boltzmann(u, t.Beta)
	case Compare:
		return c.compare(t)
	case Motif:
		return c.motif(t)
	case Regex:
		return c.regex(t)
	case Avoid:
		return c.avoid(t)
	}
	return c.places(n)
}

// compare returns the paths whose total is as t says.
func (c *compiler) compare(t Compare) (guide.Set, error) {
	u, err := c.total(t.Total)
	if err != nil {
		return guide.None, err
	}
	x, err := c.value(t)
	if err != nil {
		return guide.None, err
	}
	b := guide.Band{Min: x, Max: x}
	switch t.Op {
	case ">=":
		b.Max = math.Inf(1)
	case "<=":
		b.Min = math.Inf(-1)
	case ">":
		b = guide.Band{Min: x, Max: math.Inf(1), Open: true}
	case "<":
		b = guide.Band{Min: math.Inf(-1), Max: x, Open: true}
	}
	b.Wide = c.env.Wide
	s, note, err := c.d.Band(u, b)
	if note != "" {
		c.notes = append(c.notes, t.String()+": "+note)
	}
	return s, err
}

// avoid returns the paths without a visit, an edge or a motif.
func (c *compiler) avoid(t Avoid) (s guide.Set, err error) {
	if t.Motif != nil {
		s, err = c.motif(*t.Motif)
	} else {
		s, err = c.places(Stops{t.Stop})
	}
	if err != nil {
		return s, err
	}
	return c.d.Not(s)
}

// total finds numbers by edge.
func (c *compiler) total(t Total) ([]float64, error) {
	u, ok := c.env.Totals[t.Name]
	if !ok && t.Name == "gc" {
		if u = gc(c.g); u == nil {
			return nil, &Error{c.text, t.At, "gc counts letters of DNA, and the graph's vertices are not called A, C, G, T"}
		}
		ok = true
	}
	if ok && u != nil {
		return u, nil
	}
	known := slices.Sorted(maps.Keys(c.env.Totals))
	if slices.Contains(known, t.Name) || t.Name == "reward" || t.Name == "cost" {
		return nil, &Error{c.text, t.At, "no " + t.Name + " is given"}
	}
	problem := fmt.Sprintf("there is no total called %s (%s)", t.Name, strings.Join(known, ", "))
	for _, name := range known {
		if names.Edits(t.Name, name, 2) <= 2 {
			problem += "; did you mean " + name + "?"
		}
	}
	return nil, &Error{c.text, t.At, problem}
}
