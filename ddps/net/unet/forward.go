package unet

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// featureMap is a feature map of up to vec.Lanes samples: x is [vertex, channel].
type featureMap struct {
	v, c int
	x    []vec.Block
}

// at returns vertex v's channels.
func (m featureMap) at(v int) []vec.Block { return m.x[v*m.c : (v+1)*m.c] }

// scratch is the memory of one Forward call, and takes up to vec.Lanes samples through the network.
type scratch struct {
	u                *Network
	time, wide, tau  []float32     // [Time], [2C], [2C]
	film             [][]float32   // [block][2·to] 1 + s, then b, the same for all samples
	wideMap, between []vec.Block   // a convolution's input; the first convolution's output
	maps             [][]vec.Block // the maps of one walk, which is always the same
	used             int
	next             int         // block of the walk
	in               net.Input   // rows of the first weights
	y                []vec.Block // [E] the outputs
	zero             []float32   // zeros, for the skips' biases
}

func newScratch(u *Network) *scratch {
	s := &scratch{u: u, time: make([]float32, u.cfg.Time), wide: make([]float32, 2*u.cfg.Channels),
		tau: make([]float32, 2*u.cfg.Channels), y: make([]vec.Block, u.g.NumEdges())}
	var first []int32
	for _, v := range u.rows {
		first = append(first, v*int32(u.D))
	}
	s.in = net.NewInput(u.rows, first, u.cfg.Channels)
	for _, b := range u.blocks {
		s.film = append(s.film, make([]float32, 2*b.to))
		s.zero = net.Grow(s.zero, max(len(s.zero), b.to))
	}
	return s
}

// Forward writes the network's output for every sample of xt, all at step t in 1…T, into out [batch, edge]:
// len(out) = len(xt)·E, edges in the graph's own numbering. Rows of fewer than two out-edges get 0, which a
// softmax over the row ignores; on XLA other numbers.
//
// Samples are worked on vec.Lanes at a time, each in its own lane: a sample's numbers depend on its PALM and t
// alone, to the last bit, never on the batch around it. With a vertex's channels together, what a convolution
// sees is one piece of memory, and so it is one dense layer per vertex. Safe for concurrent callers. It panics if out
// has the wrong length; each PALM must have V entries in range. With DefaultConfig on Toy one core takes some 870
// samples per second in plain Go, 11,000 with AVX2 and FMA (docs/speed.md).
//
// Where the settings name XLA ("xla:…"; on a CPU only where there is no AVX2) and it can be opened, this is a
// graph there instead, compiled for one size of batch: equal up to rounding, and as independent of the batch.
func (u *Network) Forward(out []float32, xt []ddps.PALM, t int) {
	E := u.g.NumEdges()
	if len(out) != len(xt)*E {
		panic("unet: output of the wrong length")
	}
	if u.onDevice() {
		if u.deviceForward(out, xt, t) == nil {
			return
		}
		u.native.Store(true)
	}
	s := u.pool.Get().(*scratch)
	net.ForwardBlocks(s, out, xt, t)
	u.pool.Put(s)
}

func (s *scratch) Choices() *net.Input { return &s.in }

func (s *scratch) Through(n int) []vec.Block {
	s.used, s.next = 0, 0
	s.output(walk(s.u, s.input(n), s))
	return s.y
}

// SetTime sets τ and each block's 1 + s and b.
func (s *scratch) SetTime(t int) {
	p := s.u.params
	s.u.freq.Write(s.time, t)
	affine(s.wide, p[1].Data, p[2].Data, s.time)
	silu(s.wide)
	affine(s.tau, p[3].Data, p[4].Data, s.wide)
	silu(s.tau)
	for i, b := range s.u.blocks {
		affine(s.film[i], p[b.at+2].Data, p[b.at+3].Data, s.tau)
		for c := range b.to {
			s.film[i][c]++
		}
	}
}

// affine is y = W·x + b.
func affine(y, w, b, x []float32) {
	for j := range y {
		sum := b[j]
		for i, a := range w[j*len(x) : (j+1)*len(x)] {
			sum += a * x[i]
		}
		y[j] = sum
	}
}

func silu(x []float32) {
	for i, z := range x {
		x[i] = z / (1 + float32(math.Exp(-float64(z))))
	}
}

// take returns a map with scratch for [v, c], with what an earlier walk left in it.
func (s *scratch) take(v, c int) featureMap {
	if s.used == len(s.maps) {
		s.maps = append(s.maps, make([]vec.Block, v*c))
	}
	s.used++
	return featureMap{v, c, s.maps[s.used-1]}
}

// input is the first layer of n samples. Lanes without a sample keep numbers of earlier ones.
func (s *scratch) input(n int) featureMap {
	u := s.u
	m := s.take(u.P, u.cfg.Channels)
	for r, v := range u.rows {
		h := m.at(int(v))
		for k := range n {
			w := u.params[0].Data[s.in.Lane(k)[r]:][:m.c]
			for c, y := range w {
				h[c][k] = y
			}
		}
	}
	return m
}
