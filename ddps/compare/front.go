package compare

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps/metrics"
)

// Front is the best that any sampler can do between reward and faithfulness to a distribution p: of all distributions q
// of paths with a mean reward of at least r, q_β ∝ p·exp(βR) with E[R] = r has the least KL(q ‖ p), which is β·E[R] −
// log Z (exponential tilting; Csiszár 1975). As β → ∞ it becomes p given the greatest reward, and KL becomes −log P(R =
// R_max).
type Front struct {
	Beta   []float64
	Reward []float64 // E[R] under q_β
	KL     []float64 // KL(q_β ‖ p), in nats
	// Drawn is KL of the histogram of n exact draws of q_β against p, a mean: what a perfect sampler shows, since a
	// histogram of few samples is farther from p than their distribution.
	Drawn []float64
}

// NewFront returns the front of the distribution t under reward u, by edge, at each β ≥ 0 of beta, +Inf for the paths
// of the greatest reward alone. Drawn is over reps times n draws from seed.
func NewFront(t *Target, u, beta []float64, n, reps int, seed uint64) (*Front, error) {
	if n < 1 || reps < 1 {
		return nil, fmt.Errorf("compare: front: %d times %d draws, must be at least 1", reps, n)
	}
	rewards, err := metrics.Rewards(t.Graph, u, t.Paths)
	if err != nil {
		return nil, fmt.Errorf("compare: front: %w", err)
	}
	f := &Front{Beta: beta}
	for i, b := range beta {
		if !(b >= 0) {
			return nil, fmt.Errorf("compare: front: β is %v, must be at least 0", b)
		}
		q, r, kl := t.tilted(rewards, b)
		f.Reward, f.KL, f.Drawn = append(f.Reward, r), append(f.KL, kl), append(f.Drawn, 0)
		by := q.choice()
		for k := range reps {
			_, h, err := t.Distributions(q.draw(by, n, seed, uint64(i*reps+k)))
			if err != nil {
				return nil, fmt.Errorf("compare: front: %w", err)
			}
			d, err := metrics.KL(h, t.P)
			if err != nil {
				return nil, fmt.Errorf("compare: front: %w", err)
			}
			f.Drawn[i] += d / float64(reps)
		}
	}
	return f, nil
}

// tilted returns q_β, its mean reward, and KL(q_β ‖ t).
func (t *Target) tilted(rewards []float64, beta float64) (q *Target, mean, kl float64) {
	top := math.Inf(-1)
	for i, p := range t.P {
		if p > 0 {
			top = max(top, rewards[i])
		}
	}
	c, z := *t, 0.0
	c.P = make([]float64, len(t.P))
	for i, p := range t.P {
		d := rewards[i] - top // ≤ 0 where p > 0
		if d > -1e-9*max(1, math.Abs(top)) {
			d = 0
		}
		if p > 0 && !(math.IsInf(beta, 1) && d < 0) {
			c.P[i] = p
			if d < 0 {
				c.P[i] *= math.Exp(beta * d)
			}
			z += c.P[i]
		}
	}
	for i := range c.P {
		if c.P[i] /= z; c.P[i] > 0 {
			mean += c.P[i] * rewards[i]
			kl += c.P[i] * math.Log(c.P[i]/t.P[i])
		}
	}
	return &c, mean, max(kl, 0)
}
