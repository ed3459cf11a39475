package where

import "math"

// maxLength stands for no upper end of a length.
const maxLength = math.MaxInt32

// stops reads stop then stop …, stop within k of stop, or stop before stop.
func (p *parser) stops() (Node, error) {
	var list Stops
	for {
		s, err := p.stop()
		if err != nil {
			return nil, err
		}
		if list = append(list, s); p.is(word, "then") {
			continue
		}
		if len(list) == 1 && p.is(word, "within") {
			return p.near(s)
		}
		t := p.peek()
		if t.kind == symbol && (t.s == ">=" || t.s == "<=" || t.s == "=" || t.s == ">" || t.s == "<") {
			return nil, p.fail(t, "how many visits there are is written like visits(%s) >= 2", s.inside())
		}
		return list, nil
	}
}

// near reads k of stop.
func (p *parser) near(a Stop) (Node, error) {
	k, err := p.whole(0, "a number of steps, as in within 3 of")
	if err != nil {
		return nil, err
	}
	if err := p.want(word, "of"); err != nil {
		return nil, err
	}
	b, err := p.stop()
	return Near{a, b, k}, err
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

// inside reads (places, window); an edge may stand for the places if it is allowed.
func (p *parser) inside(edge bool) (s Stop, err error) {
	if err := p.want(symbol, "("); err != nil {
		return s, err
	}
	if t := p.peek(); edge && t.kind == word && t.s == "edge" {
		s, err = p.edge()
	} else {
		s.Places, err = p.places()
	}
	if err == nil && s.Window.any() {
		s.Window, err = p.window()
	}
	if err != nil {
		return s, err
	}
	return s, p.close()
}

// close reads ), and suggests braces where more places follow.
func (p *parser) close() error {
	if t := p.peek(); t.kind == word && (t.s == "or" || t.s == "and") && p.after().kind == text {
		return p.fail(t, `expected ), found %s: any of several places is {"A", "B"}`, t.s)
	}
	return p.want(symbol, ")")
}

// edge reads edge(place, place, window).
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
	if s.Window, err = p.window(); err != nil {
		return s, err
	}
	return s, p.want(symbol, ")")
}

// visits reads visits(places or an edge, window) op n.
func (p *parser) visits() (Node, error) {
	p.take()
	s, err := p.inside(true)
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != symbol || t.s == ")" {
		return nil, p.fail(t, "how many visits there are is compared, as in visits(%s) >= 2", s.inside())
	}
	v := Visits{Stop: s}
	if v.Op, err = p.op("visits"); err == nil {
		v.Count, err = p.whole(0, "a whole number of visits")
	}
	return v, err
}

// before reads before(places, places).
func (p *parser) before() (n Node, err error) {
	p.take()
	var b Before
	if err := p.want(symbol, "("); err != nil {
		return nil, err
	}
	if b.A, err = p.places(); err != nil {
		return nil, err
	}
	if err := p.want(symbol, ","); err != nil {
		return nil, err
	}
	if b.B, err = p.places(); err != nil {
		return nil, err
	}
	return b, p.want(symbol, ")")
}

// stay reads stay(places) op n, n a number of layers or a duration H:MM.
func (p *parser) stay() (Node, error) {
	s := Stay{At: p.take().at}
	if err := p.want(symbol, "("); err != nil {
		return nil, err
	}
	var err error
	if s.Places, err = p.places(); err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind == symbol && t.s == "," {
		return nil, p.fail(t, "how long a stay is is compared, as in stay(%s) >= 3", placesString(s.Places,
			len(s.Places) > 1))
	}
	if err := p.close(); err != nil {
		return nil, err
	}
	if s.Op, err = p.op("stay"); err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind == hours {
		p.take()
		s.Count, s.Clock = int(t.x), true
		return s, nil
	}
	s.Count, err = p.whole(0, "a whole number of layers, or a time like 0:20")
	return s, err
}

// ends reads start or end, with in places or (places).
func (p *parser) ends() (Node, error) {
	t := p.take()
	var places []Place
	var err error
	if p.is(symbol, "(") {
		if places, err = p.places(); err == nil {
			err = p.close()
		}
	} else if err = p.want(word, "in"); err == nil {
		places, err = p.places()
	}
	if t.s == "start" {
		return Start{places}, err
	}
	return End{places}, err
}

// length reads length a..b, or length op n.
func (p *parser) length() (Node, error) {
	at, op := p.take().at, ""
	if t := p.peek(); t.kind == symbol {
		var err error
		if op, err = p.op("length"); err != nil {
			return nil, err
		}
	}
	lo, err := p.whole(0, "a number of vertices, as in length 6..9")
	if err != nil {
		return nil, err
	}
	if op == "" {
		l := Length{lo, lo}
		if t := p.peek(); p.is(symbol, "..") {
			if l.Hi, err = p.whole(0, "a number of vertices"); err == nil && l.Hi < l.Lo {
				err = p.fail(t, "length %d..%d is empty: the first is the smaller", l.Lo, l.Hi)
			}
		} else if t.kind == number && t.x < 0 {
			err = p.fail(t, "a range of lengths is written length %d..%d", lo, int(-t.x))
		}
		return l, err
	}
	l := Length{}
	if l.Lo, l.Hi = between(op, lo, maxLength); l.Hi < l.Lo {
		return nil, &Error{p.text, at, "no path has such a length"}
	}
	return l, nil
}

// between returns the numbers lo…hi that op n is, hi no more than most.
func between(op string, n, most int) (lo, hi int) {
	switch op {
	case ">=":
		return n, most
	case ">":
		return n + 1, most
	case "<=":
		return 0, n
	case "<":
		return 0, n - 1
	}
	return n, n
}
