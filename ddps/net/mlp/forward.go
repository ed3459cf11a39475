package mlp

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// scratch is the memory of one Forward call, and takes up to vec.Lanes samples through the network.
type scratch struct {
	m         *Network
	in        net.Input   // rows of "in"
	time      []float32   // [Time]
	bias, sum []float32   // [H] W_t·features(t) + b; [lane, H] the first layer's sums
	h, y      []vec.Block // [H]
	out       []vec.Block // [E], 0 of a row without a choice
}

func newScratch(m *Network) *scratch {
	h := m.cfg.Hidden
	return &scratch{
		m: m, in: net.NewInput(m.rows, m.first, h), time: make([]float32, m.cfg.Time),
		bias: make([]float32, h), sum: make([]float32, vec.Lanes*h),
		h: make([]vec.Block, h), y: make([]vec.Block, h), out: make([]vec.Block, m.edges),
	}
}

// Forward writes the network's output for every sample of xt, all at step t in 1…T, into out [batch, edge]:
// len(out) = len(xt)·E, edges in the graph's own numbering. Rows of fewer than two out-edges get numbers that
// a softmax over the row ignores.
//
// Samples are worked on vec.Lanes at a time, each in its own lane: a sample's numbers depend on its PALM and t
// alone, to the last bit, never on the batch around it. The first layer is a sum of embeddings, the last has
// the real edges only. Safe for concurrent callers. It panics if out has the wrong length; each PALM must have
// V entries in range. One core draws about 20,000 samples per second on Toy (H = 192, two layers), 680,000
// with AVX-512.
func (m *Network) Forward(out []float32, xt []ddps.PALM, t int) {
	if len(out) != len(xt)*m.edges {
		panic("mlp: output of the wrong length")
	}
	s := m.pool.Get().(*scratch)
	net.ForwardBlocks(s, out, xt, t)
	m.pool.Put(s)
}

// SetTime sets the bias of the first layer to that at time t.
func (s *scratch) SetTime(t int) {
	s.m.features(s.time, t)
	s.m.bias(s.bias, s.time)
}

func (s *scratch) Choices() *net.Input { return &s.in }

func (s *scratch) Through(n int) []vec.Block {
	m := s.m
	vec.DenseInput(s.h, s.sum, s.bias, m.params[0].Data, s.in.At, n)
	p := m.params[1:]
	for ; len(p) > 2; p = p[2:] {
		vec.Dense(s.y, p[0].Data, p[1].Data, s.h)
		vec.Silu(s.h, s.y, true)
	}
	H := m.cfg.Hidden
	for _, r := range m.choices {
		lo, hi := r[0], r[1]
		vec.Dense(s.out[lo:hi], p[0].Data[lo*H:hi*H], p[1].Data[lo:hi], s.h)
	}
	return s.out
}
