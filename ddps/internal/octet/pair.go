package octet

// Pairs is a graph as d3pm's Pair sweeps it in lanes; its vectors have H numbers, H a multiple of eight.
type Pairs struct {
	*Graph
	H     int
	Enter []int32 // [V+1] edges by head: those that enter v are Enter[v]…Enter[v+1]−1
	Edge  []int32 // [E] by head: the edge's number
	Tail  []int32 // [E] by head

	reach, t []Lane   // [V]
	leave    []Single // [E] π by tail
	enter    []Single // [E] q by head
	dot      []Single // [V]
	a, u     []Single // [V, H]
}

// Room makes room to work in.
func (p *Pairs) Room() {
	V, E := len(p.First)-1, len(p.Head)
	p.reach, p.t, p.dot = make([]Lane, V), make([]Lane, V), make([]Single, V)
	p.leave, p.enter = make([]Single, E), make([]Single, E)
	p.a, p.u = make([]Single, V*p.H), make([]Single, V*p.H)
}
