package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
	"gonum.org/v1/gonum/floats"
)

// MixtureLaw is a mixture of laws of any order: a class is drawn by weight, and a path of its law.
type MixtureLaw struct {
	Classes []*chain.Law // nil where no path meets the condition: the weight is 0 then
	Weight  []float64    // sum 1
	choice  *ddps.Choice
}

// GivenMixture conditions a mixture of chains exactly: each class by itself, and the classes' weights ω_k by the
// probability m_k that the condition has in class k, ∝ ω_k·m_k. It returns log m, m = Σ ω_k m_k, too. It is what a model
// without its network is at best, and takes no diffusion. The error is guide.Given's if no class can meet it.
func GivenMixture(m *chain.Mixture, c guide.Condition) (*MixtureLaw, float64, error) {
	K := len(m.Weight)
	out, logs, top := &MixtureLaw{Classes: make([]*chain.Law, K), Weight: make([]float64, K)}, make([]float64, K), math.Inf(-1)
	var failed error
	for k := range K {
		law, logm, err := guide.GivenLaw(m.Class(k), c)
		if err != nil && !math.IsInf(logm, -1) {
			return nil, logm, err
		}
		if logs[k] = math.Log(m.Weight[k]) + logm; err != nil {
			failed, logs[k] = err, math.Inf(-1)
		}
		out.Classes[k], top = law, max(top, logs[k])
	}
	if math.IsInf(top, -1) {
		return nil, top, errors.Join(fmt.Errorf("experiment: given: no class of the mixture meets %s", c), failed)
	}
	logm := floats.LogSumExp(logs)
	for k, l := range logs {
		out.Weight[k] = math.Exp(l - logm)
	}
	var err error
	out.choice, err = ddps.NewChoice(K, out.Weight)
	return out, logm, err
}

// LogProb returns log P(p), −Inf where no class has the path.
func (m *MixtureLaw) LogProb(p ddps.Path) (float64, error) {
	logs := make([]float64, 0, len(m.Classes))
	for k, law := range m.Classes {
		if m.Weight[k] == 0 {
			continue
		}
		lp, err := law.LogProb(p)
		if err != nil {
			return 0, err
		}
		logs = append(logs, math.Log(m.Weight[k])+lp)
	}
	return floats.LogSumExp(logs), nil
}

// maxListed bounds how many of each class's best paths MostLikely looks at.
const maxListed = 1 << 14

// MostLikely returns a path of the greatest probability, its logarithm, and whether it is certain that none has more. It
// lists the best paths of each class, ever more of them, until what any path that is on no list could have, Σ_k ω_k P_k of
// the last on list k, is no more than what the best one has (the threshold algorithm of Fagin, Lotem and Naor 2003). It
// ends with ctx's error.
func (m *MixtureLaw) MostLikely(ctx context.Context) (best ddps.Path, logp float64, sure bool, err error) {
	for n := 16; ; n *= 4 {
		seen, rest := map[string]bool{}, []float64{math.Inf(-1)}
		logp = math.Inf(-1)
		for k, law := range m.Classes {
			if m.Weight[k] == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, 0, false, err
			}
			list := law.KBest(n)
			for _, s := range list {
				key := metrics.Key(s.Path)
				if seen[key] {
					continue
				}
				seen[key] = true
				if lp, err := m.LogProb(s.Path); err == nil && lp > logp {
					best, logp = s.Path, lp
				}
			}
			if len(list) == n {
				rest = append(rest, math.Log(m.Weight[k])+list[n-1].LogProb)
			}
		}
		if sure = floats.LogSumExp(rest) <= logp; sure || n >= maxListed {
			return best, logp, sure, nil
		}
	}
}

// Sample draws a path.
func (m *MixtureLaw) Sample(rng *rand.Rand) ddps.Path {
	return m.Classes[m.choice.Draw(rng)].Sample(rng)
}
