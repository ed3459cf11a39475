package markov

// known is what a state knows of the last places, and the contexts that these are.
type known struct {
	places         []int32 // the latest first
	plain, started []int32 // contexts, by depth; cut off at the first that no walk had
}

// look sets k to what state s at vertex v knows.
func (m *Model) look(k *known, v int, s *state) {
	t := m.tables
	n, x := s.node, m.place[v]
	root, after := t.starts[s.start]
	after = after && s.start >= 0
	if t.nodes[n].depth > 0 {
		k.places = k.places[:0]
		for i := n; t.nodes[i].depth > 0; i = t.nodes[i].suffix {
			k.places = append(k.places, t.nodes[i].oldest)
		}
		reverse(k.places)
		k.plain, k.started = m.chain(k.plain, t.nodes[n].plain), k.started[:0]
		if after {
			k.started = m.chain(k.started, n)
		}
		return
	}
	k.places = append(k.places[:0], x) // not even the place is a context of enough weight
	k.plain, k.started = m.one(k.plain, 0, x), k.started[:0]
	if after {
		k.started = m.one(k.started, root, x)
	}
}

// chain sets dst to a context and all that end it, by depth.
func (m *Model) chain(dst []int32, n int32) []int32 {
	dst = dst[:0]
	for ; n >= 0; n = m.tables.nodes[n].suffix {
		dst = append(dst, n)
	}
	reverse(dst)
	return dst
}

// one sets dst to a root and the context of place x after it.
func (m *Model) one(dst []int32, root, x int32) []int32 {
	dst = append(dst[:0], root)
	if n := m.tables.child(root, x); n >= 0 {
		dst = append(dst, n)
	}
	return dst
}

func reverse(x []int32) {
	for i, j := 0, len(x)-1; i < j; i, j = i+1, j-1 {
		x[i], x[j] = x[j], x[i]
	}
}

// context returns the context of view j at vertex v in state s; −1 where that is not known or new.
func (m *Model) context(j int, k *known, v int, s *state) int32 {
	w := &m.views[j]
	if w.kind > started {
		before := int32(-1)
		if len(k.places) > 1 {
			before = k.places[1]
		}
		if id, ok := m.key(j, v, s, before); ok {
			return m.tables.keys.get(id, id.hash())
		}
		return -1
	}
	list := k.plain
	if w.kind == started {
		list = k.started
	}
	if w.depth < len(list) {
		return list[w.depth]
	}
	return -1
}
