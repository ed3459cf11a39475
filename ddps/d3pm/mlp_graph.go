package d3pm

import (
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
)

// mlpNever is the logit of an entry that is none: exp(mlpNever − x) is exactly 0 in float32, and a few of them
// still add up to a finite number.
const mlpNever = -1e30

// mlpForward builds out [N, E] from the first layer's sums [N, H] and the other parameters in Params order.
func mlpForward(pre *graph.Node, p []*graph.Node) *graph.Node {
	h := mlpSiluNode(pre)
	for ; len(p) > 2; p = p[2:] {
		h = graph.Add(h, mlpSiluNode(mlpAffine(h, p[0], p[1])))
	}
	return mlpAffine(h, p[0], p[1])
}

func mlpSiluNode(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) }

// mlpAffine is x·Wᵀ + b with W [to, from].
func mlpAffine(x, w, b *graph.Node) *graph.Node {
	return graph.Add(graph.DotGeneral(x, []int{1}, nil, w, []int{1}, nil), graph.InsertAxes(b, 0))
}

// mlpLoss builds (CE, VB), sums over the batch, from the logits of the on-path rows. All inputs are
// [M, D], M = N·L; see mlpHost for their contents. vb is nil without VB inputs.
//
//	CE = −log π(x_0),  KL(q ‖ p_θ) = Σ q log q + log Σ_j e^{s_j} − Σ_j q_j s_j,
//	s_j = log Like_j + log(ᾱ_s·π_j + (1−ᾱ_s)/D_v)
//
// The logarithm of the mixture is taken as a log-sum-exp of its two terms, so nothing underflows; entries that
// are none carry mlpNever, times a q_j of exactly 0.
func mlpLoss(corr, base, target *graph.Node, vbIn []*graph.Node) (ce, vb *graph.Node) {
	z := graph.Add(corr, base)
	logPi := graph.Sub(z, mlpLogSumExp(z))
	ce = graph.Neg(graph.ReduceAllSum(graph.Mul(logPi, target)))
	if len(vbIn) == 0 {
		return ce, nil
	}
	post, logLike, logAbar, logMix := vbIn[0], vbIn[1], vbIn[2], vbIn[3]
	a := graph.Add(logPi, logAbar)
	top := graph.StopGradient(graph.Max(a, logMix))
	mix := graph.Add(top, graph.Log(graph.Add(graph.Exp(graph.Sub(a, top)), graph.Exp(graph.Sub(logMix, top)))))
	s := graph.Add(logLike, mix)
	return ce, graph.Sub(graph.ReduceAllSum(mlpLogSumExp(s)), graph.ReduceAllSum(graph.Mul(post, s)))
}

// mlpLogSumExp returns log Σ_d e^{z_d}: [M, D] → [M, 1].
func mlpLogSumExp(z *graph.Node) *graph.Node {
	top := graph.StopGradient(graph.ReduceAndKeep(z, graph.ReduceMax, -1))
	return graph.Add(top, graph.Log(graph.ReduceAndKeep(graph.Exp(graph.Sub(z, top)), graph.ReduceSum, -1)))
}

// mlpLossGrad builds what LossGrad runs: CE, VB (sums over the batch; VB without its constant), then the
// gradient of Total with respect to the first layer's sums and to every other parameter where shape asks for
// it. args: these (nVars), index [M·D, 1] into out's entries, base, target and, with VB, the four of mlpLoss.
func mlpLossGrad(args []*graph.Node, nVars int, shape mlpShape, gamma float64) []*graph.Node {
	vars, index, base, target := args[:nVars], args[nVars], args[nVars+1], args[nVars+2]
	out := mlpForward(vars[0], vars[1:])
	flat := graph.Reshape(out, out.Shape().Size())
	corr := graph.Reshape(graph.Gather(flat, index), base.Shape().Dimensions...)
	ce, vb := mlpLoss(corr, base, target, args[nVars+3:])
	total := ce
	if vb != nil {
		total = graph.Add(ce, graph.MulScalar(vb, gamma*float64(shape.tMax)))
	} else {
		vb = graph.ScalarZero(out.Graph(), dtypes.Float32)
	}
	outs := []*graph.Node{ce, vb}
	if shape.grad {
		outs = append(outs, graph.Gradient(graph.DivScalar(total, float64(shape.n)), vars...)...)
	}
	return outs
}
