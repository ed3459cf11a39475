package d3pm

import "github.com/ddps-go/ddps/ddps"

// mlpLane is one unit's value in each of the samples that are processed together.
type mlpLane [mlpLanes]float32

// mlpScratch is the memory of one Forward call.
type mlpScratch struct {
	edges     []int32   // [rows]
	time      []float32 // [Time]
	bias, sum []float32 // [H] W_t·features(t) + b; the first layer's sums
	h, y      []mlpLane // [H], [max(H, E)]
}

func newMLPScratch(m *MLP) *mlpScratch {
	h := m.cfg.Hidden
	return &mlpScratch{
		edges: make([]int32, len(m.rows)), time: make([]float32, m.cfg.Time),
		bias: make([]float32, h), sum: make([]float32, h),
		h: make([]mlpLane, h), y: make([]mlpLane, max(h, m.edges)),
	}
}

// Forward writes the network's output for every sample of xt, all at step t in 1…T, into out [batch, edge]:
// len(out) = len(xt)·E, edges in the graph's own numbering. Rows of fewer than two out-edges get numbers that
// a softmax over the row ignores.
//
// Samples are worked on mlpLanes at a time, each in its own lane: a sample's numbers depend on its PALM and t
// alone, to the last bit, never on the batch around it. The first layer is a sum of embeddings, the last has
// the real edges only. Safe for concurrent callers. It panics if out has the wrong length; each PALM must have
// V entries in range. One core draws about 20,000 samples a second on Toy (H = 192, two layers), 110,000 when
// built with GOEXPERIMENT=simd on a machine with AVX2 and FMA.
func (m *MLP) Forward(out []float32, xt []ddps.PALM, t int) {
	if len(out) != len(xt)*m.edges {
		panic("d3pm: mlp: output of the wrong length")
	}
	s := m.pool.Get().(*mlpScratch)
	m.features(s.time, t)
	m.bias(s.bias, s.time)
	for lo := 0; lo < len(xt); lo += mlpLanes {
		n := min(mlpLanes, len(xt)-lo)
		m.lanes(out[lo*m.edges:(lo+n)*m.edges], xt[lo:lo+n], s)
	}
	m.pool.Put(s)
}

// lanes runs up to mlpLanes samples through the network.
func (m *MLP) lanes(out []float32, xt []ddps.PALM, s *mlpScratch) {
	m.input(xt, s)
	p := m.params[1:]
	for ; len(p) > 2; p = p[2:] {
		y := s.y[:m.cfg.Hidden]
		mlpDense(y, p[0].Data, p[1].Data, s.h)
		mlpSilu(s.h, y, true)
	}
	y := s.y[:m.edges]
	mlpDense(y, p[0].Data, p[1].Data, s.h)
	for k := range xt {
		row := out[k*m.edges : (k+1)*m.edges]
		for e := range row {
			row[e] = y[e][k]
		}
	}
}

// input fills s.h with the first layer. Lanes without a sample keep finite numbers of earlier ones.
func (m *MLP) input(xt []ddps.PALM, s *mlpScratch) {
	for k, x := range xt {
		for r, v := range m.rows {
			s.edges[r] = m.first[r] + x[v]
		}
		copy(s.sum, s.bias)
		m.embed(s.sum, s.edges)
		for j, z := range s.sum {
			s.h[j][k] = z
		}
	}
	mlpSilu(s.h, s.h, false)
}
