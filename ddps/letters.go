package ddps

// Bases are the letters of DNA, in the order of the vertices of a DNA lattice's layers.
const Bases = "ACGT"

// Letters returns the first layer, 0…L−1, from which on all vertices are called by one letter of alphabet each, and
// whether there is such a layer: the graph is then a lattice of sequences over that alphabet (the paper's §2.1 names
// DNA), letter i of which, from 0, is the vertex in layer first+i. Layers before it, a source, have no letter. O(V).
func (g *LayeredGraph) Letters(alphabet string) (first int, ok bool) {
	first = g.NumLayers()
	if g.meta.Names == nil {
		return first, false
	}
	letter := map[string]bool{}
	for _, r := range alphabet {
		letter[string(r)] = true
	}
	for ; first > 0; first-- {
		lo, hi := g.Layer(first - 1)
		for v := lo; v < hi; v++ {
			if !letter[g.meta.Names[v]] {
				return first, first < g.NumLayers()
			}
		}
	}
	return first, true
}
