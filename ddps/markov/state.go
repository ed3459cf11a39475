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

// begin returns the state at v¹. What is in out does not count.
func (m *Model) begin(out left) state {
	s := blank()
	s.node = m.trie.step(0, m.place[0], m.cfg.MinCount, out)
	if m.cfg.Run > 0 {
		s.run = 1
	}
	return s
}

// after returns the state after edge e, taken in state s. What is in out does not count.
func (m *Model) after(s state, e int, out left) state {
	v, w := m.g.Tail(e), m.g.Head(e)
	if m.over[w] {
		return blank()
	}
	from, x, least := m.place[v], m.place[w], m.cfg.MinCount
	if m.cfg.Start && m.layer[w] == 1 {
		s.start = x
		s.node = 0
		if root, ok := m.trie.starts[x]; ok {
			s.node = m.trie.step(root, from, least, out)
		}
	}
	s.node = m.trie.step(s.node, x, least, out)
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
	return s
}
