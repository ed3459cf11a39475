package markov

// trie holds the contexts of last places, each alone and, where the start is used, after each start. Node 0 is the
// empty context. If a context is in it, so are all that begin it, which the same walks had before, and all that end
// it.
type trie struct {
	order  int
	nodes  []node
	next   map[link]int32
	starts map[int32]int32 // by start, the empty context after it
}

// node is a context of depth places, the latest that of the vertex.
type node struct {
	suffix int32 // without the oldest place; −1 for an empty one
	oldest int32 // its first place; −1 for an empty one
	depth  int32
	kind   kind // plain or started
	row    counts
}

// link extends a context by a place, the latest.
type link struct{ node, place int32 }

func newTrie(order int) *trie {
	return &trie{order: order, nodes: []node{{suffix: -1, oldest: -1}}, next: map[link]int32{},
		starts: map[int32]int32{}}
}

// root returns the empty context after a start, made if it is new.
func (t *trie) root(start int32) int32 {
	n, ok := t.starts[start]
	if !ok {
		n = int32(len(t.nodes))
		t.starts[start] = n
		t.nodes = append(t.nodes, node{suffix: -1, oldest: -1, kind: started})
	}
	return n
}

// extend sets to, by depth from 0, to the contexts that end in place x after the contexts from, by depth from 0, making
// those that are new.
func (t *trie) extend(to, from []int32, x int32) []int32 {
	to = append(to[:0], from[0])
	for d := 0; d < len(from) && d < t.order; d++ {
		k := link{from[d], x}
		n, ok := t.next[k]
		if !ok {
			n = int32(len(t.nodes))
			t.next[k] = n
			old := x
			if d > 0 {
				old = t.nodes[from[d]].oldest
			}
			t.nodes = append(t.nodes,
				node{suffix: to[d], oldest: old, depth: int32(d + 1), kind: t.nodes[from[0]].kind})
		}
		to = append(to, n)
	}
	return to
}

// step returns the longest context of weight least or more that ends in place x, after context n. What is in out does
// not count.
func (t *trie) step(n, x int32, least float64, out left) int32 {
	for {
		if to, ok := t.next[link{n, x}]; ok {
			row := &t.nodes[to].row
			total := row.total
			if own := out[row]; own != nil {
				total -= own.total
			}
			if total > least-1e-9 {
				return to
			}
		}
		up := t.nodes[n].suffix
		if up < 0 {
			return n
		}
		n = up
	}
}
