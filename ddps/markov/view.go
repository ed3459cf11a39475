package markov

// kind is what a view keeps of a walk.
type kind uint8

const (
	plain   kind = iota // the last places
	started             // the start and the last places
	layered             // the layer and the last places
	running             // the place and for how long
	timed               // the place, for how long, and the layer
	came                // the place, for how long, and the place before
	visited             // the place and all places visited
	homing              // the start, the layer, and the last places
)

// view is a kind of context.
type view struct {
	kind   kind
	depth  int // last places
	layers int // layers of a class, 0: the layer is not used
	coarse bool
	parent int // the view that its estimates are interpolated with; −1 for the first
}

// views lists the views of a configuration, parents first; those of last places are the first.
func (c Config) views() (list []view) {
	add := func(v view) int {
		list = append(list, v)
		return len(list) - 1
	}
	for d := range c.Order + 1 {
		add(view{kind: plain, depth: d, parent: d - 1})
	}
	if c.Start {
		parent := 0
		for d := range c.Order + 1 {
			if d == 1 {
				parent = 1
			}
			parent = add(view{kind: started, depth: d, parent: parent})
		}
		if c.Position {
			add(view{kind: homing, depth: 1, layers: 1, parent: c.Order + 1 + min(2, c.Order)})
		}
	}
	if c.Position {
		add(view{kind: layered, layers: 1})
		p := 1
		for _, n := range []int{12, 3, 1} {
			p = add(view{kind: layered, depth: 1, layers: n, parent: p})
		}
		add(view{kind: layered, depth: 2, layers: 1, parent: p})
	}
	if c.Run > 0 {
		run := add(view{kind: running, depth: 1, coarse: true, parent: 1})
		add(view{kind: running, depth: 1, parent: run})
		before := add(view{kind: came, depth: 1, coarse: true, parent: run})
		if c.Position {
			at := add(view{kind: timed, depth: 1, coarse: true, layers: 3, parent: run})
			add(view{kind: timed, depth: 1, layers: 1, parent: at})
			add(view{kind: came, depth: 1, coarse: true, layers: 3, parent: before})
		}
	}
	if c.Visited {
		add(view{kind: visited})
		all := add(view{kind: visited, depth: 1, parent: 1})
		if c.Position {
			add(view{kind: visited, depth: 1, layers: 3, parent: all})
		}
	}
	return list
}

// key is a context that is no node of the trie.
type key struct {
	view            int32
	x, y            int32 // the last places, −1 for none; y is the last other one of runs
	run, layerClass int32
	seen            uint64
}

// key returns the context of view j at vertex v in state s, before being the place before that of v, −1 where it is not
// known; ok is false where the context is not known.
func (m *Model) key(j, v int, s *state, before int32) (k key, ok bool) {
	w := &m.views[j]
	k = key{view: m.at[j], x: -1, y: -1}
	if w.depth > 0 {
		k.x = m.place[v]
	}
	if w.depth > 1 {
		if k.y = before; before < 0 {
			return k, false
		}
	}
	if w.layers > 0 {
		k.layerClass = m.layer[v] / int32(w.layers)
	}
	switch w.kind {
	case running, timed, came:
		if k.run = s.run; w.coarse {
			k.run = runClass(s.run)
		}
		if w.kind == came {
			k.y = s.other
		}
	case visited:
		k.seen = s.seen
	case homing:
		if k.y = s.start; s.start < 0 {
			return k, false
		}
	}
	return k, true
}

// runClass returns the class of a run of n layers: 1, 2, 3, 4, 5–7, 8–11, 12–17, …
func runClass(n int32) int32 {
	if n < 5 {
		return n
	}
	c, lo := int32(5), int32(5)
	for n >= lo+lo/2+1 {
		lo += lo/2 + 1
		c++
	}
	return c
}
