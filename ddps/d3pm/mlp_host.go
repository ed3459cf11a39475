package d3pm

import (
	"fmt"
	"math"
	"slices"
)

// mlpHost holds the graph's inputs, made on the host so that the graph has neither integer arithmetic nor
// broadcasts to do. Entries with Mask 0 are mlpNever in base and logLike, 0 in target; so is a Base of −Inf.
type mlpHost struct {
	time       []float32 // [N, Time] features of t
	pre        []float32 // [N, H] the first layer's sums
	index      []int32   // [N·L·D] entry n·E + edge of the output
	base       []float32 // [N·L, D] Batch.Base
	target     []float32 // [N·L, D] one-hot Batch.Target
	logLike    []float32 // [N·L, D] log Batch.Like
	logAbar    []float32 // [N·L, D] log ᾱ_s
	logMix     []float32 // [N·L, D] log((1−ᾱ_s)/D_v)
	negEntropy float64   // Σ Post·log Post over the batch, the constant of the KL
}

func (h *mlpHost) fill(m *MLP, b *Batch) {
	h.inputs(m, b)
	size := b.N * b.L * b.D
	h.index, h.base, h.target = grow(h.index, size), grow(h.base, size), grow(h.target, size)
	for i := range size {
		n := i / (b.L * b.D)
		h.index[i] = int32(n*m.edges) + b.Edge[i]
		h.base[i] = mlpNever
		if b.Mask[i] != 0 {
			h.base[i] = max(b.Base[i], mlpNever)
		}
	}
	clear(h.target)
	for r, slot := range b.Target {
		h.target[r*b.D+int(slot)] = 1
	}
	if m.cfg.Gamma > 0 {
		h.bound(b)
	}
}

// bound fills what the KL needs.
func (h *mlpHost) bound(b *Batch) {
	size := b.N * b.L * b.D
	h.logLike, h.logAbar, h.logMix = grow(h.logLike, size), grow(h.logAbar, size), grow(h.logMix, size)
	h.negEntropy = 0
	for i := range size {
		r := i / b.D
		abar := float64(b.AbarS[r/b.L])
		h.logAbar[i] = mlpLog(abar)
		h.logMix[i] = mlpLog((1 - abar) * float64(b.InvD[r]))
		h.logLike[i] = mlpNever
		if b.Mask[i] != 0 {
			h.logLike[i] = mlpLog(float64(b.Like[i]))
		}
		if q := float64(b.Post[i]); q > 0 {
			h.negEntropy += q * math.Log(q)
		}
	}
}

func mlpLog(x float64) float32 {
	if x <= 0 {
		return mlpNever
	}
	return float32(math.Log(x))
}

// check holds b and grads to the lengths and ranges that LossGrad relies on (a gather out of range would be
// clamped silently).
func (m *MLP) check(b *Batch, grads [][]float32) error {
	rows, size := b.N*b.L, b.N*b.L*b.D
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"Xt", len(b.Xt), b.N * len(m.rows)}, {"T", len(b.T), b.N}, {"Edge", len(b.Edge), size},
		{"Mask", len(b.Mask), size}, {"Base", len(b.Base), size}, {"Target", len(b.Target), rows},
	} {
		if b.N < 1 || b.L < 1 || b.D < 1 || c.got != c.want {
			return fmt.Errorf("batch of %d×%d×%d: %d entries in %s, want %d", b.N, b.L, b.D, c.got, c.name, c.want)
		}
	}
	if m.cfg.Gamma > 0 && (len(b.Post) != size || len(b.Like) != size || len(b.AbarS) != b.N || len(b.InvD) != rows || b.TMax < 1) {
		return fmt.Errorf("batch of %d×%d×%d without Post, Like, AbarS, InvD or TMax of its size", b.N, b.L, b.D)
	}
	outside := func(e int32) bool { return e < 0 || int(e) >= m.edges }
	if slices.ContainsFunc(b.Xt, outside) || slices.ContainsFunc(b.Edge, outside) {
		return fmt.Errorf("batch with an edge number outside 0…%d", m.edges-1)
	}
	for r, slot := range b.Target {
		if slot < 0 || int(slot) >= b.D || b.Mask[r*b.D+int(slot)] == 0 {
			return fmt.Errorf("batch with target slot %d in row %d, which has no such slot", slot, r)
		}
	}
	if grads != nil && len(grads) != len(m.params) {
		return fmt.Errorf("%d gradients for %d parameters", len(grads), len(m.params))
	}
	for i := range grads {
		if len(grads[i]) != len(m.params[i].Data) {
			return fmt.Errorf("gradient of %s has %d entries, want %d", m.params[i].Name, len(grads[i]), len(m.params[i].Data))
		}
	}
	return nil
}
