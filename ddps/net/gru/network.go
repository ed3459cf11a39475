package gru

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// The parameters of a network by number, with their shapes: P places, L−1 steps, E embedding, H hidden units, O = P
// outputs, or P + relations.
const (
	pPlace      = iota // [P, E]
	pPosition          // [L−1, E]
	pStart             // [P, E], or [0, E] of a network that does not read the start
	pInput             // [3H, E] of c, r, z
	pInputBias         // [3H]
	pState             // [3H, H] of r, z, c
	pStateBias         // [3H]
	pOutput            // [O, H]
	pOutputBias        // [O]
)

// network is one network: its shape and its parameters.
type network struct {
	*layout
	hidden, embed int
	start         bool
	outputs       int  // of the places, and then of the relations
	wide          bool // outputs are computed by place: see wide.go
	params        engine.Params
}

// newNetwork returns a network with parameters 0.
func newNetwork(y *layout, s Shape) *network {
	n := &network{layout: y, hidden: s.Hidden, embed: s.Embed, start: s.Start, outputs: y.places,
		wide: y.isWide()}
	H, E, starts := s.Hidden, s.Embed, 0
	if s.Relations {
		n.outputs += relations
	}
	if s.Start {
		starts = y.places
	}
	n.params.Add("place", y.places, E)
	n.params.Add("position", y.steps(), E)
	n.params.Add("start", starts, E)
	n.params.Add("input.weight", 3*H, E)
	n.params.Add("input.bias", 3*H)
	n.params.Add("state.weight", 3*H, H)
	n.params.Add("state.bias", 3*H)
	n.params.Add("output.weight", n.outputs, H)
	n.params.Add("output.bias", n.outputs)
	return n
}

// draw sets the parameters to what training starts from: embeddings normal, those of positions small, so that at first
// they say little that could be learned by heart; weights uniform within ±1/√inputs.
func (n *network) draw(rng *rand.Rand) {
	for i, sigma := range [...]float64{pPlace: 0.7, pPosition: 0.1, pStart: 0.7} {
		engine.Normal(rng, n.params[i].Data, sigma)
	}
	for _, i := range []int{pInput, pState, pOutput} {
		p := n.params[i]
		bound := 1 / math.Sqrt(float64(p.Shape[1]))
		for j := range p.Data {
			p.Data[j] = float32(bound * (2*rng.Float64() - 1))
		}
	}
}

// data returns parameter i.
func (n *network) data(i int) []float32 { return n.params[i].Data }

// row returns row r of parameter i.
func (n *network) row(i int, r int32) []float32 {
	w := n.params[i].Shape[1]
	return n.params[i].Data[int(r)*w:][:w]
}

// weights returns the number of parameters.
func (n *network) weights() (sum int) {
	for _, p := range n.params {
		sum += len(p.Data)
	}
	return sum
}

// rank sets the value of each key to its rank among the keys and returns their number.
func rank(at map[int]int32) int {
	keys := make([]int, 0, len(at))
	for k := range at {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i, k := range keys {
		at[k] = int32(i)
	}
	return len(keys)
}
