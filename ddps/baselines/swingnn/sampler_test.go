package swingnn

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// blobs is a distribution of the plane that is not a network's: Gaussians of standard deviation s about means m, with
// weights w.
type blobs struct {
	m [][2]float64
	w []float64
	s float64
}

// denoise is its Bayes denoiser.
func (g blobs) denoise(d, x, _ []float64, sigma float64) error {
	v := g.s*g.s + sigma*sigma
	for i := 0; i < len(x); i += 2 {
		var sum, a, b float64
		for k, m := range g.m {
			dx, dy := x[i]-m[0], x[i+1]-m[1]
			p := g.w[k] * math.Exp(-(dx*dx+dy*dy)/(2*v))
			sum += p
			a, b = a+p*(m[0]+g.s*g.s/v*dx), b+p*(m[1]+g.s*g.s/v*dy)
		}
		d[i], d[i+1] = a/sum, b/sum
	}
	return nil
}

var threeBlobs = blobs{m: [][2]float64{{-2, 0}, {2, 0}, {0, 1.5}}, w: []float64{0.2, 0.5, 0.3}, s: 0.15}

func draw(t *testing.T, s *Sampler, n int, seed uint64) []float64 {
	t.Helper()
	x, err := s.Sample(context.Background(), 0, n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// chiSquare holds samples to the distribution: each is counted at its nearest mean, in eight bins of equal probability
// of its normalised second coordinate there.
func (g blobs) chiSquare(x []float64) (chi2 float64, bins int) {
	const B = 8
	count := make([]float64, len(g.m)*B)
	for i := 0; i < len(x); i += 2 {
		best, least := 0, math.Inf(1)
		for k, m := range g.m {
			if r := math.Hypot(x[i]-m[0], x[i+1]-m[1]); r < least {
				best, least = k, r
			}
		}
		u := math.Erfc(-(x[i+1]-g.m[best][1])/(g.s*math.Sqrt2)) / 2
		count[best*B+min(int(u*B), B-1)]++
	}
	for c, n := range count {
		want := g.w[c/B] / B * float64(len(x)/2)
		chi2 += (n - want) * (n - want) / want
	}
	return chi2, len(count)
}

// With the exact denoiser of a distribution the samples are that distribution's, with and without churn; the published
// correction is not.
func TestSamplerExact(t *testing.T) {
	const n = 8000
	for _, c := range []struct {
		name, correction string
		steps            int
		churn            float64
		fits             bool
	}{{"Heun", CorrectHeun, 40, 0, true}, {"with churn", CorrectHeun, 64, 20, true}, {"published", CorrectPublished, 40, 0,
		false}} {
		cfg := DefaultSample()
		cfg.Steps, cfg.Churn, cfg.ChurnNoise, cfg.Correction, cfg.SigmaMax = c.steps, c.churn, 1, c.correction, 40
		s := &Sampler{SampleConfig: cfg, Dim: 2, Denoise: threeBlobs.denoise, Batch: 1000}
		chi2, bins := threeBlobs.chiSquare(draw(t, s, n, 7))
		limit := float64(bins-1) + 5*math.Sqrt(2*float64(bins-1)) // five standard deviations
		if (chi2 < limit) != c.fits {
			t.Errorf("%s: χ² is %.1f on %d bins, the limit %.1f", c.name, chi2, bins, limit)
		}
	}
}

// moments are mean and standard deviation of coordinate c of samples of dimension dim.
func moments(x []float64, dim, c int) (mean, std float64) {
	n := float64(len(x) / dim)
	for i := c; i < len(x); i += dim {
		mean += x[i] / n
	}
	for i := c; i < len(x); i += dim {
		std += (x[i] - mean) * (x[i] - mean) / n
	}
	return mean, math.Sqrt(std)
}

// On one Gaussian guidance through D tilts the distribution by exp(λ·a·x) exactly, as D's error does not depend on x;
// guidance by the noisy sample shifts it by λ·a·s·(√(s² + σ_max²) − s), which is the solution of its linear equation.
func TestSamplerGuided(t *testing.T) {
	dist := blobs{m: [][2]float64{{0.5, -1}}, w: []float64{1}, s: 0.4}
	const lambda, n = 1.5, 8000
	a := [2]float64{1, -0.5}
	for name, guide := range map[string]struct {
		gradient func(sigma float64) float64
		shift    float64
	}{
		"through D": {func(sigma float64) float64 { return dist.s * dist.s / (dist.s*dist.s + sigma*sigma) },
			dist.s * dist.s},
		"noisy": {func(float64) float64 { return 1 }, dist.s * (math.Hypot(dist.s, 5) - dist.s)},
	} {
		cfg := DefaultSample()
		cfg.Steps, cfg.Churn, cfg.SigmaMax = 60, 0, 5
		s := &Sampler{SampleConfig: cfg, Dim: 2, Lambda: lambda, Batch: n, Guide: func(d, g, x, self []float64,
			sigma float64) error {
			for i := range g {
				g[i] = a[i%2] * guide.gradient(sigma)
			}
			return dist.denoise(d, x, self, sigma)
		}}
		x := draw(t, s, n, 3)
		for c := range 2 {
			mean, std := moments(x, 2, c)
			want := dist.m[0][c] + lambda*a[c]*guide.shift
			// the first sample is drawn about 0 and not about the distribution's mean, which counts for s/σ_max of it
			if start := dist.m[0][c] * dist.s / 5; math.Abs(mean-want+start) > 0.03 || math.Abs(std-dist.s) > 0.015 {
				t.Errorf("%s, coordinate %d: mean %.3f, deviation %.3f, want %.3f and %.3f", name, c, mean, std, want, dist.s)
			}
		}
	}
}

// A sample's numbers depend on its seed and number alone, and self-conditioning hands on the D before.
func TestSamplerStreams(t *testing.T) {
	cfg := DefaultSample()
	cfg.Steps = 8
	s := &Sampler{SampleConfig: cfg, Dim: 2, Denoise: threeBlobs.denoise, Batch: 5}
	all := draw(t, s, 12, 1)
	s.Batch = 12
	if !slices.Equal(draw(t, s, 12, 1), all) || slices.Equal(draw(t, s, 12, 2), all) {
		t.Error("the batch matters or the seed does not")
	}
	if s.Batch = 3; !slices.Equal(draw(t, s, 4, 1), all[:8]) {
		t.Error("the number of samples matters")
	}
	var before []float64
	calls := 0
	s.Denoise = func(d, x, self []float64, sigma float64) error {
		if !slices.Equal(self, before) || (self == nil) != (calls == 0) {
			t.Errorf("call %d: conditioned on %v, want %v", calls, self, before)
		}
		err := threeBlobs.denoise(d, x, self, sigma)
		before, calls = slices.Clone(d), calls+1
		return err
	}
	if draw(t, s, 1, 1); calls != 2*cfg.Steps-1 {
		t.Errorf("%d evaluations, want %d", calls, 2*cfg.Steps-1)
	}
}

func TestSamplerErrors(t *testing.T) {
	good := Sampler{SampleConfig: DefaultSample(), Dim: 2, Denoise: threeBlobs.denoise, Batch: 5}
	for name, set := range map[string]func(s *Sampler){
		"steps": func(s *Sampler) { s.Steps = 0 }, "sigma_min": func(s *Sampler) { s.SigmaMin = 0 },
		"sigma_max": func(s *Sampler) { s.SigmaMax = 0.001 },
		"rho":       func(s *Sampler) { s.Rho = math.NaN() }, "churn is": func(s *Sampler) { s.Churn = -1 },
		"churn_min": func(s *Sampler) { s.ChurnMin = math.NaN() },
		"churn_max": func(s *Sampler) { s.ChurnMax = 0 }, "s_noise": func(s *Sampler) { s.ChurnNoise = 0 },
		"correction": func(s *Sampler) { s.Correction = "euler" },
		"dimension":  func(s *Sampler) { s.Dim = 0 }, "batches of 0": func(s *Sampler) { s.Batch = 0 },
		"λ = NaN": func(s *Sampler) { s.Lambda = math.NaN() },
	} {
		s := good
		set(&s)
		if _, err := s.Sample(context.Background(), 0, 1, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := good.Sample(ctx, 0, 1, 0); !errors.Is(err, baselines.ErrStopped) {
		t.Errorf("stopped: error %v", err)
	}
}
