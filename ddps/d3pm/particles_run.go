package d3pm

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// swarm is one goroutine's room for some groups of particles; particle i of the batch is of group i/K.
type swarm struct {
	*worker
	*proposal
	r     *particleRun
	next  []ddps.PALM
	logw  []float64 // by particle
	logm  []float64 // by particle: log of the target's probability under π
	from  []int     // by particle: whose successor it is
	lost  []bool    // by group
	rngs  []*rand.Rand
	draws []*rand.Rand // by group, for resampling
}

func (r *particleRun) newSwarm() *swarm {
	n := r.size * r.K
	w := &swarm{worker: r.newWorker(n, true), r: r, next: make([]ddps.PALM, n), logw: make([]float64, n), logm: make([]float64, n),
		from: make([]int, n), lost: make([]bool, r.size)}
	w.proposal = newProposal(w.worker, r.target)
	for i := range w.next {
		w.next[i] = make(ddps.PALM, r.Sampler.Graph.NumVertices())
	}
	return w
}

// work takes groups until none is left.
func (r *particleRun) work() {
	defer r.relay.catch(r.fail)
	w := r.newSwarm()
	for {
		lo := int(r.next.Add(int64(r.size))) - r.size
		if lo >= r.groups || !w.batch(lo, min(lo+r.size, r.groups)) {
			return
		}
	}
}

// start sets the groups lo…hi−1 to x_T.
func (w *swarm) start(lo, hi int) {
	K := w.r.K
	w.rngs, w.draws = w.rngs[:0], w.draws[:0]
	for g := lo; g < hi; g++ {
		w.lost[g-lo], w.r.logZ[g] = false, 0
		w.draws = append(w.draws, ddps.Rand(w.r.seed, uint64(g)*uint64(K+1)))
		for k := range K {
			w.rngs = append(w.rngs, ddps.Rand(w.r.seed, uint64(g)*uint64(K+1)+uint64(k+1)))
		}
	}
	for i, rng := range w.rngs {
		w.Graph.Uniform(w.x[i], rng)
		w.logw[i] = 0
	}
}

// batch runs the whole reverse process of groups lo…hi−1 and tells whether to go on.
func (w *swarm) batch(lo, hi int) bool {
	K, n := w.r.K, (hi-lo)*w.r.K
	w.start(lo, hi)
	for k, t := range w.r.times[:len(w.r.times)-1] {
		if err := w.denoise(w.x[:n], t); err != nil {
			w.r.fail(err)
			return false
		}
		for i := range n { // twist
			w.logm[i] = w.met(w.row(w.pi, i), w.row(w.c, i), w.x[i], t)
			w.logw[i] += w.logm[i]
		}
		for g := range hi - lo {
			w.resample(lo, g, k)
		}
		for i := range n {
			w.move(i, t, w.r.times[k+1])
		}
		w.x, w.next = w.next, w.x
		if !w.r.report(n) {
			return false
		}
	}
	for g := range hi - lo {
		w.finish(lo, g, w.logw[g*K:(g+1)*K])
	}
	return true
}

// resample sets from for group g of the batch: a draw by weight where the effective sample size is low, else every
// particle itself. A group without any weight left goes on as it is.
func (w *swarm) resample(lo, g, k int) {
	K := w.r.K
	logw, from := w.logw[g*K:(g+1)*K], w.from[g*K:(g+1)*K]
	for i := range from {
		from[i] = g*K + i
	}
	mean := logMean(logw)
	if w.lost[g] = w.lost[g] || math.IsInf(mean, -1); w.lost[g] {
		return
	}
	ess := effective(logw, mean)
	w.r.ess[k][lo+g] = ess
	if ess >= w.r.threshold*float64(K) {
		return
	}
	w.r.resampled[k][lo+g] = true
	w.r.logZ[lo+g] += mean
	systematic(from, logw, mean, w.draws[g].Float64())
	for i := range from {
		from[i] += g * K
		logw[i] = 0
	}
}

// move takes particle i from its parent's x_t and π to x_s, and weighs the step.
func (w *swarm) move(i int, t, s int) {
	parent := w.from[i]
	pi, c := w.row(w.pi, parent), w.row(w.c, parent)
	copy(w.next[i], w.x[parent])
	w.step.Rand = w.rngs[i]
	w.reverse(w.next[i], pi, c, t, s)
	switch {
	case w.lost[i/w.r.K]:
		return
	case math.IsInf(w.logm[parent], -1): // no weight, ever
		w.logw[i] = math.Inf(-1)
		return
	}
	w.logw[i] += w.gain(pi, c, w.x[parent], w.next[i]) - w.logm[parent]
	if s == 0 {
		w.logw[i] += w.weight(w.r.target, w.Graph.Decode(w.next[i]))
	}
	if math.IsNaN(w.logw[i]) { // −Inf + Inf: what p does not do
		w.logw[i] = math.Inf(-1)
	}
}

// finish closes group g of the batch and takes its paths, by weight.
func (w *swarm) finish(lo, g int, logw []float64) {
	K, keep := w.r.K, w.r.keep
	mean := logMean(logw)
	if w.lost[g] || math.IsInf(mean, -1) {
		w.r.logZ[lo+g] = math.Inf(-1)
		clear(logw)
		mean = 0
	} else {
		w.r.logZ[lo+g] += mean
		w.r.ess[len(w.r.ess)-1][lo+g] = effective(logw, mean)
	}
	chosen := make([]int, keep)
	systematic(chosen, logw, mean, w.draws[g].Float64())
	for j, i := range chosen {
		w.r.paths[(lo+g)*keep+j] = w.Graph.Decode(w.x[g*K+i])
	}
}

// effective returns the effective sample size (Σw)²/Σw²; mean is the logarithm of the mean weight.
func effective(logw []float64, mean float64) float64 {
	sum2, n := 0.0, float64(len(logw))
	for _, l := range logw {
		w := math.Exp(l - mean)
		sum2 += w * w
	}
	return n * n / sum2
}

// systematic draws len(out) of the particles by weight: those at which the running sum of the weights passes u,
// u+1, …, in units of their sum over len(out); u in [0, 1). mean is the logarithm of the mean weight.
func systematic(out []int, logw []float64, mean, u float64) {
	share := float64(len(out)) / float64(len(logw))
	i, last, sum := -1, 0, 0.0
	for j := range out {
		for sum <= float64(j)+u && i < len(logw)-1 {
			i++
			if w := math.Exp(logw[i]-mean) * share; w > 0 {
				sum += w
				last = i
			}
		}
		out[j] = last
	}
}
