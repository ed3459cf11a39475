package edpgnn

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// slope is what leaky ReLUs multiply negative numbers by.
const slope = 0.01

// widths are a layer's sizes: channels in and out, a vertex's features in.
type widths struct{ in, out, vertex int }

func (m *Model) layers() (list []widths) {
	w := widths{in: 2, vertex: 2}
	for _, out := range m.cfg.Channels {
		w.out = out
		list = append(list, w)
		w = widths{in: out, vertex: m.cfg.Hidden + out}
	}
	return list
}

// init draws the weights uniformly from ±1/√(inputs), biases too, and the levels' gains about 1.
func (m *Model) init(rng *rand.Rand) {
	H, all := m.cfg.Hidden, 2
	for l, w := range m.layers() {
		name := fmt.Sprintf("layer%d.", l)
		m.initGIN(rng, name+"gin.", w, l == 0)
		h := 2 * max(w.in, w.out)
		in := w.in + 2*H
		uniform(rng, m.params.Add(name+"edge.in.weight", h, w.in), in)
		uniform(rng, m.params.Add(name+"edge.from.weight", h, H), in)
		uniform(rng, m.params.Add(name+"edge.to.weight", h, H), in)
		uniform(rng, m.params.Add(name+"edge.in.bias", h), in)
		m.initRest(rng, name+"edge.", h, w.out, true)
		all += w.out
	}
	uniform(rng, m.params.Add("score.in.weight", 2*all, all), all)
	uniform(rng, m.params.Add("score.in.bias", 2*all), all)
	m.initRest(rng, "score.", 2*all, 1, false)
}

// initNorm adds a batch normalisation of width h.
func (m *Model) initNorm(name string, h int) {
	for _, part := range []string{"gain", "bias", "mean", "variance"} {
		x := m.params.Add(name+part, h)
		for i := range x {
			if part == "gain" || part == "variance" {
				x[i] = 1
			}
		}
	}
	m.stats = append(m.stats, len(m.params)-2, len(m.params)-1)
}

// initRest adds what follows an MLP's first layer, of width h.
func (m *Model) initRest(rng *rand.Rand, name string, h, out int, norm bool) {
	S := len(m.cfg.Sigmas)
	for k := range 2 {
		if k == 1 {
			uniform(rng, m.params.Add(name+"hidden.weight", h, h), h)
			uniform(rng, m.params.Add(name+"hidden.bias", h), h)
		}
		if norm {
			m.initNorm(fmt.Sprintf("%snorm%d.", name, k), h)
		}
		gain := m.params.Add(fmt.Sprintf("%slevel%d.gain", name, k), h, S)
		for i := range gain {
			gain[i] = float32(1 + 0.02*rng.NormFloat64())
		}
		m.params.Add(fmt.Sprintf("%slevel%d.bias", name, k), h, S)
	}
	uniform(rng, m.params.Add(name+"out.weight", out, h), h)
	uniform(rng, m.params.Add(name+"out.bias", out), h)
}

// initGIN adds a layer's GIN, which is the first or not.
func (m *Model) initGIN(rng *rand.Rand, name string, w widths, first bool) {
	H, from := m.cfg.Hidden, w.vertex
	wide := 2 * max(from, H)
	m.params.Add(name+"eps", m.cfg.Rounds)
	for k := range m.cfg.Rounds + 1 {
		read := fmt.Sprintf("%sread%d.", name, k)
		uniform(rng, m.params.Add(read+"in.weight", wide, from), from)
		uniform(rng, m.params.Add(read+"in.bias", wide), from)
		uniform(rng, m.params.Add(read+"out.weight", H, wide), wide)
		uniform(rng, m.params.Add(read+"out.bias", H), wide)
		if k == m.cfg.Rounds {
			break
		}
		round := fmt.Sprintf("%sround%d.", name, k)
		in := m.params.Add(round+"in.weight", wide, w.in, from)
		uniform(rng, in, w.in*from)
		uniform(rng, m.params.Add(round+"in.bias", wide), w.in*from)
		out := m.params.Add(round+"out.weight", H, wide)
		uniform(rng, out, wide)
		uniform(rng, m.params.Add(round+"out.bias", H), wide)
		if m.cfg.Scaled {
			scaleRound(in, out, wide, from, first)
		}
		from = H
	}
}

// scaleRound makes a round's first weights, from ±1/√inputs, such that differences between vertices neither die out nor
// saturate tanh from round to round: the two layers' outputs vary as much as their inputs. In the first layer what a
// vertex takes from those that it is joined to (A) has the opposite sign of what it takes from the others (1−A): sums
// are then of 2A−1, which communities dominate, not of A, whose sums over all vertices are much alike.
func scaleRound(in, out []float32, wide, from int, first bool) {
	if first {
		for o := range wide {
			for j := range from {
				in[(2*o+1)*from+j] = -in[2*o*from+j]
			}
		}
	}
	scale(in, math.Sqrt(6))
	scale(out, math.Sqrt(3))
}

func scale(w []float32, by float64) {
	for i := range w {
		w[i] *= float32(by)
	}
}

// uniform fills w with draws from ±1/√inputs.
func uniform(rng *rand.Rand, w []float32, inputs int) {
	for i := range w {
		w[i] = float32((2*rng.Float64() - 1) / math.Sqrt(float64(inputs)))
	}
}
