package ddps

import "math/rand/v2"

// PALM is a padded adjacency-list matrix (paper, Definition 3) in index form: x[v] in 0…D_v−1 is the out-edge
// that row v chooses, the position of the one in the row's one-hot vector; rows with D_v = 0 hold 0 and mean
// nothing. Every PALM decodes to exactly one path and every path has ∏ D_v PALMs, over the v off the path with D_v > 0.
type PALM []int32

// Encode returns a PALM of p: the rows of vertices on the path are set by it, all others are drawn uniformly
// from their out-edges (paper, §3). Draw anew each time the path is used. The error is a *PathError.
func (g *LayeredGraph) Encode(p Path, rng *rand.Rand) (PALM, error) {
	if err := g.Check(p); err != nil {
		return nil, err
	}
	x := make(PALM, g.NumVertices())
	g.Uniform(x, rng)
	for l := range len(p) - 1 {
		e, _ := g.EdgeBetween(p[l], p[l+1])
		x[p[l]] = int32(e - g.first[p[l]])
	}
	return x, nil
}

// Uniform fills x, of length V, with independent uniform choices: x_T of the reverse process. Rows with one
// choice or none use up no random number.
func (g *LayeredGraph) Uniform(x PALM, rng *rand.Rand) {
	for v := range x {
		if x[v] = 0; g.Degree(v) > 1 {
			x[v] = int32(rng.IntN(g.Degree(v)))
		}
	}
}

// Decode returns the path that x represents: from v¹ follow the chosen edge L−1 times. It is total, always a
// path. It panics if x is not of length V or a row on the way holds a choice outside 0…D_v−1.
func (g *LayeredGraph) Decode(x PALM) Path {
	if len(x) != g.NumVertices() {
		panic("ddps: PALM of the wrong length")
	}
	p := make(Path, g.NumLayers())
	for l := 1; l < len(p); l++ {
		p[l] = g.From(p[l-1])[x[p[l-1]]]
	}
	return p
}
