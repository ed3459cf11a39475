package markov

import "github.com/ddps-go/ddps/ddps"

// walk reads paths by their contexts. It holds scratch: one for each goroutine.
type walk struct {
	m                      *Model
	make                   bool    // contexts that are new; else they are all known
	plain, started, buffer []int32 // contexts by depth
	s                      state   // its node is not used
}

func (m *Model) walk(make bool) *walk { return &walk{m: m, make: make} }

// read calls add with every context of every step of a path and the place that followed.
func (w *walk) read(p ddps.Path, add func(context, place int32)) {
	m := w.m
	w.s, w.started = m.unmoved(), w.started[:0]
	w.plain = w.extend(append(w.plain[:0], 0), m.place[0])
	for l := 0; l+1 < len(p) && !m.over[p[l]]; l++ {
		w.contexts(p, l, add)
		if !m.over[p[l+1]] {
			w.step(p, l)
		}
	}
}

// contexts calls add with the contexts at layer l.
func (w *walk) contexts(p ddps.Path, l int, add func(context, place int32)) {
	m, x, before := w.m, w.m.place[p[l+1]], int32(-1)
	if l > 0 {
		before = m.place[p[l-1]]
	}
	for _, n := range w.plain {
		add(n, x)
	}
	for _, n := range w.started {
		add(n, x)
	}
	for j := range m.views {
		if m.views[j].kind <= started {
			continue
		}
		if k, ok := m.key(j, p[l], &w.s, before); ok {
			if w.make {
				add(m.tables.other(k), x)
			} else {
				add(m.tables.keys.get(k, k.hash()), x)
			}
		}
	}
}

// extend returns the contexts from, extended by place x.
func (w *walk) extend(from []int32, x int32) []int32 {
	t := w.m.tables
	if w.make {
		w.buffer = t.extend(w.buffer, from, x, w.m.cfg.Order)
	} else {
		w.buffer = t.follow(w.buffer, from, x, w.m.cfg.Order)
	}
	to := w.buffer
	w.buffer = from
	return to
}

// step goes from layer l to the next.
func (w *walk) step(p ddps.Path, l int) {
	m, t := w.m, w.m.tables
	from, x := m.place[p[l]], m.place[p[l+1]]
	if m.cfg.Start {
		if l == 0 {
			w.started = w.extend(append(w.started, t.root(x, m.cfg.Order+1)), from)
			w.meet()
		}
		w.started = w.extend(w.started, x)
	}
	w.plain = w.extend(w.plain, x)
	w.meet()
	m.move(&w.s, p[l], p[l+1])
}

// meet ties contexts after the start to those of the same places alone.
func (w *walk) meet() {
	if w.make {
		for d := range w.started {
			w.m.tables.nodes[w.started[d]].plain = w.plain[d]
		}
	}
}
