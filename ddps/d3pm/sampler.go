package d3pm

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Denoiser gives the row distributions π of p̃_θ(x̃_0 | x_t).
type Denoiser interface {
	// Posterior sets pi, [batch, edge], to the row distributions for each x_t of the batch at time t in 1…T. Each row
	// sums to 1; a probability of 0 forbids an edge. A sample's rows must not depend on the rest of the batch. Safe for
	// concurrent use. Of logits they are the softmax: chain.Softmax.
	Posterior(pi []float64, xt []ddps.PALM, t int) error
}

// Guide gives the gradient that guides a sampler (package guide has them). One may also have these methods:
//
//	Graph() *ddps.LayeredGraph         the graph it is made for, which Check compares
//	Gradients(pi, grad [][8]float64)   Gradient of eight samples at a time, [edge][sample], with the same results
//	Reward() []float64                 by edge, where it is the gradient of this expected reward
type Guide interface {
	// Gradient sets all of grad from pi, both by edge. Safe for concurrent use. Without a method Graph, Check calls it
	// once at uniform rows, and takes a panic of the runtime, or an entry left as it was, as a sign of another graph.
	Gradient(pi, grad []float64)
}

// DefaultSteps is the number of reverse steps where none is given. The paper takes all 256; Joint needs few.
const DefaultSteps = 16

// Sampler draws paths by the reverse process.
type Sampler struct {
	Graph    *ddps.LayeredGraph
	Denoiser Denoiser
	Schedule *Schedule
	Kernel   Kernel // the zero value: Joint
	Steps    int    // 0: none where the samples can be drawn directly (see Direct), else DefaultSteps

	// Guide is additive guidance (the paper's ∇_z R̄): the distribution of row v is multiplied by exp(Scale·g), g the
	// guide's gradient (the paper's Eq. 7 for a kernel of the paper's kind). nil: none.
	Guide Guide
	Scale float64 // guidance scale λ; without a Guide it must be 0
	// Condition tilts π before anything else; every sample meets it, whatever the kernel and the Guide. nil: none.
	// One that the model can never meet is an error. Where the denoiser, at a step, forbids every path that meets it,
	// uniform rows take π's place: it is met all the same.
	Condition Condition

	// Engine draws samples in place of the scalar code, with the same results, where it can; nil: the scalar code does.
	Engine Engine
	// Backend is the GoMLX backend on which an Engine that has any runs whole reverse steps: "xla:cpu", "xla:cuda",
	// "xla:/abs/x.so". "": the host, or what the Engine chooses. The same seed gives the same random numbers
	// everywhere; paths may differ only where rounding moves a probability across the random number.
	Backend string

	// samples per call of the denoiser on the host; 0: 64, less on huge graphs. Never changes a result.
	Batch   int
	Threads int // 0: all CPU. Never changes a result.
	// called with samples × steps done (samples where there are no steps), by one goroutine at a time; may be nil
	Progress func(done, total int)

	known chain.PathDistribution // what Sample draws from directly; nil: it takes reverse steps
	draws Draws                  // the same, of a PathModel
}

// Sample draws n paths. Sample i depends on the seed and i alone. It stops early with ctx's error. The error is
// chain.ErrImpossible, wrapped, where no path of the model meets the Condition.
func (s *Sampler) Sample(ctx context.Context, n int, seed uint64) ([]ddps.Path, error) {
	s, err := s.resolve(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("d3pm: sample: %w", err)
	}
	r, err := s.span(ctx, []*Sampler{s}, 0, n, n, seed, false)
	if err != nil {
		return nil, fmt.Errorf("d3pm: sample: %w", err)
	}
	return r.Paths, nil
}

// Trace draws paths by the reverse process, those that Sample draws unless that draws directly, and returns what they
// were on the way: paths[k][i] is what sample i's x_t decodes to at t = times[k], from noise at T to the sample
// itself at 0. It keeps n · (S+1) paths.
func (s *Sampler) Trace(ctx context.Context, n int, seed uint64) (times []int, paths [][]ddps.Path, err error) {
	r, err := s.span(ctx, []*Sampler{s}, 0, n, n, seed, true)
	if err != nil {
		return nil, nil, fmt.Errorf("d3pm: trace: %w", err)
	}
	return r.Times, append(r.Traced, r.Paths), nil
}

// reverse is the paper's Algorithm 2 on a batch of samples, by its lines' numbers, and reports whether to go on. Its
// kernel is Algorithm2, whose rows are line 7; the others have their own p(x_s | x_t) there, to which the guide adds as
// in Eq. 7. Beyond the paper are these, steps longer than one, and conditions.
func (w *Scalar) reverse(b *batch) bool {
	b.start(w.Graph)                             // 2: x_T ~ uniform
	for k, t := range b.times[:len(b.times)-1] { // 3: t = T … 1
		if !w.posterior(b, k) { // 4: π = softmax z, z = p̃_θ(x̃_0 | x_t)
			return false
		}
		for i, x := range b.x {
			st := w.at(b, i, t, b.times[k+1])
			w.Tilt(w.Row(b.pi, i), w.Row(b.c, i)) // π given y, exactly (beyond the paper)
			if w.Guide != nil && w.Scale != 0 {
				w.Guide.Gradient(st.Pi, w.Grad) // 5, 6: g = ∇_z R̄
				w.Add(w.Grad)                   // 8: + λ g, when the rows are drawn
			}
			w.fill(st) // 7: Q̄_t z, or the kernel's log p(x_s | x_t)
			w.draw(x)  // 9: x_s ~ Cat
		}
	}
	return w.decode(b)
}
