package swingnn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Denoiser sets d to D(x; σ), the mean of the clean data given x, which is data plus σ times standard normal noise.
// d, x and self are [n, dim]; self is an earlier D to condition on, nil where there is none. A sample's numbers do not
// depend on the others.
type Denoiser func(d, x, self []float64, sigma float64) error

// Guide is a Denoiser that also sets g to the gradient of a reward at x, [n, dim].
type Guide func(d, g, x, self []float64, sigma float64) error

// What is done at the end of a step, SampleConfig.Correction.
const (
	// CorrectHeun evaluates D at the step's end, as EDM's Algorithm 2 does.
	CorrectHeun = "heun"
	// CorrectPublished evaluates D at the step's start once more, conditioned on its own answer, and takes it for D at
	// the end, as the published code of SwinGNN does.
	CorrectPublished = "published"
)

// SampleConfig sets the sampler.
type SampleConfig struct {
	Steps      int     `toml:"steps"`      // noise levels, at least 1; 2·Steps − 1 evaluations of D
	SigmaMin   float64 `toml:"sigma_min"`  // least noise level, above 0
	SigmaMax   float64 `toml:"sigma_max"`  // greatest, above SigmaMin
	Rho        float64 `toml:"rho"`        // how the levels crowd towards the least, above 0
	Churn      float64 `toml:"churn"`      // S_churn, noise added anew over all steps, at least 0
	ChurnMin   float64 `toml:"churn_min"`  // S_min, the least level at which noise is added
	ChurnMax   float64 `toml:"churn_max"`  // S_max, the greatest
	ChurnNoise float64 `toml:"s_noise"`    // S_noise, standard deviation of the noise that is added, above 0
	Correction string  `toml:"correction"` // CorrectHeun or CorrectPublished
}

// DefaultSample returns the published settings: EDM's for ImageNet, with 256 steps.
func DefaultSample() SampleConfig {
	return SampleConfig{Steps: 256, SigmaMin: 0.002, SigmaMax: 80, Rho: 7, Churn: 40, ChurnMin: 0.05, ChurnMax: 50,
		ChurnNoise: 1.003, Correction: CorrectHeun}
}

// SmallSample returns settings for Small: a seventh of the steps, and noise from where Small was trained. Of the churn
// there is less in all and more in a step: it lets a small network mend what it got wrong at greater noise.
func SmallSample() SampleConfig {
	c := DefaultSample()
	c.Steps, c.Churn, c.SigmaMax = 36, 12, 10
	return c
}

// Check returns an error that names the setting out of range.
func (c SampleConfig) Check() error {
	in := func(x, lo float64) bool { return x > lo && !math.IsInf(x, 1) }
	for _, s := range []struct {
		name string
		ok   bool
	}{{"steps", c.Steps >= 1 && c.Steps <= 1<<16}, {"sigma_min", in(c.SigmaMin, 0)},
		{"sigma_max", in(c.SigmaMax, c.SigmaMin)}, {"rho", in(c.Rho, 0)},
		{"churn", c.Churn == 0 || in(c.Churn, 0)}, {"churn_min", c.ChurnMin >= 0}, {"churn_max", c.ChurnMax >= c.ChurnMin},
		{"s_noise", in(c.ChurnNoise, 0)},
		{"correction", c.Correction == CorrectHeun || c.Correction == CorrectPublished}} {
		if !s.ok {
			return fmt.Errorf("swingnn: sampler: %s is out of range", s.name)
		}
	}
	return nil
}

// Sampler draws by EDM's stochastic sampler (Karras et al. 2022, Algorithm 2). With a guide, λ·∇R is added to the
// score (D − x)/σ².
type Sampler struct {
	SampleConfig
	Dim      int      // coordinates of a sample
	Denoise  Denoiser // used where Guide is nil
	Guide    Guide
	Lambda   float64
	Batch    int                   // samples drawn at a time, at least 1
	Progress func(done, total int) // of the evaluations of D, of all samples; may be nil
}

