package where

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
)

// Motif is motif("letters", position): letters of DNA that stand one after the other, the first at a position from 1, 0
// for any. Letters are upper case, IUPAC's codes for several bases among them.
type Motif struct {
	Letters  string
	Position int
	At       int // where it stands
}

// iupac are the codes of the International Union of Pure and Applied Chemistry for one of several bases (Cornish-Bowden
// 1985).
var iupac = map[rune]string{
	'A': "A", 'C': "C", 'G': "G", 'T': "T", 'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT", 'K': "GT", 'M': "AC",
	'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
}

// maxLetters is the most letters of a motif.
const maxLetters = 62

func (t Motif) String() string {
	if t.Position == 0 {
		return fmt.Sprintf("motif(%q)", t.Letters)
	}
	return fmt.Sprintf("motif(%q, %d)", t.Letters, t.Position)
}

// motif reads motif("letters", position).
func (p *parser) motif() (m Motif, err error) {
	m.At = p.take().at
	if err := p.want(symbol, "("); err != nil {
		return m, err
	}
	t := p.take()
	if t.kind != text || t.s == "" {
		return m, p.wrong(t, `letters in quotes, like "TATAAT",`)
	}
	m.Letters = strings.ToUpper(t.s)
	for i, r := range t.s {
		if r < utf8.RuneSelf && iupac[unicode.ToUpper(r)] != "" {
			continue
		}
		at := t.at
		if strings.HasPrefix(p.text[t.at+1:], t.s) { // no \ in it
			at += 1 + i
		}
		return m, &Error{p.text, at, fmt.Sprintf("%q is no letter of DNA (A, C, G, T, or R, Y, S, W, K, M, B, D, H, V, N for several)", r)}
	}
	if len(m.Letters) > maxLetters {
		return m, &Error{p.text, t.at, fmt.Sprintf("a motif of %d letters, must be %d or less", len(m.Letters), maxLetters)}
	}
	if p.is(symbol, ",") {
		p.is(word, "at")
		if m.Position, err = p.whole(1, "the position of the motif's first letter, from 1"); err != nil {
			return m, err
		}
	}
	return m, p.want(symbol, ")")
}

// motif makes the condition of a motif, or of none.
func (c *compiler) motif(m Motif, make func(*ddps.LayeredGraph, [][]int, int) (guide.Condition, error)) (guide.Condition, error) {
	first, ok := c.g.Letters(ddps.Bases)
	n := c.g.NumLayers() - first
	switch last := m.Position - 1 + len(m.Letters); {
	case !ok:
		return nil, &Error{c.text, m.At, "motifs are of DNA, and the graph's vertices are not called A, C, G, T"}
	case m.Position == 0 && len(m.Letters) > n:
		return nil, &Error{c.text, m.At, fmt.Sprintf("the motif has %d letters, more than the %d of a sequence", len(m.Letters), n)}
	case last > n:
		return nil, &Error{c.text, m.At, fmt.Sprintf("the motif would end at position %d, and a sequence ends at %d", last, n)}
	}
	byLetter := map[string][]int{}
	for v := range c.g.NumVertices() {
		if c.g.LayerOf(v) >= first {
			byLetter[c.g.Name(v)] = append(byLetter[c.g.Name(v)], v)
		}
	}
	var places [][]int
	for _, r := range m.Letters {
		var fits []int
		for _, b := range iupac[r] {
			fits = append(fits, byLetter[string(b)]...)
		}
		places = append(places, fits)
	}
	layer := -1
	if m.Position > 0 {
		layer = first + m.Position - 1
	}
	return make(c.g, places, layer)
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
	_, own := c.totals[t.Total.Name]
	if own && t.Percent {
		return 0, &Error{c.text, t.Total.At, "the total gc given here has no %"}
	}
	if t.Total.Name != "gc" || own || !ok {
		return t.Value, nil
	}
	n := float64(c.g.NumLayers() - first)
	if t.Percent {
		return t.Value * n / 100, nil
	}
	if t.Value != math.Trunc(t.Value) {
		return 0, &Error{c.text, t.Total.At, fmt.Sprintf("gc counts letters, of which %v is no whole number: a share is like gc %s 35 %%", t.Value, t.Op)}
	}
	return t.Value, nil
}
