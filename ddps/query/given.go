package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Conditioned is a mixture of distributions of any order: a class is drawn by weight, and a path of its distribution.
type Conditioned struct {
	Classes []*chain.Distribution // nil where no path meets the condition: the weight is 0 then
	Weight  []float64             // sum 1
	choice  *ddps.Choice
}

// GivenMixture conditions a mixture of chains exactly: each class by itself, and the classes' weights ω_k by the
// probability m_k that the condition has in class k, ∝ ω_k·m_k. It returns log m, m = Σ ω_k m_k, too. It is what a
// model without its network is at best, and takes no diffusion. The error is guide.Given's if no class can meet it.
func GivenMixture(m *mixture.Mixture, c guide.Condition) (*Conditioned, float64, error) {
	K := len(m.Weight)
	out, top := &Conditioned{Weight: make([]float64, K)}, math.Inf(-1)
	dists := plainMixture(m).Classes
	classes, logs, err := guide.GivenDistributions(dists, c)
	if err != nil {
		return nil, math.NaN(), err
	}
	out.Classes = classes
	for k := range K {
		logs[k] += real.Log(m.Weight[k])
		top = max(top, logs[k])
	}
	if math.IsInf(top, -1) {
		return nil, top, errors.Join(chain.ImpossibleError(fmt.Sprintf("query: given: no class of the mixture meets %s", c)),
			c.Impossible(dists[0].Rows()))
	}
	logm := floats.LogSumExp(logs)
	for k, l := range logs {
		out.Weight[k] = math.Exp(l - logm)
	}
	out.choice, err = ddps.NewChoice(K, out.Weight)
	return out, logm, err
}

// LogProb returns log P(p), −Inf where no class has the path.
func (m *Conditioned) LogProb(p ddps.Path) (float64, error) {
	logs := make([]float64, 0, len(m.Classes))
	for k, dist := range m.Classes {
		if m.Weight[k] == 0 {
			continue
		}
		lp, err := dist.LogProb(p)
		if err != nil {
			return 0, err
		}
		logs = append(logs, real.Log(m.Weight[k])+lp)
	}
	if len(logs) == 0 {
		return math.Inf(-1), nil
	}
	return floats.LogSumExp(logs), nil
}

// maxListed bounds how many of each class's best paths KBest looks at.
const maxListed = 1 << 14

// MostLikely returns a path of the greatest probability, its logarithm, and whether it is certain that none has more;
// see KBest.
func (m *Conditioned) MostLikely(ctx context.Context) (best ddps.Path, logp float64, sure bool, err error) {
	list, n, err := m.KBest(ctx, 1)
	if err != nil || len(list) == 0 {
		return nil, math.Inf(-1), false, err
	}
	return list[0].Path, list[0].LogProb, n > 0, nil
}

// KBest returns the k most likely paths, or all if they are fewer, best first, and how many of them are certain to
// stand where they do. It lists the best paths of each class, ever more of them, until what any path that is on no list
// could have, Σ_k ω_k P_k of the last on list k, is no more than what the k-th best has (the threshold algorithm of
// Fagin, Lotem and Naor 2003). It ends with ctx's error.
func (m *Conditioned) KBest(ctx context.Context, k int) (best []chain.Scored, sure int, err error) {
	for n := max(16, k); ; n *= 4 {
		seen, rest := map[string]bool{}, []float64{math.Inf(-1)}
		best = best[:0]
		for class, dist := range m.Classes {
			if m.Weight[class] == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			list := dist.KBest(n)
			for _, s := range list {
				if key := metrics.Key(s.Path); !seen[key] {
					seen[key] = true
					if s.LogProb, err = m.LogProb(s.Path); err != nil {
						return nil, 0, err
					}
					best = append(best, s)
				}
			}
			if len(list) == n {
				rest = append(rest, real.Log(m.Weight[class])+list[n-1].LogProb)
			}
		}
		slices.SortStableFunc(best, func(a, b chain.Scored) int { return cmp.Compare(b.LogProb, a.LogProb) })
		best = best[:min(k, len(best))]
		bound := floats.LogSumExp(rest)
		for sure = 0; sure < len(best) && best[sure].LogProb >= bound; sure++ {
		}
		if sure == len(best) || n >= max(maxListed, k) {
			return best, sure, nil
		}
	}
}

// plainMixture is a mixture of chains as a Conditioned, from which nothing is drawn.
func plainMixture(m *mixture.Mixture) *Conditioned {
	out := &Conditioned{Weight: m.Weight}
	for k := range m.Weight {
		out.Classes = append(out.Classes, m.Class(k))
	}
	return out
}

// Reach returns, by vertex of the graph, the probability that a path visits it.
func (m *Conditioned) Reach() []float64 { return m.mean((*chain.Distribution).Reach) }

// Marginals returns, by edge of the graph, the probability that a path takes it.
func (m *Conditioned) Marginals() []float64 { return m.mean((*chain.Distribution).Marginals) }

// mean is the mean over classes of what f returns.
func (m *Conditioned) mean(f func(*chain.Distribution) []float64) (sum []float64) {
	for k, dist := range m.Classes {
		if m.Weight[k] == 0 {
			continue
		}
		x := f(dist)
		if sum == nil {
			sum = make([]float64, len(x))
		}
		floats.AddScaled(sum, m.Weight[k], x)
	}
	return sum
}

// Sample draws a path.
func (m *Conditioned) Sample(rng *rand.Rand) ddps.Path {
	return m.Classes[m.choice.Draw(rng)].Sample(rng)
}
