package where

import "strings"

// max reads max(total).
func (p *parser) max() (Node, error) {
	p.take()
	if err := p.want(symbol, "("); err != nil {
		return nil, err
	}
	t, err := p.total()
	if err != nil {
		return nil, err
	}
	return Max{t}, p.want(symbol, ")")
}

// boltzmann reads boltzmann(number, total).
func (p *parser) boltzmann() (Node, error) {
	at := p.take().at
	if err := p.want(symbol, "("); err != nil {
		return nil, err
	}
	n := p.take()
	if n.kind != number {
		return nil, p.wrong(n, "a number β")
	}
	b := Boltzmann{n.x, Total{"reward", at}, at}
	if p.is(symbol, ",") {
		var err error
		if b.Total, err = p.total(); err != nil {
			return nil, err
		}
	}
	return b, p.want(symbol, ")")
}

// total reads what numbers by edge are called.
func (p *parser) total() (Total, error) {
	t := p.take()
	if t.kind != word {
		return Total{}, p.wrong(t, "a total like reward")
	}
	return Total{t.s, t.at}, nil
}

// compare reads total >= number and the like; % may follow the number of gc.
func (p *parser) compare() (Node, error) {
	total, err := p.total()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != symbol || strings.Contains("(){},..%", t.s) {
		if like := likeTerm(total.Name); like != "" && total.Name != "reward" && total.Name != "cost" {
			return nil, &Error{p.text, total.At, "there is no condition " + total.Name + "; did you mean " + like + "?"}
		}
	}
	c := Compare{Total: total}
	if c.Op, err = p.op(total.Name); err != nil {
		return nil, err
	}
	n := p.take()
	if n.kind != number {
		return nil, p.wrong(n, "a number")
	}
	share := p.peek()
	c.Value, c.Percent = n.x, p.is(symbol, "%")
	switch {
	case c.Percent && total.Name != "gc":
		return nil, &Error{p.text, share.at, "% is for gc, of which there are as many as letters, and not for " + total.Name}
	case c.Percent && !(n.x >= 0 && n.x <= 100):
		return nil, &Error{p.text, n.at, n.s + " % is not within 0 to 100"}
	}
	return c, nil
}
