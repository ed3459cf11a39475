package where

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// Motif is motif("letters", position): letters of DNA that are one after the other, the first at a position from 1, 0
// for any. Letters are upper case, IUPAC's codes for several bases among them; gaps and the like are as in Regex.
type Motif struct {
	Letters  string
	Position int
	At       int // where it is
	pattern  pattern
}

// Regex is regex('pattern'): a regular expression over names, which the whole path fits.
type Regex struct {
	Pattern string
	At      int // where it is
	pattern pattern
}

// iupac returns the bases that a code of the International Union of Pure and Applied Chemistry stands for
// (Cornish-Bowden 1985), "" for no code.
func iupac(r rune) string {
	return map[rune]string{
		'A': "A", 'C': "C", 'G': "G", 'T': "T", 'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT", 'K': "GT", 'M': "AC",
		'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
	}[r]
}

func (t Motif) String() string {
	if t.Position == 0 {
		return fmt.Sprintf("motif(%q)", t.Letters)
	}
	return fmt.Sprintf("motif(%q, %d)", t.Letters, t.Position)
}

func (t Regex) String() string {
	if strconv.Quote(t.Pattern) == `"`+strings.ReplaceAll(t.Pattern, `"`, `\"`)+`"` && !strings.Contains(t.Pattern,
		"'") {
		return "regex('" + t.Pattern + "')"
	}
	return fmt.Sprintf("regex(%q)", t.Pattern)
}

// motif reads motif("letters", position).
func (p *parser) motif() (Node, error) {
	m := Motif{At: p.take().at}
	if err := p.want(symbol, "("); err != nil {
		return m, err
	}
	t := p.take()
	if t.kind != text && t.kind != single || t.s == "" {
		return m, p.wrong(t, `letters in quotes, like "TATAAT" or "TTGACA.{15,19}TATAAT"`)
	}
	m.Letters = strings.ToUpper(t.s)
	var err error
	if m.pattern, err = (&patternParser{text: p.text, s: t.s, at: t.at + 1, raw: t.raw,
		letters: true}).parse(); err != nil {
		return m, err
	}
	if p.is(symbol, ",") {
		p.is(word, "at")
		if m.Position, err = p.whole(1, "the position of the motif's first letter, from 1"); err != nil {
			return m, err
		}
	}
	return m, p.want(symbol, ")")
}

// regex reads regex('pattern').
func (p *parser) regex() (Node, error) {
	r := Regex{At: p.take().at}
	if err := p.want(symbol, "("); err != nil {
		return r, err
	}
	t := p.take()
	if t.kind != text && t.kind != single {
		return r, &Error{p.text, t.at, `expected a pattern in quotes, like 'A (B|C)* D', found ` + t.String()}
	}
	r.Pattern = t.s
	var err error
	if r.pattern, err = (&patternParser{text: p.text, s: t.s, at: t.at + 1, raw: t.raw}).parse(); err != nil {
		return r, err
	}
	return r, p.want(symbol, ")")
}

// motif returns the paths that have the motif.
func (c *compiler) motif(m Motif) (guide.Set, error) {
	first, ok := c.g.Letters(ddps.Bases)
	n, least := c.g.NumLayers()-first, m.pattern.shortest()
	switch last := m.Position - 1 + least; {
	case !ok:
		return 0, &Error{c.text, m.At, "motifs are of DNA, and the graph's vertices are not called A, C, G, T"}
	case m.Position == 0 && least > n:
		return 0, &Error{c.text, m.At, fmt.Sprintf("the motif has %d letters, more than the %d of a sequence", least,
			n)}
	case last > n:
		return 0, &Error{c.text, m.At, fmt.Sprintf("the motif would end at position %d, and a sequence ends at %d",
			last, n)}
	}
	at := guide.Where{Layer: -1}
	if m.Position > 0 {
		at.Layer = first + m.Position - 1
	}
	p, err := c.pattern(m.pattern, true, func(v int) bool { return c.g.LayerOf(v) >= first })
	if err != nil {
		return 0, err
	}
	return c.match(p, at)
}

// regex returns the paths that fit the pattern.
func (c *compiler) regex(r Regex) (guide.Set, error) {
	p, err := c.pattern(r.pattern, false, func(v int) bool { return c.no == nil || !c.no[v] })
	if err != nil {
		return 0, err
	}
	return c.match(p, guide.Where{Whole: true, Skip: c.no})
}

// match returns the paths that fit the pattern.
func (c *compiler) match(p guide.Pattern, at guide.Where) (guide.Set, error) {
	return c.read(guide.Match(c.g, p, at))
}

// pattern puts vertices for names; counts says which vertices there are. A letter that the graph lacks fits nothing, a
// name that it lacks is an error.
func (c *compiler) pattern(x pattern, letters bool, counts func(v int) bool) (out guide.Pattern, err error) {
	out = guide.Pattern{Op: x.op, Min: x.min, Max: x.max}
	for _, y := range x.of {
		part, err := c.pattern(y, letters, counts)
		if err != nil {
			return out, err
		}
		out.Of = append(out.Of, part)
	}
	if x.op != guide.One {
		return out, nil
	}
	in := make([]bool, c.g.NumVertices())
	for _, name := range x.names {
		list := c.named[name]
		if !letters {
			if list, err = c.vertices(Place{Kind: ByName, Name: name, At: x.at}, 0, c.g.NumLayers()-1); err != nil {
				return out, err
			}
		}
		for _, v := range list {
			in[v] = true
		}
	}
	for v := range in {
		if counts(v) && (x.names == nil || in[v] != x.but) {
			out.Vertices = append(out.Vertices, v)
		}
	}
	return out, nil
}

// gc is the total called so: how many letters are G or C; nil for a graph that is no lattice of DNA.
func gc(g *ddps.LayeredGraph) []float64 {
	first, ok := g.Letters(ddps.Bases)
	if !ok {
		return nil
	}
	counts := func(v int) float64 {
		if b := g.Name(v); g.LayerOf(v) >= first && (b == "G" || b == "C") {
			return 1
		}
		return 0
	}
	u := make([]float64, g.NumEdges())
	for e := range u {
		if u[e] = counts(g.Head(e)); g.Tail(e) == 0 {
			u[e] += counts(0) // no edge leads to v¹
		}
	}
	return u
}

// value is what a total is compared with: of gc a whole number of letters, or a percentage of all of them.
func (c *compiler) value(t Compare) (float64, error) {
	first, ok := c.g.Letters(ddps.Bases)
	_, own := c.env.Totals[t.Total.Name]
	if own && t.Percent {
		return 0, &Error{c.text, t.Total.At, "the total gc given here has no %"}
	}
	if t.Total.Name != "gc" || own || !ok {
		return t.Value, nil
	}
	n := float64(c.g.NumLayers() - first)
	if t.Percent { // in decimals: 14.3% of 1,000 is 143
		return strconv.ParseFloat(strconv.FormatFloat(t.Value*n/100, 'g', 14, 64), 64)
	}
	if t.Value != math.Trunc(t.Value) {
		return 0, &Error{c.text, t.Total.At, fmt.Sprintf("gc counts letters, of which %v is no whole number: a share is "+
			"like gc %s 35%%", t.Value, t.Op)}
	}
	return t.Value, nil
}
