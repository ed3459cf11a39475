package net

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Correct multiplies each row of pi by exp(out) and normalises it; exps is scratch, a number per edge. The error names
// an edge whose logit is not a number.
//
// The exponentials are those of float32, of what a logit lacks to the greatest of its row where pi is not 0: they have
// the precision of the logits. Rows whose range, or whose probabilities, they cannot hold are worked on in float64.
func Correct(g *ddps.LayeredGraph, pi []float64, out, exps []float32) error {
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		if hi-lo < 2 {
			continue
		}
		top := top(pi[lo:hi], out[lo:hi])
		for e := lo; e < hi; e++ {
			if exps[e] = out[e] - top; out[e] != out[e] {
				return NotNumber(g, e)
			}
		}
	}
	vec.Exps(exps)
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		if hi-lo < 2 {
			continue
		}
		if !correctRow(pi[lo:hi], out[lo:hi], exps[lo:hi]) {
			CorrectLog(pi[lo:hi], out[lo:hi])
		}
	}
	return nil
}

// NotNumber says that the logit of edge e is none.
func NotNumber(g *ddps.LayeredGraph, e int) error {
	return fmt.Errorf("edge %s → %s: the logit is not a number", g.Name(g.Tail(e)), g.Name(g.Head(e)))
}

// top returns the greatest of out where pi is not 0.
func top(pi []float64, out []float32) float32 {
	top := float32(math.Inf(-1))
	for i, p := range pi {
		if p > 0 && out[i] > top {
			top = out[i]
		}
	}
	return top
}

// correctRow is correct on one row, and reports whether it could be done: that no probability that matters was lost to
// underflow or to the range of exps. If not, pi is as it was.
func correctRow(pi []float64, out, exps []float32) bool {
	sum := 0.0
	for i, p := range pi {
		sum += float64(p * float64(exps[i]))
		if exps[i] < 0x1p-120 && p > 0 { // e^−87 stands for all that is less
			return false
		}
	}
	if !(sum > 0x1p-900 && sum < math.MaxFloat64) {
		return false
	}
	inv := 1 / sum
	for i := range pi {
		pi[i] *= inv * float64(exps[i])
	}
	return true
}

// CorrectLog is correct on one row in logarithms.
func CorrectLog(pi []float64, out []float32) {
	for i, p := range pi {
		pi[i] = math.Log(p) + float64(out[i])
	}
	chain.SoftmaxRow(pi, pi)
}
