package mlp

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/net"
)

// lossRow computes the loss of one on-path row and its gradient by the row's logits.
type lossRow struct {
	gamma, scale float64   // γ·T, 0 for no bound; what the gradient is multiplied by
	z, slope     []float64 // [D] the network's output; ∂(CE + γ·T·VB)/∂z times scale
	pi, s, c, u  []float64 // [D] scratch
}

func (r *lossRow) grow(D int) {
	r.z, r.slope, r.pi, r.s, r.c, r.u = net.Grow(r.z, D), net.Grow(r.slope, D), net.Grow(r.pi, D), net.Grow(r.s, D),
		net.Grow(r.c, D), net.Grow(r.u, D)
}

// take returns CE and VB = KL(q ‖ p_θ), see crossEntropy, of row n of the batch, of example i, from z, which it
// changes, and sets slope. VB is 0 without γ.
func (r *lossRow) take(b *net.Batch, n, i int) (ce, vb float64) {
	lo := n * b.D
	mask := b.Mask[lo : lo+b.D]
	for d, x := range mask {
		if r.z[d] += max(float64(b.Base[lo+d]), net.Never); x == 0 {
			r.z[d] = math.Inf(-1)
		}
	}
	target := int(b.Target[n])
	logSum := softmax(r.pi, r.z)
	ce = logSum - r.z[target]
	for d, p := range r.pi {
		r.slope[d] = r.scale * p
	}
	r.slope[target] -= r.scale
	if r.gamma == 0 {
		return ce, 0
	}
	return ce, r.bound(b, n, i, logSum)
}

// bound returns VB and adds its part to slope. With a_j = log ᾱ + log π_j, s_j = log Like_j + log(e^{a_j} + (1−ᾱ)/D):
//
//	∂VB/∂z = c − π·Σc,   c_j = (r_j − q_j)·u_j,   r = softmax(s),   u_j = ∂s_j/∂a_j = e^{a_j}/(e^{a_j} + (1−ᾱ)/D)
func (r *lossRow) bound(b *net.Batch, n, i int, logSum float64) (vb float64) {
	lo, abar := n*b.D, float64(b.AbarS[i])
	logAbar, logFlat := math.Log(abar), math.Log((1-abar)*float64(b.InvD[n]))
	for d, z := range r.z {
		if r.s[d], r.u[d] = math.Inf(-1), 0; b.Mask[lo+d] == 0 {
			continue
		}
		a := logAbar + z - logSum
		top := max(a, logFlat)
		mix := top + math.Log(math.Exp(a-top)+math.Exp(logFlat-top))
		r.s[d], r.u[d] = math.Log(float64(b.Like[lo+d]))+mix, math.Exp(a-mix)
	}
	vb = softmax(r.c, r.s)
	sum := 0.0
	for d := range r.c {
		q := float64(b.Post[lo+d])
		if q > 0 {
			vb += q * (math.Log(q) - r.s[d])
		}
		r.c[d] = (r.c[d] - q) * r.u[d]
		sum += r.c[d]
	}
	for d, p := range r.pi {
		r.slope[d] += r.scale * r.gamma * (r.c[d] - p*sum)
	}
	return vb
}

// softmax sets p to eᶻ/Σeᶻ and returns log Σeᶻ. Some z must be finite.
func softmax(p, z []float64) (logSum float64) {
	chain.SoftmaxRow(z, p)
	k := floats.MaxIdx(z)
	return z[k] - math.Log(p[k])
}
