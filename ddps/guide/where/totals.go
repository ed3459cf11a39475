package where

import "slices"

// max reads max(total).
func (p *parser) max() (Term, error) {
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
func (p *parser) boltzmann() (Term, error) {
	at := p.take().at
	if err := p.want(symbol, "("); err != nil {
		return nil, err
	}
	n := p.take()
	if n.kind != number {
		return nil, p.wrong(n, "a number β")
	}
	b := Boltzmann{n.x, Total{"reward", at}}
	if p.is(symbol, ",") {
		var err error
		if b.Total, err = p.total(); err != nil {
			return nil, err
		}
	}
	return b, p.want(symbol, ")")
}

// total reads the name of a total.
func (p *parser) total() (Total, error) {
	t := p.take()
	if t.kind != word {
		return Total{}, p.wrong(t, "the name of a total, like reward")
	}
	return Total{t.s, t.at}, nil
}

// compare reads total >= number and the like; % may follow the number of gc.
func (p *parser) compare() (Term, error) {
	total, err := p.total()
	if err != nil {
		return nil, err
	}
	op := p.take()
	if op.kind != symbol || !slices.Contains([]string{">=", "<=", "="}, op.s) {
		return nil, p.wrong(op, "one of >=, <=, = after "+total.Name)
	}
	n := p.take()
	if n.kind != number {
		return nil, p.wrong(n, "a number")
	}
	share := p.peek()
	c := Compare{total, op.s, n.x, p.is(symbol, "%")}
	switch {
	case c.Percent && total.Name != "gc":
		return nil, &Error{p.text, share.at, "% is for gc, of which there are as many as letters, and not for " + total.Name}
	case c.Percent && !(n.x >= 0 && n.x <= 100):
		return nil, &Error{p.text, n.at, n.s + " % is not within 0 to 100"}
	}
	return c, nil
}
