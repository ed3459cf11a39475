package d3pm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Particles draws paths of the model given a condition by twisted sequential Monte Carlo (Wu et al. 2023, in our
// kernels). Tilting π at every step, as a Sampler does, is exact where π's chain is the model's posterior; where
// the model has more memory than a chain, or where the sampler is guided, its samples are biased. Here K particles
// go together. The step of the Sampler, conditioned and guided, is the proposal p̂; with p the same step without
// either, and m(x_t) the probability of the target under π at x_t, a particle's weight grows by
//
//	m(x_s)/m(x_t) · p(x_s | x_t)/p̂(x_s | x_t)
//
// and the group is resampled (systematically) whenever its effective sample size is low. As K grows, a path of the
// group becomes a draw of the model's own distribution given the target. With Pool, groups count by their own
// estimates of the target's probability, so that the bias falls with the number of all particles instead.
type Particles struct {
	Sampler   *Sampler
	K         int       // particles per group, at least 1
	Keep      int       // paths taken from each group, 1…K; 0: 1, which makes all samples independent without Pool
	Pool      bool      // draw the groups that count, by weight: some twice, some not at all
	Threshold float64   // resample where the effective sample size is below Threshold·K; 0: 0.5, below 0: never
	Target    Condition // what samples are given; nil: Sampler.Condition
}

// Report says how the groups fared.
type Report struct {
	Groups int
	// LogZ is the logarithm of the estimate of the target's probability under the model, or of the expectation of
	// its weight; the estimate itself is unbiased. StdErr is its standard error relative to it, over the groups,
	// which is about that of LogZ; NaN for one group, or where the estimate is 0.
	LogZ, StdErr float64
	ESS          []float64 // by step, mean effective sample size of the groups; the last is of the final weights
	Resampled    []int     // by step, how many groups were resampled
	// Lost counts the groups in which every particle came to weight 0: their paths are those of the proposal.
	Lost int
}

// ParticleRun is one call of Particles.Sample, as an Engine reads it.
type ParticleRun struct {
	Run
	K            int       // particles per group
	Target       Condition // what samples are given
	Own          bool      // Target is the sampler's condition
	keep, groups int
	threshold    float64
	logZ         []float64   // by group
	ess          [][]float64 // by step and group
	resampled    [][]bool
}

// Sample draws n paths and says how it went. Group i depends on the seed, K and i alone (with Pool, on n too): the
// same seed gives the same bytes for any batch size and number of threads. Paths may share memory. It stops early
// with ctx's error.
func (p *Particles) Sample(ctx context.Context, n int, seed uint64) ([]ddps.Path, *Report, error) {
	r, err := p.prepare(ctx, n, seed)
	if err != nil {
		return nil, nil, fmt.Errorf("d3pm: particles: %w", err)
	}
	threads := p.Sampler.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range min(threads, (r.groups+r.Size-1)/r.Size) {
		wg.Go(r.work)
	}
	wg.Wait()
	r.relay.pass()
	if r.err != nil {
		return nil, nil, fmt.Errorf("d3pm: particles: %w", r.err)
	}
	rep := r.tell()
	if p.Pool && rep.Lost < rep.Groups {
		r.pool(rep.LogZ)
	}
	return r.Paths[:n], rep, nil
}

// pool draws as many groups as there are, by weight, and takes their paths.
func (r *ParticleRun) pool(logZ float64) {
	chosen, paths := make([]int, r.groups), make([]ddps.Path, 0, len(r.Paths))
	systematic(chosen, r.logZ, logZ, ddps.Rand(r.Seed, uint64(r.groups)*uint64(r.K+1)).Float64())
	for _, g := range chosen {
		paths = append(paths, r.Paths[g*r.keep:(g+1)*r.keep]...)
	}
	r.Paths = paths
}

// prepare checks the settings and makes the run.
func (p *Particles) prepare(ctx context.Context, n int, seed uint64) (*ParticleRun, error) {
	if p.Sampler == nil {
		return nil, errors.New("the sampler must be set")
	}
	times, err := p.Sampler.check(n)
	if err != nil {
		return nil, err
	}
	r := &ParticleRun{K: p.K, keep: max(p.Keep, 1), threshold: p.Threshold, Target: p.Target}
	switch {
	case p.K < 1:
		return nil, fmt.Errorf("%d particles per group, must be at least 1", p.K)
	case p.Keep < 0 || p.Keep > p.K:
		return nil, fmt.Errorf("%d paths kept of %d particles", p.Keep, p.K)
	case math.IsNaN(p.Threshold) || p.Threshold > 1:
		return nil, fmt.Errorf("the threshold is %v, must be at most 1", p.Threshold)
	case p.Threshold == 0:
		r.threshold = 0.5
	}
	if r.Target == nil {
		if r.Target = p.Sampler.Condition; r.Target == nil {
			return nil, errors.New("neither a target nor a condition is set: there is nothing to correct")
		}
	} else if err := p.Sampler.checkCondition(r.Target); err != nil {
		return nil, err
	}
	r.groups = (n + r.keep - 1) / r.keep
	steps := len(times) - 1
	r.Run = Run{Sampler: p.Sampler, ctx: ctx, Times: times, Seed: seed, Paths: make([]ddps.Path, r.groups*r.keep),
		Size: max(1, p.Sampler.BatchSize()/p.K), total: r.groups * p.K * steps}
	r.Own = p.Target == nil
	if r.Engine != nil {
		r.plan = r.Engine.TakeParticles(r)
	}
	if r.plan == nil {
		r.plan = &Plan{Size: r.Size, New: func() Worker { return r.newParticleWorker() }}
	}
	r.Size = r.plan.Size
	r.logZ, r.ess, r.resampled = make([]float64, r.groups), make([][]float64, steps+1), make([][]bool, steps)
	for k := range r.ess {
		r.ess[k] = make([]float64, r.groups)
	}
	for k := range r.resampled {
		r.resampled[k] = make([]bool, r.groups)
	}
	return r, nil
}

// tell sums up the groups.
func (r *ParticleRun) tell() *Report {
	n := float64(r.groups)
	rep := &Report{Groups: r.groups, LogZ: logMean(r.logZ), ESS: make([]float64, len(r.ess)), Resampled: make([]int,
		len(r.resampled)), StdErr: math.NaN()}
	for k, group := range r.ess {
		for _, e := range group {
			rep.ESS[k] += e / n
		}
	}
	for k, group := range r.resampled {
		for _, yes := range group {
			if yes {
				rep.Resampled[k]++
			}
		}
	}
	sum := 0.0
	for _, z := range r.logZ {
		if math.IsInf(z, -1) {
			rep.Lost++
		}
		d := math.Exp(z-rep.LogZ) - 1 // relative to the mean
		sum += d * d
	}
	if n > 1 && !math.IsInf(rep.LogZ, -1) {
		rep.StdErr = math.Sqrt(sum / (n - 1) / n)
	}
	return rep
}

// logMean returns the logarithm of the mean of exp(x).
func logMean(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + real.Log(sum/float64(len(x)))
}
