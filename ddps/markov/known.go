package markov

// known is what a state knows of the last places, and the contexts that these are.
type known struct {
	places         []int32 // the latest first
	plain, started []int32 // nodes, by depth; cut off at the first that no walk had
}

// look sets k to what state s at vertex v knows.
func (m *Model) look(k *known, v int, s *state) {
	t := m.trie
	k.places, k.plain, k.started = k.places[:0], k.plain[:0], k.started[:0]
	for n := s.node; t.nodes[n].depth > 0; n = t.nodes[n].suffix {
		k.places = append(k.places, t.nodes[n].oldest)
	}
	for i, j := 0, len(k.places)-1; i < j; i, j = i+1, j-1 {
		k.places[i], k.places[j] = k.places[j], k.places[i]
	}
	if len(k.places) == 0 {
		k.places = append(k.places, m.place[v])
	}
	k.plain = m.contexts(k.plain, 0, k.places)
	if s.start >= 0 {
		if root, ok := t.starts[s.start]; ok {
			k.started = m.contexts(k.started, root, k.places)
		}
	}
}

// contexts appends the contexts of the last places after a root, by depth.
func (m *Model) contexts(dst []int32, root int32, places []int32) []int32 {
	dst = append(dst, root)
	for d := 1; d <= min(len(places), m.cfg.Order); d++ {
		n, ok := root, true
		for i := d - 1; i >= 0 && ok; i-- {
			n, ok = m.trie.next[link{n, places[i]}]
		}
		if !ok {
			break
		}
		dst = append(dst, n)
	}
	return dst
}

// row returns what followed the context of view j at vertex v in state s; nil where that is not known or new.
func (m *Model) row(j int, k *known, v int, s *state) *counts {
	w := &m.views[j]
	if w.kind > started {
		before := int32(-1)
		if len(k.places) > 1 {
			before = k.places[1]
		}
		if id, ok := m.key(j, v, s, before); ok {
			return m.rows[id]
		}
		return nil
	}
	list := k.plain
	if w.kind == started {
		list = k.started
	}
	if w.depth < len(list) {
		return &m.trie.nodes[list[w.depth]].row
	}
	return nil
}
