package query

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/model"
)

// KernelNames lists the names that Kernel knows, the default first.
func KernelNames() []string {
	return []string{"joint", "occupancy", "eq2", "austin", Algorithm2}
}

// Kernel returns the reverse step of that name: one of KernelNames, or of d3pm.Kernels; "" is the default.
func Kernel(name string) (d3pm.Kernel, error) {
	if name == "" {
		return d3pm.Kernel{}, nil
	}
	if k, ok := d3pm.KernelNamed(name); ok {
		return k, nil
	}
	return d3pm.Kernel{}, fmt.Errorf("query: there is no reverse step %q (%s)", name, strings.Join(KernelNames(), ", "))
}

// The guides by name.
const (
	NoGuide = "none" // the model's own distribution
	Eq7     = "eq7"  // the paper's Eq. 7: λ ∇R̄ added to the log of the reverse step
	// Eq7 with the reverse step of the paper's Algorithm 2 as printed; also that step's name
	Algorithm2        = "algorithm2"
	Eq7Printed        = "eq7-printed"        // Eq. 7 with Algorithm 1 as printed
	Algorithm2Printed = "algorithm2-printed" // Eq7Printed with that reverse step: both algorithms as printed
	MaxReward         = "max"                // exactly the paths of the greatest reward
	Boltzmann         = "boltzmann"          // weights exp(β·reward), exactly
)

// GuideNames lists the guides proper, the default first. Algorithm2 and Algorithm2Printed are short for a guide and a
// reverse step; MaxReward and Boltzmann for the conditions max(reward) and boltzmann(β) of package where.
func GuideNames() []string { return []string{NoGuide, Eq7, Eq7Printed} }

// guideNames lists all names that a Guide may have.
func guideNames() []string {
	return append(GuideNames(), Algorithm2, Algorithm2Printed, MaxReward, Boltzmann)
}

// GuideNamed returns today's name of a guide: that given, but for those of earlier versions.
func GuideNamed(name string) string {
	switch name {
	case "eq13":
		return Eq7
	case "eq13-printed":
		return Eq7Printed
	}
	return name
}

// Guide is a guide by name with its strength, and a condition beside it.
type Guide struct {
	Name   string              // "" is NoGuide
	Lambda float64             // λ of the additive guides
	Beta   float64             // β of Boltzmann
	Where  string              // a condition that all paths meet, in the text form of package where; "" for none
	Cost   []float64           // by edge, what Where calls cost; nil for none
	Alias  map[string][]string // other names of places, for Where, and what each stands for; nil for none
}

// NeedsReward reports whether the guide needs a reward.
func (c Guide) NeedsReward() bool { return c.Name != "" && c.Name != NoGuide }

// Title says for people what the guide does to the samples of a model called name, "" for no name.
func (c Guide) Title(name string) string {
	var parts []string
	if name != "" {
		parts = append(parts, name)
	}
	switch c.Name {
	case "", NoGuide:
		if c.Where == "" {
			parts = append(parts, "unguided")
		}
	case MaxReward:
		parts = append(parts, "the greatest reward")
	case Boltzmann:
		parts = append(parts, fmt.Sprintf("boltzmann(%v)", c.Beta))
	default:
		parts = append(parts, c.Name, fmt.Sprintf("λ = %v", c.Lambda))
	}
	if c.Where != "" {
		parts = append(parts, c.Where)
	}
	return strings.Join(parts, ", ")
}

// Apply sets s, a sampler of graph g, to the guide with reward u, by edge. Algorithm 2 is a reverse step of its
// own: it is an error if s has another one set. Where goes with any guide; what it calls reward is u.
func (c Guide) Apply(s *d3pm.Sampler, u []float64) error {
	if err := c.apply(s, u); err != nil {
		return err
	}
	exact, err := c.Condition(s.Graph, u)
	if err != nil || c.Where == "" && exact == nil {
		return err
	}
	var parts []guide.Condition
	if exact != nil {
		parts = append(parts, exact)
	}
	if c.Where != "" {
		x, err := where.Parse(c.Where)
		if err != nil {
			return err
		}
		met, err := x.Compile(s.Graph, Env(u, c.Cost, c.Alias))
		if err != nil {
			return err
		}
		parts = append(parts, met)
	}
	if c.Weighs() {
		parts = append(parts, support(s)...)
	}
	if len(parts) == 1 {
		s.Condition = parts[0]
		return nil
	}
	all, err := guide.All(parts...)
	if err == nil {
		s.Condition = all
	}
	return err
}

