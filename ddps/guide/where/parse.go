package where

import (
	"fmt"
	"math"
	"strings"
)

// maxDepth is how many brackets and nots may be in one another.
const maxDepth = 200

// Parse reads a condition. The error is an *Error.
func Parse(s string) (*Expr, error) {
	tokens, err := lex(s)
	if err != nil {
		return nil, err
	}
	p := &parser{text: s, tokens: tokens}
	n, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.peek().kind != end {
		return nil, p.wrong(p.peek(), "and, or, or the end")
	}
	return &Expr{n, s}, nil
}

// parser goes through the tokens of a text.
type parser struct {
	text   string
	tokens []token
	depth  int
}

func (p *parser) peek() token { return p.tokens[0] }

// after returns the token after the next.
func (p *parser) after() token { return p.tokens[min(1, len(p.tokens)-1)] }

// take returns the next token; the end stays.
func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// is reports whether the next token is that one, and takes it if so.
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

// wrong says that something else should be where t does.
func (p *parser) wrong(t token, want string) error {
	if why := p.slip(t, want); why != "" {
		return &Error{p.text, t.at, why}
	}
	problem := fmt.Sprintf("expected %s, found %v", want, t)
	if h := hint(t, want); h != "" {
		problem += ": " + h
	}
	return &Error{p.text, t.at, problem}
}

// fail is an error at t.
func (p *parser) fail(t token, format string, args ...any) error {
	return &Error{p.text, t.at, fmt.Sprintf(format, args...)}
}

// or reads conditions with or between.
func (p *parser) or() (Node, error) {
	list, err := p.list("or", p.and)
	if err != nil || len(list) == 1 {
		return first(list), err
	}
	return Or(list), nil
}

// and reads conditions with and between.
func (p *parser) and() (Node, error) {
	list, err := p.list("and", p.not)
	if err != nil || len(list) == 1 {
		return first(list), err
	}
	return And(list), nil
}

func first(list []Node) Node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// list reads what one reads, with a word between.
func (p *parser) list(word_ string, one func() (Node, error)) ([]Node, error) {
	var list []Node
	for {
		n, err := one()
		if err != nil {
			return nil, err
		}
		if list = append(list, n); !p.is(word, word_) {
			return list, nil
		}
	}
}

// not reads a term, or a condition in brackets, with any number of nots before it.
func (p *parser) not() (Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.peek(), "more than %d brackets in one another", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.is(word, "not") {
		n, err := p.not()
		return Not{n}, err
	}
	if p.is(symbol, "(") {
		n, err := p.or()
		if err != nil {
			return nil, err
		}
		return n, p.want(symbol, ")")
	}
	return p.term()
}

// term reads a term.
func (p *parser) term() (Node, error) {
	t := p.peek()
	const what = "a condition (visit, visits, edge, avoid, before, stay, start, end, returns, length, regex, motif, " +
		"max, boltzmann, or a total like reward)"
	if t.kind != word {
		return nil, p.wrong(t, what)
	}
	switch t.s {
	case "visit", "edge":
		return p.stops()
	case "visits":
		return p.visits()
	case "before":
		return p.before()
	case "stay":
		return p.stay()
	case "start", "end":
		return p.ends()
	case "returns":
		p.take()
		if t := p.peek(); t.kind == symbol && t.s == "(" {
			return nil, p.fail(t, "returns stands alone, without brackets")
		}
		return Returns{}, nil
	case "length":
		return p.length()
	case "regex":
		return p.regex()
	case "motif":
		return p.motif()
	case "avoid":
		return p.avoid()
	case "max":
		return p.max()
	case "boltzmann":
		return p.boltzmann()
	case "layer":
		return nil, p.fail(t, `a window stands in a condition, as in visit("A", layer 2..4)`)
	case "and", "or", "then", "within", "of", "in", "place", "vertex", "file":
		return nil, p.wrong(t, what)
	}
	if why := p.slip(t, what); why != "" {
		return nil, p.fail(t, "%s", why)
	}
	if like := likeTerm(t.s); like != "" && p.after().kind == symbol && p.after().s == "(" {
		return nil, p.fail(t, "there is no condition %s; did you mean %s?", t.s, like)
	}
	return p.compare()
}

// whole reads a whole number of at least least.
func (p *parser) whole(least float64, want string) (int, error) {
	t := p.take()
	if t.kind != number || t.x != math.Trunc(t.x) || t.x < least || t.x > 1<<31 {
		return 0, p.wrong(t, want)
	}
	return int(t.x), nil
}

// op reads one of >=, <=, =, > and <.
func (p *parser) op(after string) (string, error) {
	t := p.take()
	if t.kind != symbol || !strings.Contains(" >= <= = > < ", " "+t.s+" ") {
		return "", p.wrong(t, "one of >=, <=, =, >, < after "+after)
	}
	return t.s, nil
}
