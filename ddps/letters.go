package ddps

// Bases are the letters of DNA, in the order of the vertices of a DNA lattice's layers.
const Bases = "ACGT"

// Letters returns the first layer, 0 or 1, from which on all vertices are called by one letter of alphabet each, and
// whether there is such a layer: the graph is then a lattice of sequences over that alphabet (the paper's §2.1 names
// DNA), letter i of which, from 0, is the vertex in layer first+i. A layer before it is a source: one vertex without a
// letter. O(V).
func (g *LayeredGraph) Letters(alphabet string) (first int, ok bool) {
	letter := map[string]bool{}
	for _, r := range alphabet {
		letter[string(r)] = true
	}
	for v, name := range g.meta.Names {
		if !letter[name] {
			if _, source := g.Layer(0); v > 0 || source > 1 {
				return 0, false
			}
			first = 1
		}
	}
	if g.meta.Names == nil || first == g.NumLayers() {
		return 0, false
	}
	return first, true
}