// support returns the condition that a path takes no move to which the sampler's model gives probability 0, none where
// there is no such move, or it is not known. Weights of paths are then relative to the best path that the model has,
// however much better those are that it has not.
func support(s *d3pm.Sampler) []guide.Condition {
	m, ok := s.Denoiser.(*model.Model)
	if !ok {
		return nil
	}
	dist := m.Distribution()
	if dist == nil {
		return nil
	}
	used, K := make([]bool, s.Graph.NumEdges()), len(dist.Weight)
	for i, p := range dist.P {
		e := dist.Product.Edge[i/K]
		used[e] = used[e] || p > 0 && dist.Weight[i%K] > 0
	}
	var never guide.Stop
	for e, yes := range used {
		if !yes {
			never.Edges = append(never.Edges, e)
		}
	}
	if never.Edges == nil {
		return nil
	}
	c, err := guide.Avoid(s.Graph, never)
	if err != nil {
		return nil // no path is left: sampling says so
	}
	return []guide.Condition{guide.Named(c, "a path that the model has")}
}

// apply sets s to the guide alone.
func (c Guide) apply(s *d3pm.Sampler, u []float64) (err error) {
	if c.Name != "" && !slices.Contains(guideNames(), GuideNamed(c.Name)) {
		return c.unknown()
	}
	if c.NeedsReward() && u == nil {
		return fmt.Errorf("query: guide %s needs a reward", c.Name)
	}
	switch GuideNamed(c.Name) {
	case "", NoGuide:
	case Algorithm2, Algorithm2Printed:
		if s.Kernel.Fill != nil {
			return errors.New("query: Algorithm 2 is a reverse step of its own: leave the reverse step out")
		}
		s.Kernel = d3pm.Algorithm2()
		fallthrough
	case Eq7, Eq7Printed:
		s.Scale = c.Lambda
		if strings.HasSuffix(c.Name, "-printed") {
			s.Guide, err = guide.NewGradientPrinted(s.Graph, u)
			break
		}
		s.Guide, err = guide.RewardGradient(s.Graph, u)
	}
	return err
}

// Condition returns the exact condition that the guide is, nil for those that are not exact.
func (c Guide) Condition(g *ddps.LayeredGraph, u []float64) (guide.Condition, error) {
	switch GuideNamed(c.Name) {
	case MaxReward:
		return guide.MaxReward(g, u)
	case Boltzmann:
		return guide.Boltzmann(g, u, c.Beta)
	case "", NoGuide, Eq7, Algorithm2, Eq7Printed, Algorithm2Printed:
		return nil, nil
	}
	return nil, c.unknown()
}

// unknown is the error of a name that no guide has.
func (c Guide) unknown() error {
	return fmt.Errorf("query: there is no guide %q (%s)", c.Name, strings.Join(guideNames(), ", "))
}

// ConditionLogProb returns the logarithm of the probability of the guide's condition, nil for none, under the model, as
// LogProb does: exact where the model's distribution is known in closed form, of a stack with a part such as a GRU an
// estimate. NaN under a network, and for a condition that weighs paths.
func (c Guide) ConditionLogProb(m *model.Model, met d3pm.Condition) (float64, error) {
	own, ok := met.(guide.Condition)
	if met == nil {
		return 0, nil
	}
	if !ok || !m.Tractable() || c.Weighs() {
		return math.NaN(), nil
	}
	if m.Stack != nil {
		logp, _, err := LogProb(m, own)
		return logp, err
	}
	_, logp, err := GivenMixture(m.Distribution(), own)
	return logp, err
}

// Weighs reports whether the guide's condition weighs paths, and is not just met or not.
func (c Guide) Weighs() bool {
	x, err := where.Parse(c.Where)
	return c.Name == Boltzmann || err == nil && x.Weighs()
}
