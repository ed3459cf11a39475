package markov

import "github.com/ddps-go/ddps/ddps"

// count fills the tables with paths and their weights, and estimates the discounts.
func (m *Model) count(paths []ddps.Path, weights []float64) {
	m.paths, m.weights = paths, weights
	m.trie, m.rows = newTrie(m.cfg.Order), map[key]*counts{}
	for i, p := range paths {
		if w := weights[i]; w > 0 {
			m.contextsOf(p, func(r *counts, x int32) { r.add(x, w) })
		}
	}
	tallies, number := make([]tally, len(m.views)), map[[2]int32]int{}
	for j, w := range m.views {
		if w.kind <= started {
			number[[2]int32{int32(w.kind), int32(w.depth)}] = j
		}
	}
	for i := range m.trie.nodes {
		n := &m.trie.nodes[i]
		tallies[number[[2]int32{int32(n.kind), n.depth}]].add(&n.row)
	}
	for k, r := range m.rows {
		tallies[k.view].add(r)
	}
	m.disc = make([]discount, len(m.views))
	for j := range tallies {
		m.disc[j] = tallies[j].discounts()
	}
}

// contextsOf calls add with every context of every step of a path, made if it is new, and the place that followed.
func (m *Model) contextsOf(p ddps.Path, add func(r *counts, x int32)) {
	w := walk{m: m, s: blank()}
	if m.cfg.Run > 0 {
		w.s.run = 1
	}
	w.plain = m.trie.extend(nil, []int32{0}, m.place[0])
	for l := 0; l+1 < len(p) && !m.over[p[l]]; l++ {
		w.contexts(p, l, add)
		if !m.over[p[l+1]] {
			w.step(p, l)
		}
	}
}

// walk is a path that is read into the tables.
type walk struct {
	m                    *Model
	plain, started, room []int32 // contexts by depth
	s                    state   // its node is not used
}

// contexts calls add with the contexts at layer l.
func (w *walk) contexts(p ddps.Path, l int, add func(r *counts, x int32)) {
	m, x, before := w.m, w.m.place[p[l+1]], int32(-1)
	if l > 0 {
		before = m.place[p[l-1]]
	}
	for _, list := range [][]int32{w.plain, w.started} {
		for _, n := range list {
			add(&m.trie.nodes[n].row, x)
		}
	}
	for j := range m.views {
		if m.views[j].kind <= started {
			continue
		}
		if k, ok := m.key(j, p[l], &w.s, before); ok {
			r := m.rows[k]
			if r == nil {
				r = &counts{}
				m.rows[k] = r
			}
			add(r, x)
		}
	}
}

// step goes from layer l to the next.
func (w *walk) step(p ddps.Path, l int) {
	m, x := w.m, w.m.place[p[l+1]]
	if m.cfg.Start {
		if l == 0 {
			w.started = m.trie.extend(nil, []int32{m.trie.root(x)}, m.place[p[0]])
		}
		w.started, w.room = m.trie.extend(w.room, w.started, x), w.started
	}
	w.plain, w.room = m.trie.extend(w.room, w.plain, x), w.plain
	e, _ := m.g.EdgeBetween(p[l], p[l+1])
	w.s = m.after(w.s, e, nil)
}
