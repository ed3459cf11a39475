package swingnn

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// smallBatch is a batch of random matrices at different levels.
func smallBatch(n *Model, rng *rand.Rand, self bool) *batch {
	b := &batch{N: 3, Sigma: []float64{0.05, 0.6, 9}}
	for k := range b.N {
		for range n.Dim() {
			y := float64(2*rng.IntN(2) - 1)
			b.Clean, b.Noisy = append(b.Clean, y), append(b.Noisy, y+b.Sigma[k]*rng.NormFloat64())
		}
	}
	if self {
		b.Self = gauss(rng, b.N*n.Dim(), 1)
	}
	return b
}

// loss is λ(σ)(D − y)² by its definition.
func (r *reference) loss(b *batch) (sum float64) {
	dim := len(b.Clean) / b.N
	for k := range b.N {
		s := b.Sigma[k]
		var self []float64
		if b.Self != nil {
			self = b.Self[k*dim : (k+1)*dim]
		}
		d := r.D(b.Noisy[k*dim:(k+1)*dim], self, s)
		for c := range d {
			e := d[c] - b.Clean[k*dim+c]
			sum += (s*s + r.cfg.Sigma*r.cfg.Sigma) / math.Pow(s*r.cfg.Sigma, 2) * e * e / float64(len(b.Clean))
		}
	}
	return sum
}

// slopes are the loss of a batch and its derivatives by some entries of each parameter, by central differences.
func (r *reference) slopes(n *Model, b *batch) (loss float64, list []slope) {
	for i, p := range n.params {
		w := r.p[p.Name]
		for k := 0; k < len(w); k += 1 + 2*len(w)/3 {
			const eps = 1e-5
			z := w[k]
			w[k] = z + eps
			up := r.loss(b)
			w[k] = z - eps
			list = append(list, slope{i, k, (up - r.loss(b)) / (2 * eps)})
			w[k] = z
		}
	}
	return r.loss(b), list
}

// slope is the derivative by entry k of parameter i.
type slope struct {
	i, k int
	is   float64
}

// Loss and gradient of every parameter against the reference.
func TestLossGrad(t *testing.T) {
	type want struct {
		b      *batch
		loss   float64
		slopes []slope
	}
	wants := map[string]want{}
	for name, cfg := range configs() {
		n := make1(t, 7, cfg, "")
		w := want{b: smallBatch(n, rand.New(rand.NewPCG(8, 9)), name != "flat")}
		w.loss, w.slopes = newReference(n).slopes(n, w.b)
		wants[name] = w
	}
	onBackends(t, func(t *testing.T, spec string) {
		for name, cfg := range configs() {
			if w := wants[name]; name == "moved" || !strings.HasPrefix(spec, "xla") { // which takes long to compile
				lossGrad(t, make1(t, 7, cfg, spec), w.b, w.loss, w.slopes)
			}
		}
	})
}

func lossGrad(t *testing.T, n *Model, b *batch, want float64, slopes []slope) {
	var grads [][]float32
	for _, p := range n.params {
		grads = append(grads, make([]float32, len(p.Data)))
	}
	loss, err := n.lossGrad(b, grads)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := n.lossGrad(b, nil)
	if err != nil || math.Abs(loss-want) > 1e-4*want || math.Abs(alone-want) > 1e-4*want {
		t.Fatalf("loss %g, without gradient %g, want %g, error %v", loss, alone, want, err)
	}
	for _, s := range slopes {
		if got := float64(grads[s.i][s.k]); math.Abs(got-s.is) > 2e-3*(1+math.Abs(s.is)) {
			t.Errorf("gradient of %s[%d] is %g, want %g", n.params[s.i].Name, s.k, got, s.is)
		}
	}
}

// ∇_x Σ cot·D against the reference, by central differences; D is what Denoise gives.
func TestDenoiseGrad(t *testing.T) { onBackends(t, denoiseGrad) }

