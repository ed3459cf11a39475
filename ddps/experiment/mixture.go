package experiment

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
)

// MixtureLaw is a mixture of laws of any order: a class is drawn by weight, and a path of its law.
type MixtureLaw struct {
	Classes []*chain.Law
	choice  *ddps.Choice
}

// GivenMixture conditions a mixture of chains exactly: each class by itself, and the classes' weights ω_k by the
// probability m_k that the condition has in class k, ∝ ω_k·m_k. It returns log m, m = Σ ω_k m_k, too. It is what a model
// without its network is at best, and takes no diffusion. The error is guide.Given's if no class can meet it.
func GivenMixture(m *chain.Mixture, c guide.Condition) (*MixtureLaw, float64, error) {
	K := len(m.Weight)
	out, logs, top := &MixtureLaw{Classes: make([]*chain.Law, K)}, make([]float64, K), math.Inf(-1)
	var failed error
	for k := range K {
		law, logm, err := guide.GivenLaw(m.Class(k), c)
		if logs[k] = math.Log(m.Weight[k]) + logm; err != nil {
			failed, logs[k] = err, math.Inf(-1)
		}
		out.Classes[k], top = law, max(top, logs[k])
	}
	if math.IsInf(top, -1) {
		return nil, top, errors.Join(fmt.Errorf("experiment: given: no class of the mixture meets %s", c), failed)
	}
	weights, sum := make([]float64, K), 0.0
	for k, l := range logs {
		weights[k] = math.Exp(l - top)
		sum += weights[k]
	}
	var err error
	out.choice, err = ddps.NewChoice(K, weights)
	return out, top + math.Log(sum), err
}

// Sample draws a path.
func (m *MixtureLaw) Sample(rng *rand.Rand) ddps.Path {
	return m.Classes[m.choice.Draw(rng)].Sample(rng)
}
