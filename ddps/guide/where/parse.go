package where

import (
	"fmt"
	"math"
	"slices"
)

// Parse reads a condition. The error is an *Error.
func Parse(s string) (*Expr, error) {
	tokens, err := lex(s)
	if err != nil {
		return nil, err
	}
	p := &parser{text: s, tokens: tokens}
	x := &Expr{text: s}
	for {
		t, err := p.term()
		if err != nil {
			return nil, err
		}
		if x.Terms = append(x.Terms, t); p.peek().kind == end {
			return x, nil
		}
		if t := p.peek(); t.kind == word && t.s == "or" {
			return nil, &Error{p.text, t.at, `or where and is wanted: any of several places is {"A", "B"}`}
		}
		if err := p.want(word, "and"); err != nil {
			return nil, err
		}
	}
}

// parser goes through the tokens of a text.
type parser struct {
	text   string
	tokens []token
}

func (p *parser) peek() token { return p.tokens[0] }

// take returns the next token; the end stays.
func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// is tells whether the next token is that one, and takes it if so.
func (p *parser) is(k kind, s string) bool {
	yes := p.peek().kind == k && p.peek().s == s
	if yes {
		p.take()
	}
	return yes
}

// want takes the token that must come next.
func (p *parser) want(k kind, s string) error {
	if !p.is(k, s) {
		return p.wrong(p.peek(), s)
	}
	return nil
}

// wrong says that something else should stand where t does.
func (p *parser) wrong(t token, want string) error {
	return &Error{p.text, t.at, fmt.Sprintf("%v where %s is wanted", t, want)}
}

// term reads one of the conditions that "and" joins.
func (p *parser) term() (Term, error) {
	t := p.peek()
	if t.kind != word || slices.Contains([]string{"and", "then", "layer", "in", "place", "vertex"}, t.s) {
		return nil, p.wrong(t, "a condition (max, boltzmann, visit, edge, motif, avoid, end in, or a total like reward)")
	}
	switch t.s {
	case "not":
		return nil, &Error{p.text, t.at, `there is no not: what a path must keep from is avoid("A")`}
	case "visit", "edge":
		return p.stops()
	case "motif":
		return p.motif()
	case "avoid":
		return p.avoid()
	case "max":
		return p.max()
	case "boltzmann":
		return p.boltzmann()
	case "end":
		p.take()
		if err := p.want(word, "in"); err != nil {
			return nil, err
		}
		places, err := p.places()
		return End{places}, err
	}
	return p.compare()
}

// stops reads stop then stop ….
func (p *parser) stops() (Term, error) {
	var list Stops
	for {
		s, err := p.stop()
		if err != nil {
			return nil, err
		}
		if list = append(list, s); !p.is(word, "then") {
			return list, nil
		}
	}
}

// stop reads visit(places) or an edge.
func (p *parser) stop() (Stop, error) {
	if t := p.peek(); t.kind == word && t.s == "edge" {
		return p.edge()
	}
	if err := p.want(word, "visit"); err != nil {
		return Stop{}, err
	}
	return p.inside(false)
}

// inside reads (places, layer n); an edge may stand for the places if it is allowed.
func (p *parser) inside(edge bool) (s Stop, err error) {
	if err := p.want(symbol, "("); err != nil {
		return s, err
	}
	if t := p.peek(); edge && t.kind == word && t.s == "edge" {
		s, err = p.edge()
	} else {
		s.Places, err = p.places()
	}
	if err == nil && s.Layer == 0 {
		s.Layer, err = p.layer()
	}
	if err != nil {
		return s, err
	}
	return s, p.want(symbol, ")")
}

// edge reads edge(place, place, layer n).
func (p *parser) edge() (s Stop, err error) {
	s.At = p.take().at
	if err := p.want(symbol, "("); err != nil {
		return s, err
	}
	from, err := p.place()
	if err != nil {
		return s, err
	}
	if err := p.want(symbol, ","); err != nil {
		return s, err
	}
	to, err := p.place()
	if err != nil {
		return s, err
	}
	s.Edge = &[2]Place{from, to}
	if s.Layer, err = p.layer(); err != nil {
		return s, err
	}
	return s, p.want(symbol, ")")
}

// layer reads ", layer n", 0 if there is none.
func (p *parser) layer() (int, error) {
	if !p.is(symbol, ",") {
		return 0, nil
	}
	if err := p.want(word, "layer"); err != nil {
		return 0, err
	}
	return p.whole(1, "the number of a layer, from 1")
}

// whole reads a whole number of at least least.
func (p *parser) whole(least float64, want string) (int, error) {
	t := p.take()
	if t.kind != number || t.x != math.Trunc(t.x) || t.x < least || t.x > 1<<52 {
		return 0, p.wrong(t, want)
	}
	return int(t.x), nil
}

// avoid reads avoid(places, an edge or a motif).
func (p *parser) avoid() (Term, error) {
	p.take()
	if len(p.tokens) > 1 && p.peek().s == "(" && p.tokens[1].kind == word && p.tokens[1].s == "motif" {
		p.take()
		m, err := p.motif()
		if err != nil {
			return nil, err
		}
		return Avoid{Motif: &m}, p.want(symbol, ")")
	}
	s, err := p.inside(true)
	return Avoid{Stop: s}, err
}

// places reads a place, or several in braces.
func (p *parser) places() ([]Place, error) {
	braces := p.is(symbol, "{")
	var list []Place
	for {
		a, err := p.place()
		if err != nil {
			return nil, err
		}
		if list = append(list, a); !braces {
			return list, nil
		}
		if !p.is(symbol, ",") {
			return list, p.want(symbol, "}")
		}
	}
}

// place reads a name, place n or vertex n.
func (p *parser) place() (Place, error) {
	t := p.take()
	switch {
	case t.kind == text:
		return Place{Kind: ByName, Name: t.s, At: t.at}, nil
	case t.kind == word && (t.s == "place" || t.s == "vertex"):
		n, err := p.whole(0, "the number of a "+t.s)
		if t.s == "vertex" {
			return Place{Kind: ByVertex, Number: n, At: t.at}, err
		}
		return Place{Kind: ByPlace, Number: n, At: t.at}, err
	}
	return Place{}, p.wrong(t, `a "name", place N or vertex N`)
}