func denoiseGrad(t *testing.T, spec string) {
	rng := rand.New(rand.NewPCG(2, 9))
	n := make1(t, 7, configs()["moved"], spec)
	ref, D := newReference(n), n.Dim()
	for _, sigma := range []float64{0.1, 2} {
		const count = 2
		x, self, cot := gauss(rng, count*D, 1+sigma), gauss(rng, count*D, 1), gauss(rng, D, 1)
		d, g, want := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
		if err := n.DenoiseGrad(d, g, x, self, cot, sigma); err != nil {
			t.Fatal(err)
		}
		if err := n.Denoise(want, x, self, sigma); err != nil {
			t.Fatal(err)
		}
		for c := range d {
			if math.Abs(d[c]-want[c]) > 1e-5*(1+math.Abs(want[c])) {
				t.Fatalf("σ = %g: D_%d is %g, want %g", sigma, c, d[c], want[c])
			}
		}
		reward := func(k int) (r float64) {
			for c, y := range ref.D(x[k*D:(k+1)*D], self[k*D:(k+1)*D], sigma) {
				r += cot[c] * y
			}
			return r
		}
		for c := range x {
			const eps = 1e-5
			z := x[c]
			x[c] = z + eps
			up := reward(c / D)
			x[c] = z - eps
			slope := (up - reward(c/D)) / (2 * eps)
			if x[c] = z; math.Abs(slope-g[c]) > 5e-4*(1+math.Abs(slope)) {
				t.Errorf("σ = %g: gradient at coordinate %d is %g, want %g", sigma, c, g[c], slope)
			}
		}
	}
}

// A matrix's numbers are the same bits at every place in every batch, and a batch's loss and gradient every time.
func TestDeterministic(t *testing.T) { onBackends(t, deterministic) }

func deterministic(t *testing.T, spec string) {
	rng := rand.New(rand.NewPCG(4, 9))
	n := make1(t, 7, configs()["moved"], spec)
	D := n.Dim()
	x := gauss(rng, 70*D, 1)
	all := make([]float64, len(x))
	if err := n.Denoise(all, x, nil, 0.5); err != nil {
		t.Fatal(err)
	}
	for lo := 1; lo < 70; lo += 23 {
		part := make([]float64, len(x)-lo*D)
		if err := n.Denoise(part, x[lo*D:], nil, 0.5); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(part, all[lo*D:]) {
			t.Fatalf("from matrix %d on: other numbers", lo)
		}
	}
	b := smallBatch(n, rng, true)
	var loss [2]float64
	var grads [2][][]float32
	for r := range loss {
		for _, p := range n.params {
			grads[r] = append(grads[r], make([]float32, len(p.Data)))
		}
		var err error
		if loss[r], err = n.lossGrad(b, grads[r]); err != nil {
			t.Fatal(err)
		}
	}
	if loss[0] != loss[1] || !slices.EqualFunc(grads[0], grads[1], func(a, b []float32) bool {
		return slices.Equal(a,
			b)
	}) {
		t.Error("another loss or gradient the second time")
	}
}

func TestBatchErrors(t *testing.T) {
	n := make1(t, 7, configs()["flat"], "")
	for name, spoil := range map[string]func(b *batch){
		"Clean": func(b *batch) { b.Clean = b.Clean[1:] }, "Noisy": func(b *batch) { b.Noisy = nil },
		"Sigma": func(b *batch) { b.Sigma = b.Sigma[1:] }, "Self": func(b *batch) { b.Self = b.Self[1:] },
	} {
		b := smallBatch(n, rand.New(rand.NewPCG(4, 9)), true)
		spoil(b)
		if _, err := n.lossGrad(b, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := n.lossGrad(smallBatch(n, rand.New(rand.NewPCG(4, 9)), true), make([][]float32, 1)); err == nil {
		t.Error("wrong gradients: no error")
	}
}
