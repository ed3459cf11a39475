package markov

// trie holds the contexts of last places, each alone and, where the start is used, after each start, and those of the
// other kinds. Node 0 is the empty context. If a context of last places is in it, so are all that begin it, which the
// same walks had before, and all that end it.
type trie struct {
	nodes  []node
	next   index[link]
	starts map[int32]int32 // by start, the empty context after it
	keys   index[key]      // contexts of other kinds
}

// node is a context: of depth places, the latest that of the vertex, or of another kind.
type node struct {
	suffix int32 // without the oldest place; −1 for an empty one
	oldest int32 // its first place; −1 for an empty one
	plain  int32 // that of last places alone; itself where it is one
	depth  int16
	view   int16 // of Model.views
}

// link extends a context by a place, the latest: the numbers of both.
type link uint64

func linkOf(node, place int32) link { return link(node)<<32 | link(uint32(place)) }

func (l link) hash() uint64 { return mix(uint64(l)) }

func newTrie() *trie {
	return &trie{nodes: []node{{suffix: -1, oldest: -1}}, starts: map[int32]int32{}}
}

// child returns the context n extended by place x; −1 where no walk had it.
func (t *trie) child(n, x int32) int32 {
	l := linkOf(n, x)
	return t.next.get(l, l.hash())
}

// root returns the empty context after a start, which is made, of a view, if it is new.
func (t *trie) root(start int32, view int) int32 {
	n, ok := t.starts[start]
	if !ok {
		n = int32(len(t.nodes))
		t.starts[start] = n
		t.nodes = append(t.nodes, node{suffix: -1, oldest: -1, view: int16(view)})
	}
	return n
}

// extend sets to, by depth from 0, to the contexts that end in place x after the contexts from, by depth from 0, of at
// most order places. New ones are made.
func (t *trie) extend(to, from []int32, x int32, order int) []int32 {
	to = append(to[:0], from[0])
	for d := 0; d < len(from) && d < order; d++ {
		l, made := linkOf(from[d], x), int32(len(t.nodes))
		n := t.next.put(l, l.hash(), made, link.hash)
		if n == made {
			old := x
			if d > 0 {
				old = t.nodes[from[d]].oldest
			}
			t.nodes = append(t.nodes, node{suffix: to[d], oldest: old, plain: n, depth: int16(d + 1),
				view: t.nodes[from[0]].view + int16(d+1)})
		}
		to = append(to, n)
	}
	return to
}

// follow is extend by contexts that the trie has.
func (t *trie) follow(to, from []int32, x int32, order int) []int32 {
	to = append(to[:0], from[0])
	for d := 0; d < len(from) && d < order; d++ {
		to = append(to, t.child(from[d], x))
	}
	return to
}

// other returns the context k, which is made if it is new.
func (t *trie) other(k key) int32 {
	made := int32(len(t.nodes))
	n := t.keys.put(k, k.hash(), made, key.hash)
	if n == made {
		t.nodes = append(t.nodes, node{suffix: -1, oldest: -1, plain: -1, view: int16(k.view)})
	}
	return n
}
