package stack

import (
	"context"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// pool is weighted draws of a part given the condition.
type pool struct {
	paths []ddps.Path
	logw  []float64
	log   float64 // of their mean weight, relative to what pool returns
	ess   float64 // effective share; of particles, the least at any step
}

// normalise sets log and ess from the weights.
func (p *pool) normalise() {
	top, sum, squares := math.Inf(-1), 0.0, 0.0
	for _, x := range p.logw {
		top = max(top, x)
	}
	if math.IsInf(top, -1) {
		p.log, p.ess = top, 0
		return
	}
	for _, x := range p.logw {
		w := math.Exp(x - top)
		sum, squares = sum+w, squares+w*w
	}
	n := float64(len(p.logw))
	p.log, p.ess = top+real.Log(sum/n), sum*sum/squares/n
}

// scored is how many paths are scored until it is seen that the context has ended.
const scored = 1024

// importance draws n paths of q with weights P_k/own.
func (x *Conditioned) importance(ctx context.Context, k, n int, seed uint64) (*pool, error) {
	p := &pool{paths: make([]ddps.Path, n), logw: make([]float64, n)}
	if err := x.q.Sample(ctx, p.paths, seed, 0); err != nil {
		return nil, err
	}
	own := make([]float64, n)
	for lo := 0; lo < n; lo += scored {
		hi := min(lo+scored, n)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := x.own.LogProb(p.paths[lo:hi], own[lo:hi]); err != nil {
			return nil, err
		}
		if err := x.part[k].LogProb(p.paths[lo:hi], p.logw[lo:hi]); err != nil {
			return nil, fmt.Errorf("stack: %s: %w", x.Estimates[k].Name, err)
		}
	}
	for i, lp := range own {
		p.logw[i] -= lp
	}
	p.normalise()
	return p, nil
}

// ownDraws draws n paths of part k, weighted by the condition.
func (x *Conditioned) ownDraws(ctx context.Context, k, n int, seed uint64) (*pool, error) {
	p := &pool{paths: make([]ddps.Path, n), logw: make([]float64, n)}
	err := x.part[k].Sample(ctx, p.paths, seed, 0)
	for i := 0; i < n && err == nil; i++ {
		p.logw[i], err = x.c.logWeight(p.paths[i])
	}
	if err != nil {
		return nil, fmt.Errorf("stack: %s: %w", x.Estimates[k].Name, err)
	}
	p.normalise()
	return p, nil
}

// drawn draws n paths of part k given the condition, with weights, as it was estimated; not by particles.
func (x *Conditioned) drawn(ctx context.Context, k, n int, seed uint64) (*pool, error) {
	if x.Estimates[k].Own {
		return x.ownDraws(ctx, k, n, seed)
	}
	return x.importance(ctx, k, n, seed)
}

// runs is how many runs of particles a probability is estimated from.
const runs = 8

// stepwise is by how much more than the least share must be effective of draws of other parts: weights that vary much
// have a tail that draws do not show. Of the part's own draws, and of particles, whose weights are of one step at a
// time, the least will do.
const stepwise = 2

// Where few draws of other parts are effective, ownTimes as many of the part itself say how likely the condition is, if
// ownLeast of them meet it: their error is known, whatever the others miss.
const (
	ownTimes = 4
	ownLeast = 200
)

// estimate estimates the condition's probability under part k, qlog being its logarithm under the tractable parts, and
// decides how it is drawn from.
func (x *Conditioned) estimate(ctx context.Context, k int, qlog float64, o Options) error {
	e := &x.Estimates[k]
	p, err := x.importance(ctx, k, o.Draws, o.Seed)
	if err != nil {
		return err
	}
	e.Draws, e.ESS, e.LogProb = o.Draws, p.ess, qlog+p.log
	e.StdErr = relativeError(p.logw)
	if p.ess < stepwise*o.Least {
		n := ownTimes * o.Draws
		if p, err = x.ownDraws(ctx, k, n, o.Seed); err != nil {
			return err
		}
		if e.Free = p.ess*float64(n) >= ownLeast; e.Free {
			e.Draws, e.LogProb, e.StdErr = n, p.log, relativeError(p.logw)
		}
		if e.Free && p.ess > e.ESS {
			e.Own, e.ESS = true, p.ess
		}
		if s, ok := x.part[k].(Stepper); ok && (!e.Own || e.ESS < o.Least) {
			if err := x.particles(ctx, k, s, o); err != nil {
				return err
			}
		}
	}
	if e.ESS < o.Least {
		what := "its share of the samples is"
		if e.Free {
			what = "its paths are"
		}
		e.Warning = fmt.Sprintf("part %s: only %.1f%% of its draws given the condition are effective: %s approximate. "+
			"Remedy: draws by rejection, a context model of a higher order, or a stack without this part", e.Name,
			100*e.ESS, what)
	}
	return nil
}

// particles estimates by runs of particles, and keeps that where more of them are effective.
func (x *Conditioned) particles(ctx context.Context, k int, s Stepper, o Options) error {
	if x.looked == nil {
		var err error
		if x.looked, err = x.q0().look(ctx, x.c); err != nil {
			return err
		}
	}
	ahead := x.looked
	n := max(2, o.Draws/runs)
	logs, ess := make([]float64, runs), 0.0
	for r := range logs {
		p, err := ahead.run(ctx, s, n, ddps.Rand(o.Seed, uint64(r)|1<<62))
		if err != nil {
			return err
		}
		logs[r] = p.log
		ess += p.ess / runs
	}
	e := &x.Estimates[k]
	if ess <= e.ESS {
		return nil
	}
	all := pool{logw: logs}
	all.normalise()
	x.ahead = ahead
	e.Own, e.Steps, e.ESS = false, true, ess
	if se := relativeError(logs); !e.Free || ess >= o.Least && se < e.StdErr {
		e.Free, e.Draws, e.LogProb, e.StdErr = false, o.Draws, ahead.log+all.log, se
	}
	return nil
}

// q0 returns the tractable part that looks ahead: the heaviest given the condition.
func (x *Conditioned) q0() looker { return mix{parts: x.own.parts, weight: x.q.weight} }

// relativeError returns the standard error of the mean of exp(logs), relative to it.
func relativeError(logs []float64) float64 {
	w, n, sum := make([]float64, len(logs)), float64(len(logs)), 0.0
	if math.IsNaN(softmax(logs, w)) {
		return math.Inf(1)
	}
	for _, x := range w {
		sum += (x*n - 1) * (x*n - 1)
	}
	return math.Sqrt(sum / (n - 1) / n)
}
