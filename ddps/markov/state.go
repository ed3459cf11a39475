package markov

// state is what a model remembers of a walk beside the vertex at which it is. Equal states at a vertex have equal rows
// from there on.
type state struct {
	node  int32  // the longest stored context of last places
	start int32  // the place in layer 2; −1 where it is not used, or not known yet
	run   int32  // layers in a row at this place, at most Config.Run; 0 where it is not used
	other int32  // the last other place; −1 where runs are not used, or there was none
	seen  uint64 // places visited, a bit each; 0 where they are not used
}

// blank is the state of which nothing is known, and that from which no choice is left.
func blank() state { return state{start: -1, other: -1} }

// unmoved is the state at v¹, but for its node.
func (m *Model) unmoved() state {
	s := blank()
	if m.cfg.Run > 0 {
		s.run = 1
	}
	return s
}

// begin returns the state at v¹. What is in out does not count.
func (m *Model) begin(out *left) state {
	s := m.unmoved()
	s.node = m.step(0, m.place[0], out)
	return s
}

// after returns the state after edge e, taken in state s. What is in out does not count.
func (m *Model) after(s state, e int, out *left) state {
	v, w := m.g.Tail(e), m.g.Head(e)
	if m.over[w] {
		return blank()
	}
	if m.cfg.Start && m.layer[w] == 1 {
		s.node = 0
		if root, ok := m.tables.starts[m.place[w]]; ok {
			s.node = m.step(root, m.place[v], out)
		}
	}
	s.node = m.step(s.node, m.place[w], out)
	m.move(&s, v, w)
	return s
}

// move takes a state from vertex v to w, but for its node.
func (m *Model) move(s *state, v, w int) {
	from, x := m.place[v], m.place[w]
	if m.cfg.Start && m.layer[w] == 1 {
		s.start = x
	}
	if m.cfg.Run > 0 {
		if x == from {
			s.run = min(s.run+1, int32(m.cfg.Run))
		} else {
			s.run, s.other = 1, from
		}
	}
	if m.cfg.Visited {
		s.seen |= 1 << uint(x)
	}
}

// step returns the longest context, of at most cfg.Order places and of weight cfg.MinCount or more, that ends in place
// x, after context n. What is in out does not count.
func (m *Model) step(n, x int32, out *left) int32 {
	t := m.tables
	for {
		if int(t.nodes[n].depth) < m.cfg.Order {
			if to := t.child(n, x); to >= 0 {
				total := t.total[to]
				if first := out.first(to); first >= 0 {
					total -= out.entries[first].total
				}
				if total > m.cfg.MinCount-1e-9 {
					return to
				}
			}
		}
		up := t.nodes[n].suffix
		if up < 0 {
			return n
		}
		n = up
	}
}
