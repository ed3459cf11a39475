package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Noise sets xt to a draw of q(x_t | x_s): row by row, keep the choice with probability a = ᾱ_t/ᾱ_s, else draw
// it afresh and uniformly (the paper's appendix, transition matrices, in closed form). One random number for
// each row with a choice. xt and xs may be the same slice.
func Noise(g *ddps.LayeredGraph, xt, xs ddps.PALM, a float64, rng *rand.Rand) {
	for v := range xs {
		D := g.Degree(v)
		if D < 2 {
			xt[v] = xs[v]
			continue
		}
		if u := rng.Float64(); u < a {
			xt[v] = xs[v]
		} else {
			xt[v] = min(int32((u-a)/(1-a)*float64(D)), int32(D-1))
		}
	}
}

// Transition holds the likelihoods q(x_t = j | x_s = i) at one ᾱ_t/ᾱ_s: move[D] for j ≠ i in a row of D choices, and
// keep more for j = i (Eq. 1 for t − s = 1).
type Transition struct {
	keep float64
	Move []float64
}

// set makes them those of ᾱ_t/ᾱ_s = a.
func (r *Transition) set(a float64) {
	r.keep = a
	for D := range r.Move {
		r.Move[D] = (1 - a) / float64(D)
	}
}

// Of returns the likelihood for j = i (same) or j ≠ i in a row of D choices.
func (r *Transition) Of(same bool, D int) float64 {
	q := r.Move[D]
	if same {
		q += r.keep
	}
	return q
}

// Likelihood returns q(x_t = j | x_s = i) where ᾱ_t/ᾱ_s = a and the row has D choices.
func Likelihood(a float64, same bool, D int) float64 {
	q := (1 - a) / float64(D)
	if same {
		q += a
	}
	return q
}
