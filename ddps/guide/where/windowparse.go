package where

import "math"

// window reads ", layer n", ", layer n..m" or ", H:MM..H:MM", all if there is none.
func (p *parser) window() (w Window, err error) {
	if !p.is(symbol, ",") {
		return w, nil
	}
	t := p.peek()
	if w.At = t.at; t.kind == hours {
		p.take()
		w.Lo, w.Clock = int(t.x), true
		if u := p.peek(); u.kind == number && u.x < 0 || u.kind == hours || u.kind == word && u.s == "to" {
			return w, p.fail(u, "a window of time is written %s..8:30", t)
		}
		if err := p.want(symbol, ".."); err != nil {
			return w, err
		}
		u := p.take()
		if w.Hi = int(u.x); u.kind != hours {
			return w, p.wrong(u, "a time like 8:30")
		}
		if w.Hi < w.Lo {
			return w, p.fail(t, "%s is after %s; past midnight is 24:00 and more", t, u)
		}
		return w, nil
	}
	if (t.kind == text || t.kind == single) && quotedClock(t) {
		return w, p.fail(t, "times have no quotes: write 8:10..8:30")
	}
	if t.kind == text {
		return w, p.fail(t, `any of several places is {"A", "B"}`)
	}
	if t.kind == number && t.x != math.Trunc(t.x) {
		return w, p.fail(t, "expected layer, found %s: a time of day is written 8:10", t)
	}
	if t.kind == number {
		return w, p.fail(t, "expected layer, found %s: write layer %s", t, t)
	}
	if t.kind == word && t.s == "layers" {
		p.take()
	} else if err := p.want(word, "layer"); err != nil {
		return w, err
	}
	return p.layers(w)
}

// layers reads n or n..m.
func (p *parser) layers(w Window) (Window, error) {
	const want = "the number of a layer, from 1"
	var err error
	w.At = p.peek().at
	if w.Lo, err = p.whole(1, want); err != nil {
		return w, err
	}
	w.Hi = w.Lo
	t := p.peek()
	if t.kind == number && t.x < 0 || t.kind == word && t.s == "to" {
		return w, p.fail(t, "a range of layers is written layer %d..%d", w.Lo, max(w.Lo+1, int(math.Abs(t.x))))
	}
	if !p.is(symbol, "..") {
		return w, nil
	}
	t = p.peek()
	if w.Hi, err = p.whole(1, want); err == nil && w.Hi < w.Lo {
		err = p.fail(t, "layer %d..%d is empty: the first is the smaller", w.Lo, w.Hi)
	}
	return w, err
}
