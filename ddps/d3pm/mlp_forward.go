package d3pm

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/octet"
)

// mlpLane is one unit's value in each of the samples that are processed together.
type mlpLane [mlpLanes]float32

// mlpScratch is the memory of one Forward call.
type mlpScratch struct {
	at        []int32   // [lane, rows] where in "in" the embedding of each row's choice starts
	time      []float32 // [Time]
	bias, sum []float32 // [H] W_t·features(t) + b; [lane, H] the first layer's sums
	h, y      []mlpLane // [H], [max(H, E)]
}

func newMLPScratch(m *MLP) *mlpScratch {
	h := m.cfg.Hidden
	return &mlpScratch{
		at: make([]int32, mlpLanes*len(m.rows)), time: make([]float32, m.cfg.Time),
		bias: make([]float32, h), sum: make([]float32, mlpLanes*h),
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
// V entries in range. One core draws about 20,000 samples a second on Toy (H = 192, two layers), 680,000 when
// built with GOEXPERIMENT=simd on a machine with AVX-512.
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
	for k, x := range xt {
		at := s.at[k*len(m.rows):][:len(m.rows)]
		for r, v := range m.rows {
			at[r] = (m.first[r] + x[v]) * int32(m.cfg.Hidden)
		}
	}
	m.through(s, len(xt))
	for k := range xt {
		row := out[k*m.edges : (k+1)*m.edges]
		for e := range row {
			row[e] = s.y[e][k]
		}
	}
}

// choices sets what goes into s in lanes to, …, to+n−1: the choices x, by vertex, of lanes from, ….
func (m *MLP) choices(s *mlpScratch, to int, x []octet.Choice, from, n int) {
	rows := len(m.rows)
	for r, v := range m.rows {
		first, c := m.first[r], &x[v]
		for k := range n {
			s.at[(to+k)*rows+r] = (first + int32(c[from+k])) * int32(m.cfg.Hidden)
		}
	}
}

// through runs n samples, whose choices are in s, through the network: s.y gets the outputs. Lanes without a sample keep
// finite numbers of earlier ones.
func (m *MLP) through(s *mlpScratch, n int) {
	mlpInput(s.h, s.sum, s.bias, m.params[0].Data, s.at, n)
	p := m.params[1:]
	for ; len(p) > 2; p = p[2:] {
		y := s.y[:m.cfg.Hidden]
		mlpDense(y, p[0].Data, p[1].Data, s.h)
		mlpSilu(s.h, y, true)
	}
	mlpDense(s.y[:m.edges], p[0].Data, p[1].Data, s.h)
}
