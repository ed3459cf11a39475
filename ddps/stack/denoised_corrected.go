package stack

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// corrected is the distribution of the path given x_t under a stack some of whose parts have no exact posterior, such
// as a GRU: a chain.PathDistribution that d3pm can move. With q the posterior of the tractable parts and P_q their
// distribution before any x_t, both under the condition where there is one,
//
//	P(path | x_t) ∝ q(path | x_t)·w(path), w = P/P_q:
//
// the likelihood of x_t cancels in w. It holds scratch: one for each goroutine.
type corrected struct {
	*denoised
	d         *Denoiser
	condition bool // the distribution is given a condition: it cannot be drawn from before any x_t

	xt    ddps.PALM // of Weigh
	ratio float64
	c     []float64
	z     float64 // log of the normalising sum of q
	mean  float64 // log E_q w; NaN: not estimated yet
}

// How many paths a move chooses from, a draw that begins anew, and the estimate of a mean.
const (
	movePaths  = 8
	drawPaths  = 64
	meanPaths  = 512
	meanStream = 0x6d65616e
)

// Weigh implements chain.PathDistribution. The sum is that of q.
func (x *corrected) Weigh(xt ddps.PALM, ratio float64, c []float64) float64 {
	x.xt, x.ratio, x.c, x.mean = xt, ratio, c, math.NaN()
	x.z = x.denoised.Weigh(xt, ratio, c)
	return x.z
}

// Move takes p, a path, to another by a Markov kernel of which P(path | x_t) is the stationary distribution: of p and
// of paths drawn from q it chooses one in proportion to w (Andrieu, Doucet and Holenstein 2010). So a draw of
// P(· | x_t) stays one; so is the x̃_0 from which x_t was drawn, whose distribution given x_t does not depend on the
// x_t before. From there on a reverse process has no error, whatever its steps and however few paths a move draws.
func (x *corrected) Move(rng *rand.Rand, p ddps.Path) { x.choose(rng, p, movePaths, true) }

// Draw implements chain.PathDistribution. Without a condition it is a draw of the stack before any x_t, moved, and
// without error where x_t is pure noise; given a condition it is one of 64 draws of q, chosen by w.
func (x *corrected) Draw(rng *rand.Rand, p ddps.Path) {
	if x.condition {
		x.choose(rng, p, drawPaths, false)
		return
	}
	one := []ddps.Path{nil}
	if x.d.stack.Sample(context.Background(), one, rng.Uint64(), 0) == nil {
		copy(p, one[0])
	}
	x.Move(rng, p)
}

// choose sets p to one of n paths by w: p itself, where from is set, and draws of q.
func (x *corrected) choose(rng *rand.Rand, p ddps.Path, n int, from bool) {
	list := make([]ddps.Path, n)
	for i := range list {
		list[i] = make(ddps.Path, len(p))
		if i == 0 && from {
			copy(list[i], p)
			continue
		}
		x.denoised.Draw(rng, list[i])
	}
	logw := x.d.ratios(list)
	softmax(logw, logw)
	copy(p, list[chain.Pick(logw, rng.Float64())])
}

// ratios returns log w of each path.
func (d *Denoiser) ratios(list []ddps.Path) []float64 {
	logw := make([]float64, len(list))
	if err := d.stack.LogProb(list, logw); err != nil {
		panic(err) // they are paths of the graph
	}
	logs, weight := make([]float64, len(d.parts)), make([]float64, len(d.parts))
	for i, p := range list {
		for k, part := range d.parts {
			lp, err := part.LogProb(p)
			if err != nil {
				panic(err)
			}
			logs[k] = lp + real.Log(d.weight[k])
		}
		logw[i] -= softmax(logs, weight)
	}
	return logw
}

// average returns log E w under q as it was weighed last, over draws of one seed: where q is the same, so are they.
func (x *corrected) average() float64 {
	list := make([]ddps.Path, meanPaths)
	for i := range list {
		list[i] = make(ddps.Path, x.d.Graph().NumLayers())
		x.denoised.Draw(ddps.Rand(meanStream, uint64(i)), list[i])
	}
	logw := x.d.ratios(list)
	return softmax(logw, logw) - real.Log(meanPaths)
}

// expected returns log E_q w, estimated; without any x_t and condition it is 0.
func (x *corrected) expected() float64 {
	if math.IsNaN(x.mean) {
		x.mean = x.average() - x.d.base(x)
	}
	return x.mean
}

// base returns what the estimate of log E w is without any x_t, which is 0 but for the draws' own error.
func (d *Denoiser) base(x *corrected) float64 {
	d.even.Do(func() {
		own := &corrected{denoised: d.denoised(), d: d}
		own.denoised.Weigh(nil, 0, nil)
		d.bias = own.average()
	})
	return d.bias
}

// LogProb implements chain.PathDistribution. Its normalising sum is an estimate.
func (x *corrected) LogProb(p ddps.Path) float64 {
	return x.denoised.LogProb(p) + x.d.ratios([]ddps.Path{p})[0] - x.expected()
}

// LogMean implements chain.PathDistribution: an estimate. With q_r ∝ q·∏r,
//
//	E[∏r] = E_q[∏r]·E_{q_r}[w]/E_q[w].
func (x *corrected) LogMean(r []float64) float64 {
	c := make([]float64, len(r))
	for e, y := range r {
		if c[e] = y; x.c != nil {
			c[e] *= x.c[e]
		}
	}
	before := x.expected()
	z := x.denoised.Weigh(x.xt, x.ratio, c)
	if math.IsInf(z, -1) {
		x.denoised.Weigh(x.xt, x.ratio, x.c)
		return z
	}
	after := x.average() - x.d.base(x)
	x.denoised.Weigh(x.xt, x.ratio, x.c)
	return z - x.z + after - before
}

// Share implements chain.PathDistribution.
func (x *corrected) Share() chain.PathDistribution {
	own := *x
	own.denoised = x.denoised.Share().(*denoised)
	return &own
}