// Sample draws samples first…first+n−1 of a seed, [n, Dim]: each from a stream of its own, so that it does not depend
// on first, n or Batch. The error names the setting out of range, or what the denoiser said.
func (s *Sampler) Sample(ctx context.Context, first, n int, seed uint64) ([]float64, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if first < 0 || n < 1 || s.Batch < 1 || s.Dim < 1 || s.Guide == nil && s.Denoise == nil || math.IsNaN(s.Lambda) ||
		math.IsInf(s.Lambda, 0) {
		return nil, fmt.Errorf("swingnn: sampler: %d samples of dimension %d in batches of %d, λ = %g: out of range", n,
			s.Dim, s.Batch, s.Lambda)
	}
	x := make([]float64, n*s.Dim)
	done, all := 0, n*(2*s.Steps-1)
	for lo := 0; lo < n; lo += s.Batch {
		b := &drawing{Sampler: s, x: x[lo*s.Dim : min(lo+s.Batch, n)*s.Dim]}
		for i := lo; i < min(lo+s.Batch, n); i++ {
			b.rng = append(b.rng, ddps.Rand(seed, uint64(first+i)))
		}
		b.tick = func() error {
			if done += len(b.rng); s.Progress != nil {
				s.Progress(done, all)
			}
			if ctx.Err() != nil {
				return fmt.Errorf("%w after %d of %d evaluations", engine.Stopped(ctx), done, all)
			}
			return nil
		}
		if err := b.run(); err != nil {
			return nil, fmt.Errorf("swingnn: sample: %w", err)
		}
	}
	return x, nil
}

// drawing is what draws some samples together.
type drawing struct {
	*Sampler
	x         []float64
	rng       []*rand.Rand
	d, g, old []float64 // D and ∇R at the last point; the D before
	seen      bool      // whether d has been set
	tick      func() error
}

// run is EDM's Algorithm 2, line for line.
func (b *drawing) run() error {
	t := schedule(b.Steps, b.SigmaMin, b.SigmaMax, b.Rho)
	b.addNoise(t[0])
	n := len(b.x)
	slope, slope2, start := make([]float64, n), make([]float64, n), make([]float64, n)
	b.d, b.old, b.g = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b.Steps {
		gamma := 0.0
		if t[i] >= b.ChurnMin && t[i] <= b.ChurnMax {
			gamma = min(b.Churn/float64(b.Steps), math.Sqrt2-1)
		}
		hat := t[i] + gamma*t[i]
		if gamma > 0 {
			b.addNoise(math.Sqrt(hat*hat-t[i]*t[i]) * b.ChurnNoise)
		}
		copy(start, b.x)
		if err := b.slope(slope, b.x, b.x, hat, hat); err != nil {
			return err
		}
		h := t[i+1] - hat
		for k := range b.x {
			b.x[k] += h * slope[k]
		}
		if t[i+1] == 0 {
			break
		}
		at, level := b.x, t[i+1]
		if b.Correction == CorrectPublished {
			at, level = start, hat
		}
		if err := b.slope(slope2, b.x, at, t[i+1], level); err != nil {
			return err
		}
		for k := range b.x {
			b.x[k] = start[k] + h*(slope[k]+slope2[k])/2
		}
	}
	return nil
}

// addNoise adds normal noise of the standard deviation given, each sample's from its own stream.
func (b *drawing) addNoise(sigma float64) {
	for i, rng := range b.rng {
		for k := i * b.Dim; k < (i+1)*b.Dim; k++ {
			b.x[k] += sigma * rng.NormFloat64()
		}
	}
}

// slope sets dx to dx/dσ = (x − D)/σ − λσ∇R. D and ∇R are taken at another point and level, at and level, which are x
// and σ themselves but for CorrectPublished.
func (b *drawing) slope(dx, x, at []float64, sigma, level float64) (err error) {
	var self []float64
	if b.seen {
		self = b.d
	}
	b.d, b.old, b.seen = b.old, b.d, true
	if b.Guide != nil {
		err = b.Guide(b.d, b.g, at, self, level)
	} else {
		err = b.Denoise(b.d, at, self, level)
	}
	for k := range dx {
		dx[k] = (x[k]-b.d[k])/sigma - b.Lambda*sigma*b.g[k]
	}
	return errors.Join(err, b.tick())
}
