package d3pm

import (
	"fmt"
	"math"
)

// Schedule is a noise schedule: Abar[t] = ᾱ_t = ∏_{τ≤t} (1−β_τ) for t in 0…T, with ᾱ_0 = 1.
type Schedule struct{ Abar []float64 }

// DefaultT is the paper's number of diffusion steps.
const DefaultT = 256

// Cosine returns the schedule of Nichol and Dhariwal (2021): ᾱ_t = f(t)/f(0), f(t) = cos²((t/T+s)/(1+s)·π/2),
// s = 0.008, β_t = min(1−ᾱ_t/ᾱ_{t−1}, 0.999), and ᾱ reproduced from the clipped β. It panics if T < 1.
func Cosine(T int) *Schedule {
	if T < 1 {
		panic("d3pm: Cosine: T must be at least 1")
	}
	const s = 0.008
	f := func(t int) float64 {
		c := math.Cos((float64(t)/float64(T) + s) / (1 + s) * math.Pi / 2)
		return c * c
	}
	abar := make([]float64, T+1)
	abar[0] = 1
	for t := 1; t <= T; t++ {
		beta := min(1-f(t)/f(t-1), 0.999)
		abar[t] = abar[t-1] * (1 - beta)
	}
	return &Schedule{Abar: abar}
}

// T returns the number of steps.
func (s *Schedule) T() int { return len(s.Abar) - 1 }

// Beta returns β_t for t in 1…T.
func (s *Schedule) Beta(t int) float64 { return 1 - s.Abar[t]/s.Abar[t-1] }

// Times returns the times that a sampler of S steps visits: round(linspace(1, T, S)) in descending order, then
// 0; a single step starts at T. The error says so if S is not in 1…T.
func (s *Schedule) Times(S int) ([]int, error) {
	times, err := s.times(S)
	if err != nil {
		return nil, fmt.Errorf("d3pm: %w", err)
	}
	return times, nil
}

func (s *Schedule) times(S int) ([]int, error) {
	T := s.T()
	if S < 1 || S > T {
		return nil, fmt.Errorf("%d steps, must be in 1…%d", S, T)
	}
	times := make([]int, S, S+1)
	for i := range times {
		if times[i] = T; i > 0 {
			times[i] = int(math.RoundToEven(1 + float64(T-1)*float64(S-1-i)/float64(S-1)))
		}
	}
	return append(times, 0), nil
}
