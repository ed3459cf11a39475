package d3pm

import (
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
)

// mlpNever is the logit of an entry that is none: exp(mlpNever − x) is exactly 0 in float32, and a few of them
// still add up to a finite number.
const mlpNever = -1e30

// mlpForward builds out [N, E] from the inputs [N, E+Time+1] (mlpInputs) and the parameters in Params order.
func mlpForward(x *graph.Node, params []*graph.Node) *graph.Node {
	h := mlpSilu(graph.Dot(x, params[0]))
	p := params[1:]
	for ; len(p) > 2; p = p[2:] {
		h = graph.Add(h, mlpSilu(mlpAffine(h, p[0], p[1])))
	}
	return mlpAffine(h, p[0], p[1])
}

func mlpSilu(x *graph.Node) *graph.Node { return graph.Mul(x, graph.Sigmoid(x)) }

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
	if vbIn == nil {
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
// gradient of Total with respect to every parameter. args: parameters, x, index [M·D, 1] into out's entries,
// base, target and, with VB, the four of mlpLoss.
func mlpLossGrad(args []*graph.Node, nParams, n int, gammaT float64) []*graph.Node {
	params, x, index, base, target := args[:nParams], args[nParams], args[nParams+1], args[nParams+2], args[nParams+3]
	out := mlpForward(x, params)
	flat := graph.Reshape(out, out.Shape().Size())
	corr := graph.Reshape(graph.Gather(flat, index), base.Shape().Dimensions...)
	ce, vb := mlpLoss(corr, base, target, mlpVBArgs(args[nParams+4:]))
	total := ce
	if vb != nil {
		total = graph.Add(ce, graph.MulScalar(vb, gammaT))
	} else {
		vb = graph.ScalarZero(x.Graph(), dtypes.Float32)
	}
	grads := graph.Gradient(graph.DivScalar(total, float64(n)), params...)
	return append([]*graph.Node{ce, vb}, grads...)
}

func mlpVBArgs(args []*graph.Node) []*graph.Node {
	if len(args) == 0 {
		return nil
	}
	return args
}
