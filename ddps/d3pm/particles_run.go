package d3pm

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// ParticleWeights are the weights of some groups of particles, whatever moves them; particle i is of group i/K.
type ParticleWeights struct {
	Logm []float64    // by particle: log of the target's probability under π
	From []int        // by particle: whose successor it is
	Rngs []*rand.Rand // by particle

	r     *ParticleRun
	logw  []float64    // by particle
	lost  []bool       // by group
	draws []*rand.Rand // by group, for resampling
}

// NewParticleWeights makes the weights of as many groups as a batch of the run has.
func (r *ParticleRun) NewParticleWeights() *ParticleWeights {
	n := r.Size * r.K
	return &ParticleWeights{r: r, logw: make([]float64, n), Logm: make([]float64, n), From: make([]int, n),
		lost: make([]bool, r.Size)}
}

// Start begins with the groups lo…hi−1.
func (f *ParticleWeights) Start(lo, hi int) {
	K := f.r.K
	f.Rngs, f.draws = f.Rngs[:0], f.draws[:0]
	for g := lo; g < hi; g++ {
		f.lost[g-lo], f.r.logZ[g] = false, 0
		f.draws = append(f.draws, ddps.Rand(f.r.Seed, uint64(g)*uint64(K+1)))
		for k := range K {
			f.Rngs = append(f.Rngs, ddps.Rand(f.r.Seed, uint64(g)*uint64(K+1)+uint64(k+1)))
		}
	}
	clear(f.logw)
}

// Reweight weighs the particles by logm and sets From for the groups lo…hi−1: a draw by weight where the effective
// sample size is low, else every particle itself. A group without any weight left continues as it is. It reports
// whether any was drawn.
func (f *ParticleWeights) Reweight(lo, hi, k int) (moved bool) {
	for i := range f.Rngs {
		f.logw[i] += f.Logm[i]
	}
	for g := range hi - lo {
		moved = f.resample(lo, g, k) || moved
	}
	return moved
}

// resample sets From for group g of the batch.
func (f *ParticleWeights) resample(lo, g, k int) bool {
	K := f.r.K
	logw, from := f.logw[g*K:(g+1)*K], f.From[g*K:(g+1)*K]
	for i := range from {
		from[i] = g*K + i
	}
	mean := logMean(logw)
	if f.lost[g] = f.lost[g] || math.IsInf(mean, -1); f.lost[g] {
		return false
	}
	ess := effective(logw, mean)
	f.r.ess[k][lo+g] = ess
	if ess >= f.r.threshold*float64(K) {
		return false
	}
	f.r.resampled[k][lo+g] = true
	f.r.logZ[lo+g] += mean
	systematic(from, logw, mean, f.draws[g].Float64())
	for i := range from {
		from[i] += g * K
		logw[i] = 0
	}
	return true
}

// Weigh weighs the step that took particle i's parent to it: gain returns its gain and what the path that it ends in
// weighs.
func (f *ParticleWeights) Weigh(i int, gain func() float64) {
	switch parent := f.From[i]; {
	case f.lost[i/f.r.K]:
	case math.IsInf(f.Logm[parent], -1): // no weight, ever
		f.logw[i] = math.Inf(-1)
	default:
		f.logw[i] += gain() - f.Logm[parent]
		if math.IsNaN(f.logw[i]) { // −Inf + Inf: what p does not do
			f.logw[i] = math.Inf(-1)
		}
	}
}

// Finish closes the groups lo…hi−1 and takes their paths, by weight; path returns a particle's.
func (f *ParticleWeights) Finish(lo, hi int, path func(i int) ddps.Path) {
	K, keep := f.r.K, f.r.keep
	for g := lo; g < hi; g++ {
		logw := f.logw[(g-lo)*K : (g-lo+1)*K]
		mean := logMean(logw)
		if f.lost[g-lo] || math.IsInf(mean, -1) {
			f.r.logZ[g] = math.Inf(-1)
			clear(logw)
			mean = 0
		} else {
			f.r.logZ[g] += mean
			f.r.ess[len(f.r.ess)-1][g] = effective(logw, mean)
		}
		chosen := make([]int, keep)
		systematic(chosen, logw, mean, f.draws[g-lo].Float64())
		for j, i := range chosen {
			f.r.Paths[g*keep+j] = path((g-lo)*K + i)
		}
	}
}

// particleWorker is one goroutine's scratch for some groups of particles.
type particleWorker struct {
	*Scalar
	*Proposal
	*ParticleWeights
	next []ddps.PALM
}

func (r *ParticleRun) newParticleWorker() *particleWorker {
	n := r.Size * r.K
	w := &particleWorker{Scalar: r.NewScalar(n, true), ParticleWeights: r.NewParticleWeights(),
		next: make([]ddps.PALM, n)}
	w.Proposal = w.Scalar.NewProposal(r.Target)
	for i := range w.next {
		w.next[i] = make(ddps.PALM, r.Sampler.Graph.NumVertices())
	}
	return w
}

// work takes groups until none is left.
func (r *ParticleRun) work() {
	defer r.relay.catch(r.Fail)
	w := r.plan.New()
	for {
		lo := int(r.next.Add(int64(r.Size))) - r.Size
		if lo >= r.groups || !w.Batch(lo, min(lo+r.Size, r.groups)) {
			return
		}
	}
}

// Batch runs the whole reverse process of groups lo…hi−1 and reports whether to go on.
func (w *particleWorker) Batch(lo, hi int) bool {
	w.Start(lo, hi)
	n := len(w.Rngs)
	for i, rng := range w.Rngs {
		w.Graph.Uniform(w.x[i], rng)
	}
	for k, t := range w.Times[:len(w.Times)-1] {
		if err := w.denoise(w.x[:n], t); err != nil {
			w.Fail(err)
			return false
		}
		for i := range n {
			w.Logm[i] = w.met(w.Row(w.Pi, i), w.Row(w.C, i), w.x[i], t)
		}
		w.Reweight(lo, hi, k)
		for i := range n {
			w.move(i, t, w.Times[k+1])
		}
		w.x, w.next = w.next, w.x
		if !w.Report(n) {
			return false
		}
	}
	w.Finish(lo, hi, func(i int) ddps.Path { return w.Graph.Decode(w.x[i]) })
	return true
}

// move takes particle i from its parent's x_t and π to x_s, and weighs the step.
func (w *particleWorker) move(i int, t, s int) {
	parent := w.From[i]
	pi, c := w.Row(w.Pi, parent), w.Row(w.C, parent)
	copy(w.next[i], w.x[parent])
	w.Step.Rand = w.Rngs[i]
	w.Move(w.next[i], pi, c, t, s)
	w.Weigh(i, func() float64 { return w.Gain(pi, c, w.x[parent], w.next[i]) })
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
