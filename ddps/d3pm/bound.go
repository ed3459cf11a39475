package d3pm

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Bound is the evidence lower bound of the diffusion under Joint, as an upper bound on −log p(path) in nats:
// the number by which models and chains are compared.
type Bound struct {
	Graph    *ddps.LayeredGraph
	Denoiser Denoiser
	Schedule *Schedule
	Steps    int                   // S; 0: DefaultSteps
	Draws    int                   // of the noise, a path; 0: 1
	Progress func(done, total int) // told of paths scored, by one goroutine at a time; may be nil
}

// Estimate is an estimate with the standard error of its mean over the draws of the noise (NaN for a
// single draw, or where the bound is +Inf).
type Estimate struct{ Mean, StdErr float64 }

// Score estimates the bound of each path. With r_v(i) = q(x_s^v | x_0^v=i)/q(x_t^v | x_0^v=i) and Z_v = Σ_e π_v(e)
// r_v(e) Z_{head(e)}, a step from t to s costs [Σ_{v on path} log r_v(x_0^v)] − log Z_{v¹}, the last step −Σ_{v on
// path} log π_v(x_0^v); KL(q(x_T|x_0) ‖ uniform) is added. Of a denoiser whose distribution is known it is −log p
// itself, without any noise, and the standard error 0. With the exact denoiser of a chain every single draw equals
// the chain's −log p plus that KL term, and so it does with that of a mixture, whose x̃_0 is no chain: Z is then
// its own expectation of ∏ r_v, and π that of the path. Path i's noise depends on seed, Draws and i alone. The error
// names the path, from 1, that is none.
func (b *Bound) Score(ctx context.Context, paths []ddps.Path, seed uint64) ([]Estimate, error) {
	steps, draws := b.Steps, max(b.Draws, 1)
	if steps == 0 {
		steps = min(DefaultSteps, b.Schedule.T())
	}
	times, err := b.Schedule.Times(steps)
	if err != nil {
		return nil, err
	}
	for i, p := range paths {
		if err := b.Graph.Check(p); err != nil {
			return nil, fmt.Errorf("d3pm: bound: path %d: %w", i+1, err)
		}
	}
	out := make([]Estimate, len(paths))
	if k, ok := b.Denoiser.(known); ok {
		if base := k.Known(); base != nil {
			return out, b.exact(ctx, base, paths, out)
		}
	}
	grp, ctx := errgroup.WithContext(ctx)
	grp.SetLimit(runtime.GOMAXPROCS(0))
	const size = 32
	var mu sync.Mutex
	var panics relay
	done := 0
	for lo := 0; lo < len(paths); lo += size {
		grp.Go(func() (err error) {
			defer panics.catch(func(p error) { err = p })
			hi := min(lo+size, len(paths))
			err = b.score(ctx, paths, lo, hi, times, draws, seed, out)
			mu.Lock()
			defer mu.Unlock()
			if done += hi - lo; err == nil && b.Progress != nil {
				b.Progress(done, len(paths))
			}
			return err
		})
	}
	err = grp.Wait()
	panics.pass()
	if err != nil {
		return nil, fmt.Errorf("d3pm: bound: %w", err)
	}
	return out, nil
}

// exact fills out by the distribution.
func (b *Bound) exact(ctx context.Context, base PathBase, paths []ddps.Path, out []Estimate) error {
	if w, ok := base.(PathModel); ok {
		return b.exactly(ctx, w, paths, out)
	}
	for i, p := range paths {
		lp, err := base.LogProb(p)
		if err != nil {
			return fmt.Errorf("d3pm: bound: path %d: %w", i+1, err)
		}
		out[i].Mean = 0 - lp // not −0
		if (i+1)%1024 == 0 || i+1 == len(paths) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if b.Progress != nil {
				b.Progress(i+1, len(paths))
			}
		}
	}
	return nil
}

// exactly is exact for many paths at a time.
func (b *Bound) exactly(ctx context.Context, w PathModel, paths []ddps.Path, out []Estimate) error {
	for lo := 0; lo < len(paths); lo += pathModelBatch {
		hi := min(lo+pathModelBatch, len(paths))
		logp := make([]float64, hi-lo)
		if err := w.LogProbs(paths[lo:hi], logp); err != nil {
			return fmt.Errorf("d3pm: bound: %w", err)
		}
		for i, lp := range logp {
			out[lo+i].Mean = 0 - lp
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.Progress != nil {
			b.Progress(hi, len(paths))
		}
	}
	return nil
}

// score fills out[lo:hi].
func (b *Bound) score(ctx context.Context, paths []ddps.Path, lo, hi int, times []int, draws int, seed uint64,
	out []Estimate) error {
	w := b.newScorer(hi-lo, times)
	sum, sum2 := make([]float64, hi-lo), make([]float64, hi-lo)
	for r := range draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range w.cost {
			rng := ddps.Rand(seed, uint64(lo+i)*uint64(draws)+uint64(r))
			x0, err := b.Graph.Encode(paths[lo+i], rng)
			if err != nil {
				return err
			}
			w.x[len(times)-1][i] = x0
			for k := len(times) - 2; k >= 0; k-- { // q(x_t | x_s), t ascending
				Noise(b.Graph, w.x[k][i], w.x[k+1][i], b.Schedule.Abar[times[k]]/b.Schedule.Abar[times[k+1]], rng)
			}
			w.cost[i] = b.prior(paths[lo+i])
		}
		for k := range len(times) - 1 {
			if err := w.step(k, paths[lo:hi]); err != nil {
				return err
			}
		}
		for i, c := range w.cost {
			sum[i] += c
			sum2[i] += c * c
		}
	}
	for i := range sum {
		n, mean := float64(draws), sum[i]/float64(draws)
		out[lo+i] = Estimate{Mean: mean, StdErr: math.NaN()}
		if draws > 1 {
			out[lo+i].StdErr = math.Sqrt(max(0, sum2[i]/n-mean*mean) / (n - 1))
		}
	}
	return nil
}

// prior returns KL(q(x_T | x_0) ‖ uniform), summed over the rows on the path.
func (b *Bound) prior(p ddps.Path) float64 {
	a, sum := b.Schedule.Abar[b.Schedule.T()], 0.0
	for _, v := range p[:len(p)-1] {
		D := b.Graph.Degree(v)
		stay, move := Likelihood(a, true, D), Likelihood(a, false, D)
		sum += stay * real.Log(stay*float64(D))
		if D > 1 && move > 0 {
			sum += float64(D-1) * move * real.Log(move*float64(D))
		}
	}
	return sum
}
