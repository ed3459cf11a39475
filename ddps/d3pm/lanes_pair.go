package d3pm

import "github.com/ddps-go/ddps/ddps/internal/octet"

// lanePair runs a Pair on a group.
type lanePair struct {
	p     *Pair
	s     *pairScratch
	pairs *octet.Pairs
	a, gb []float32      // [V, H] a and γ_t ⊙ b
	out   []octet.Single // [E]
}

func newLanePair(p *Pair) *lanePair {
	g := &p.graph
	n := &lanePair{p: p, s: newPairScratch(p), out: make([]octet.Single, g.E)}
	n.pairs = &octet.Pairs{Graph: octet.NewGraph(g.LayeredGraph, g.rows), H: g.n * pairWidth, Enter: g.enter, Edge: g.edge, Tail: g.tail}
	n.pairs.Room()
	p.vectors(n.s)
	n.a, n.gb = pairNumbers(n.s.a), pairNumbers(n.s.gb)
	return n
}

// pairNumbers copies the numbers of vectors.
func pairNumbers(x []pairVec) []float32 {
	var y []float32
	for i := range x {
		y = append(y, x[i][:]...)
	}
	return y
}

func (n *lanePair) begin(t int) {
	n.p.setGamma(n.s, t)
	for i := range n.s.gb {
		copy(n.gb[i*pairWidth:], n.s.gb[i][:])
	}
}

func (n *lanePair) load(groups []laneGroup) {}

func (n *lanePair) outputs(_ int, pi []octet.Lane) ([]octet.Single, int) {
	n.pairs.Pair(n.out, pi, n.a, n.gb)
	return n.out, 1
}
