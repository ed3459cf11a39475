package net

// Batch is what one training step sees, made on the host (noise, encodings, targets) by a Source.
type Batch struct {
	N, L, D int       // examples, on-path rows an example (graph layers−1), padded row width (MaxDegree)
	Xt      []int32   // [N, rows] the edge chosen by x_t at each row of Rows(); global edge numbers of the graph
	T       []int32   // [N] timestep 1…T
	TMax    int       // T
	Edge    []int32   // [N, L, D] edge numbers of the on-path rows; slots ≥ D_v repeat the row's first edge
	Mask    []float32 // [N, L, D] 1 for slots < D_v, else 0
	Base    []float32 // [N, L, D] log of the base's posterior on these rows (0 when the network is plain)
	Target  []int32   // [N, L] slot of x_0
	Post    []float32 // [N, L, D] q(x_{t−1}=j | x_t, x_0)
	Like    []float32 // [N, L, D] q(x_t | x_{t−1}=j)
	AbarS   []float32 // [N] ᾱ_{t−1}
	InvD    []float32 // [N, L] 1/D_v
	BaseCE  []float64 // [N] −Σ log of the base's posterior at x_0, over the on-path rows
}

// Resize makes scratch for n examples, reusing what is there.
func (b *Batch) Resize(n, l, d, rows, T int) {
	b.N, b.L, b.D, b.TMax = n, l, d, T
	b.Xt, b.T, b.Target = Grow(b.Xt, n*rows), Grow(b.T, n), Grow(b.Target, n*l)
	b.Edge, b.Mask, b.Base = Grow(b.Edge, n*l*d), Grow(b.Mask, n*l*d), Grow(b.Base, n*l*d)
	b.Post, b.Like = Grow(b.Post, n*l*d), Grow(b.Like, n*l*d)
	b.AbarS, b.InvD, b.BaseCE = Grow(b.AbarS, n), Grow(b.InvD, n*l), Grow(b.BaseCE, n)
}

// Grow returns a slice of length n, s itself where its capacity allows.
func Grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// MeanBaseCE returns the mean over examples of the base's cross-entropy.
func (b *Batch) MeanBaseCE() float64 {
	sum := 0.0
	for _, ce := range b.BaseCE {
		sum += ce
	}
	return sum / float64(b.N)
}
