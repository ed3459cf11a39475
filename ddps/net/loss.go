package net

import (
	"math"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps/chain"
)

// Loss is the training loss of a batch, the paper's L_γ (§3, Eq. 4; VB is its L_vb): means over examples of sums over
// the rows that the example's path visits; rows off the path carry nothing of x_0 and are in no sum.
//
//	Total = CE + γ·VB,  CE = −Σ log π(x_0),  VB = T·Σ KL(q(x_s | x_t, x_0) ‖ p_θ(x_s | x_t)),  s = t−1
//
// It is here twice, for the host with its gradient (RowLoss), and as a GoMLX graph, which makes its own (LossNode). Of
// a residual network π is softmax(the base's log posterior + the network's output), of a plain one the base is 0. For
// row v, with q(x_t | x_s = j) as Like_j, the paper's Eq. 3 is here
//
//	p_θ(x_s = j | x_t) ∝ e^{s_j},  s_j = log Like_j + log(ᾱ_s·π_j + (1−ᾱ_s)/D_v)
type Loss struct{ Total, CE, VB float64 }

// Add adds share times m.
func (l *Loss) Add(m Loss, share float64) {
	l.Total += share * m.Total
	l.CE += share * m.CE
	l.VB += share * m.VB
}

// AddSums adds the sums of CE and KL over some of b's rows.
func (l *Loss) AddSums(ce, kl float64, b *Batch, gamma float64) {
	l.CE += ce / float64(b.N)
	if gamma > 0 {
		l.VB += float64(b.TMax) * kl / float64(b.N)
	}
	l.Total = l.CE + gamma*l.VB
}

// RowLoss computes the loss of one on-path row on the host, and its gradient by the row's logits.
type RowLoss struct {
	Gamma, Scale float64   // γ·T, 0 for no bound; what the gradient is multiplied by
	Z, Slope     []float64 // [D] the network's output; ∂(CE + γ·T·KL)/∂z times Scale
	pi, s, c, u  []float64 // [D] scratch
}

// Resize makes scratch for rows of width D.
func (r *RowLoss) Resize(D int) {
	r.Z, r.Slope, r.pi, r.s, r.c, r.u = Grow(r.Z, D), Grow(r.Slope, D), Grow(r.pi, D), Grow(r.s, D),
		Grow(r.c, D), Grow(r.u, D)
}

// Take returns CE and KL(q ‖ p_θ) of row n of the batch, of example i, from Z, which it changes, and sets Slope. KL is
// 0 without γ.
func (r *RowLoss) Take(b *Batch, n, i int) (ce, vb float64) {
	lo := n * b.D
	mask := b.Mask[lo : lo+b.D]
	for d, x := range mask {
		if r.Z[d] += max(float64(b.Base[lo+d]), Never); x == 0 {
			r.Z[d] = math.Inf(-1)
		}
	}
	target := int(b.Target[n])
	logSum := softmax(r.pi, r.Z)
	ce = logSum - r.Z[target]
	for d, p := range r.pi {
		r.Slope[d] = r.Scale * p
	}
	r.Slope[target] -= r.Scale
	if r.Gamma == 0 {
		return ce, 0
	}
	return ce, r.bound(b, n, i, logSum)
}

// bound returns the KL and adds its part to Slope. With a_j = log ᾱ + log π_j, s_j = log Like_j + log(e^{a_j} +
// (1−ᾱ)/D):
//
//	∂KL/∂z = c − π·Σc,   c_j = (r_j − q_j)·u_j,   r = softmax(s),   u_j = ∂s_j/∂a_j = e^{a_j}/(e^{a_j} + (1−ᾱ)/D)
func (r *RowLoss) bound(b *Batch, n, i int, logSum float64) (vb float64) {
	lo, abar := n*b.D, float64(b.AbarS[i])
	logAbar, logFlat := math.Log(abar), math.Log((1-abar)*float64(b.InvD[n]))
	for d, z := range r.Z {
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
		r.Slope[d] += r.Scale * r.Gamma * (r.c[d] - p*sum)
	}
	return vb
}

// softmax sets p to eᶻ/Σeᶻ and returns log Σeᶻ. Some z must be finite.
func softmax(p, z []float64) (logSum float64) {
	chain.SoftmaxRow(z, p)
	k := floats.MaxIdx(z)
	return z[k] - math.Log(p[k])
}

// LossNode builds CE and KL, sums over the batch (KL without Σ q log q; 0 where gamma is). corr, [N·L, D], is what the
// network gives the on-path rows; in are OnPath's tensors.
func LossNode(corr *graph.Node, in []*graph.Node) (ce, vb *graph.Node) {
	if ce, vb = crossEntropy(corr, in[0], in[1], in[2:]); vb == nil {
		vb = graph.ScalarZero(ce.Graph(), dtypes.Float32)
	}
	return ce, vb
}

// crossEntropy builds (CE, VB), sums over the batch, from the logits of the on-path rows. All inputs are
// [M, D], M = N·L; see OnPath for their contents. vb is nil without VB inputs.
//
//	KL(q ‖ p_θ) = Σ q log q + log Σ_j e^{s_j} − Σ_j q_j s_j
//
// The logarithm of the mixture is taken as a log-sum-exp of its two terms, so nothing underflows; entries that
// are none carry never, times a q_j of exactly 0.
func crossEntropy(corr, base, target *graph.Node, vbIn []*graph.Node) (ce, vb *graph.Node) {
	z := graph.Add(corr, base)
	logPi := graph.Sub(z, logSumExp(z))
	ce = graph.Neg(graph.ReduceAllSum(graph.Mul(logPi, target)))
	if len(vbIn) == 0 {
		return ce, nil
	}
	post, logLike, logAbar, logMix := vbIn[0], vbIn[1], vbIn[2], vbIn[3]
	a := graph.Add(logPi, logAbar)
	top := graph.StopGradient(graph.Max(a, logMix))
	mix := graph.Add(top, graph.Log(graph.Add(graph.Exp(graph.Sub(a, top)), graph.Exp(graph.Sub(logMix, top)))))
	s := graph.Add(logLike, mix)
	return ce, graph.Sub(graph.ReduceAllSum(logSumExp(s)), graph.ReduceAllSum(graph.Mul(post, s)))
}

// logSumExp returns log Σ_d e^{z_d}: [M, D] → [M, 1].
func logSumExp(z *graph.Node) *graph.Node {
	top := graph.StopGradient(graph.ReduceAndKeep(z, graph.ReduceMax, -1))
	return graph.Add(top, graph.Log(graph.ReduceAndKeep(graph.Exp(graph.Sub(z, top)), graph.ReduceSum, -1)))
}
