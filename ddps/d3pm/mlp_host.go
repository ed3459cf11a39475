package d3pm

// mlpHost holds what the loss's graph takes in besides the parameters.
type mlpHost struct {
	onPath
	time  []float32 // [N, Time] features of t
	pre   []float32 // [N, H] the first layer's sums
	index []int32   // [N·L·D] entry n·E + edge of the output
}

func (h *mlpHost) fill(m *MLP, b *Batch) {
	h.onPath.fill(b, m.cfg.Gamma > 0)
	h.inputs(m, b)
	h.index = grow(h.index, b.N*b.L*b.D)
	for i, e := range b.Edge {
		h.index[i] = int32(i/(b.L*b.D)*m.edges) + e
	}
}
