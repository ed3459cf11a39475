package stack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Mixture returns the distribution of a mixture of chains.
func Mixture(m *mixture.Mixture) Tractable {
	x := mix{of: m}
	for k, w := range m.Weight {
		if w > 0 {
			x.parts, x.weight = append(x.parts, Chain(m.Class(k))), append(x.weight, w)
		}
	}
	return x
}

// mix is a mixture of tractable distributions.
type mix struct {
	parts  []Tractable
	weight []float64        // above 0, sum 1
	of     *mixture.Mixture // what Mixture was called with; nil: given a condition
}

func (m mix) Graph() *ddps.LayeredGraph { return m.parts[0].Graph() }

func (m mix) LogProb(paths []ddps.Path, out []float64) error {
	rows := make([][]float64, len(m.parts))
	for k, p := range m.parts {
		rows[k] = make([]float64, len(paths))
		if err := p.LogProb(paths, rows[k]); err != nil {
			return err
		}
	}
	if len(out) != len(paths) {
		return fmt.Errorf("stack: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	logMix(rows, m.weight, out)
	return nil
}

// logMix sets out to log Σ_k weight_k exp(rows_k).
func logMix(rows [][]float64, weight, out []float64) {
	for i := range out {
		top := math.Inf(-1)
		for k, w := range weight {
			if w > 0 {
				top = max(top, rows[k][i])
			}
		}
		if out[i] = top; math.IsInf(top, -1) {
			continue
		}
		sum := 0.0
		for k, w := range weight {
			if w > 0 {
				sum += w * math.Exp(rows[k][i]-top)
			}
		}
		out[i] = top + real.Log(sum)
	}
}

// mixStream is the stream of a seed that a mixture's own seed is of: a class must not be drawn by the random number
// that has drawn the mixture among the parts of a stack.
const mixStream = 1<<63 | 7

func (m mix) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	seed = ddps.Rand(seed, mixStream).Uint64()
	return sampleMix(ctx, paths, seed, first, m.weight, func(k int) Distribution { return m.parts[k] })
}

func (m mix) Given(ctx context.Context, c Condition) (Tractable, float64, error) {
	x, logs := mix{}, []float64(nil)
	for k, p := range m.parts {
		given, log, err := p.Given(ctx, c)
		if errors.Is(err, chain.ErrImpossible) {
			continue
		}
		if err != nil {
			return nil, math.NaN(), err
		}
		x.parts, logs = append(x.parts, given), append(logs, log+real.Log(m.weight[k]))
	}
	if len(x.parts) == 0 {
		return nil, math.Inf(-1), fmt.Errorf("stack: %w", chain.ErrImpossible)
	}
	x.weight = make([]float64, len(logs))
	return x, softmax(logs, x.weight), nil
}

// look looks ahead with the heaviest part.
func (m mix) look(ctx context.Context, c Condition) (*lookahead, error) {
	best := 0
	for k, w := range m.weight {
		if w > m.weight[best] {
			best = k
		}
	}
	return m.parts[best].(looker).look(ctx, c)
}

// softmax sets out to exp(logs)/Σ exp(logs) and returns the logarithm of the sum.
func softmax(logs, out []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range logs {
		top = max(top, x)
	}
	for k, x := range logs {
		out[k] = math.Exp(x - top)
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return top + real.Log(sum)
}
