package net

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// PlainGamma is the γ that suits a plain network, 0.01; the paper gives no value. A residual one needs no bound in its
// loss: 0.
const PlainGamma = 0.01

// Never is the logit of an entry that is none: exp(never − x) is exactly 0 in float32, and a few of them still add
// up to a finite number.
const Never = -1e30

// Shape is what a compiled graph depends on, besides the network.
type Shape struct {
	N, L, D, TMax int
	Grad          bool
}

// OnPath holds the inputs of the loss as a graph, made on the host so that the graph has neither integer
// arithmetic nor broadcasts to do. Entries with Mask 0 are never in base and logLike, 0 in target; so is a Base of
// −Inf.
type OnPath struct {
	base       []float32 // [N·L, D] Batch.Base
	target     []float32 // [N·L, D] one-hot Batch.Target
	logLike    []float32 // [N·L, D] log Batch.Like
	logAbar    []float32 // [N·L, D] log ᾱ_s
	logMix     []float32 // [N·L, D] log((1−ᾱ_s)/D_v)
	negEntropy float64   // Σ Post·log Post over the batch, the constant of the KL
}

// Fill sets h from the batch; without vb only what the cross-entropy needs.
func (h *OnPath) Fill(b *Batch, vb bool) {
	size := b.N * b.L * b.D
	h.base, h.target = Grow(h.base, size), Grow(h.target, size)
	for i := range size {
		h.base[i] = Never
		if b.Mask[i] != 0 {
			h.base[i] = max(b.Base[i], Never)
		}
	}
	clear(h.target)
	for r, slot := range b.Target {
		h.target[r*b.D+int(slot)] = 1
	}
	if vb {
		h.bound(b)
	}
}

// bound fills what the KL needs.
func (h *OnPath) bound(b *Batch) {
	size := b.N * b.L * b.D
	h.logLike, h.logAbar, h.logMix = Grow(h.logLike, size), Grow(h.logAbar, size), Grow(h.logMix, size)
	h.negEntropy = 0
	for i := range size {
		r := i / b.D
		abar := float64(b.AbarS[r/b.L])
		h.logAbar[i] = logOrNever(abar)
		h.logMix[i] = logOrNever((1 - abar) * float64(b.InvD[r]))
		h.logLike[i] = Never
		if b.Mask[i] != 0 {
			h.logLike[i] = logOrNever(float64(b.Like[i]))
		}
		if q := float64(b.Post[i]); q > 0 {
			h.negEntropy += q * math.Log(q)
		}
	}
}

func logOrNever(x float64) float32 {
	if x <= 0 {
		return Never
	}
	return float32(math.Log(x))
}

// Tensors copies h to the inputs that LossNode takes.
func (h *OnPath) Tensors(b *Batch, vb bool) []any {
	data := [][]float32{h.base, h.target}
	if vb {
		data = append(data, b.Post, h.logLike, h.logAbar, h.logMix)
	}
	var args []any
	for _, x := range data {
		args = append(args, engine.Tensor(x, b.N*b.L, b.D))
	}
	return args
}

// Loss reads what LossNode computed.
func (h *OnPath) Loss(outs []*tensors.Tensor, b *Batch, gamma float64) Loss {
	return h.LossOf(float64(tensors.ToScalar[float32](outs[0])), float64(tensors.ToScalar[float32](outs[1])), b, gamma)
}

// LossOf returns the loss that LossNode's sums make.
func (h *OnPath) LossOf(ce, vb float64, b *Batch, gamma float64) (loss Loss) {
	loss.AddSums(ce, vb+h.negEntropy, b, gamma)
	return loss
}

// Total builds what is descended, (CE + gamma·T·VB)/N.
func (s Shape) Total(ce, vb *graph.Node, gamma float64) *graph.Node {
	sum := ce
	if gamma > 0 {
		sum = graph.Add(ce, graph.MulScalar(vb, gamma*float64(s.TMax)))
	}
	return graph.DivScalar(sum, float64(s.N))
}

// LossNodes builds CE and VB, as given, then the gradient of their total by vars where the shape asks for it.
func (s Shape) LossNodes(ce, vb *graph.Node, gamma float64, vars []*graph.Node) []*graph.Node {
	outs := []*graph.Node{ce, vb}
	if s.Grad {
		outs = append(outs, graph.Gradient(s.Total(ce, vb, gamma), vars...)...)
	}
	return outs
}

// LossMemory returns how many bytes the loss of n examples as a graph takes, and how many values of each of the
// network's activations are kept.
func LossMemory(g *ddps.LayeredGraph, n int, grad bool) (bytes, kept int64) {
	if kept = 1; grad {
		kept = 2
	}
	return 4 * int64(n) * int64(g.NumLayers()-1) * int64(g.MaxDegree()) * 6 * kept, kept
}

// CheckBatch holds b to the lengths and ranges that a loss as a graph relies on (a gather out of range would be
// clamped silently), for a graph of so many rows and edges.
func CheckBatch(b *Batch, rows, edges int, vb bool) error {
	M, size := b.N*b.L, b.N*b.L*b.D
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"Xt", len(b.Xt), b.N * rows}, {"T", len(b.T), b.N}, {"Edge", len(b.Edge), size},
		{"Mask", len(b.Mask), size}, {"Base", len(b.Base), size}, {"Target", len(b.Target), M},
	} {
		if b.N < 1 || b.L < 1 || b.D < 1 || c.got != c.want {
			return fmt.Errorf("batch of %d×%d×%d: %d entries in %s, expected %d", b.N, b.L, b.D, c.got, c.name, c.want)
		}
	}
	if vb && (len(b.Post) != size || len(b.Like) != size || len(b.AbarS) != b.N || len(b.InvD) != M || b.TMax < 1) {
		return fmt.Errorf("batch of %d×%d×%d without Post, Like, AbarS, InvD or TMax of its size", b.N, b.L, b.D)
	}
	outside := func(e int32) bool { return e < 0 || int(e) >= edges }
	if slices.ContainsFunc(b.Xt, outside) || slices.ContainsFunc(b.Edge, outside) {
		return fmt.Errorf("batch with an edge number outside 0…%d", edges-1)
	}
	for r, slot := range b.Target {
		if slot < 0 || int(slot) >= b.D || b.Mask[r*b.D+int(slot)] == 0 {
			return fmt.Errorf("batch with target slot %d in row %d, which has no such slot", slot, r)
		}
	}
	return nil
}
