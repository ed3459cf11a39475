package experiment

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// kernels are the reverse steps by name.
var kernels = map[string]d3pm.Kernel{
	"joint": d3pm.Joint, "occupancy": d3pm.Occupancy, "mixture": d3pm.Mixture, "undivided": d3pm.Undivided,
}

// KernelNames lists the names that Kernel knows, the default first.
func KernelNames() []string { return []string{"joint", "occupancy", "mixture", "undivided"} }

// Kernel returns the reverse step of that name; "" gives nil, which samplers take for their default.
func Kernel(name string) (d3pm.Kernel, error) {
	if name == "" {
		return nil, nil
	}
	if k, ok := kernels[name]; ok {
		return k, nil
	}
	return nil, fmt.Errorf("experiment: there is no reverse step %q (%s)", name, strings.Join(KernelNames(), ", "))
}

// The guides by name.
const (
	NoGuide           = "none"               // the model's own law
	Eq13              = "eq13"               // the paper's Eq. 13: λ ∇R̄ added to the log of the reverse step
	Algorithm2        = "algorithm2"         // the paper's Algorithm 2 as printed, with Algorithm 1 as meant
	Eq13Printed       = "eq13-printed"       // Eq. 13 with Algorithm 1 as printed
	Algorithm2Printed = "algorithm2-printed" // both algorithms as printed
	MaxReward         = "max"                // exactly the paths of the greatest reward
	Boltzmann         = "boltzmann"          // weights exp(β·reward), exactly
)

// GuideNames lists the guides, the default first.
func GuideNames() []string {
	return []string{NoGuide, Eq13, Algorithm2, Eq13Printed, Algorithm2Printed, MaxReward, Boltzmann}
}

// Guide is a guide by name with its strength, and a condition beside it.
type Guide struct {
	Name   string    // "" is NoGuide
	Lambda float64   // λ of the additive guides
	Beta   float64   // β of Boltzmann
	Where  string    // a condition that all paths meet, in the text form of package where; "" for none
	Cost   []float64 // by edge, what Where calls cost; nil for none
}

// NeedsReward tells whether the guide needs a reward.
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
			parts = append(parts, "as learnt")
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
	if err := c.apply(s, u); err != nil || c.Where == "" {
		return err
	}
	met, err := ParseWhere(c.Where, s.Graph, u, c.Cost)
	if err != nil {
		return err
	}
	exact, err := c.Condition(s.Graph, u)
	if err == nil && exact != nil {
		met, err = guide.All(exact, met)
	}
	s.Condition = met
	return err
}

// ParseWhere returns the condition that a text of package where describes, with the totals reward and cost, nil
// where there are none. The error is a *where.Error where the text or a name in it is wrong.
func ParseWhere(text string, g *ddps.LayeredGraph, reward, cost []float64) (guide.Condition, error) {
	x, err := where.Parse(text)
	if err != nil {
		return nil, err
	}
	return x.Condition(g, map[string][]float64{"reward": reward, "cost": cost})
}

// apply sets s to the guide alone.
func (c Guide) apply(s *d3pm.Sampler, u []float64) (err error) {
	if c.NeedsReward() && u == nil {
		return fmt.Errorf("experiment: guide %s needs a reward", c.Name)
	}
	switch c.Name {
	case "", NoGuide:
	case Algorithm2, Algorithm2Printed:
		if s.Kernel != nil {
			return errors.New("experiment: Algorithm 2 is a reverse step of its own: leave the reverse step out")
		}
		s.Kernel = d3pm.Algorithm2
		fallthrough
	case Eq13, Eq13Printed:
		s.Lambda = c.Lambda
		if strings.HasSuffix(c.Name, "-printed") {
			s.Signal, err = guide.AscendPrinted(s.Graph, u)
			return err
		}
		s.Ascent = u
		if s.Signals, err = guide.Ascends(s.Graph, u); err == nil {
			s.Signal, err = guide.Ascend(s.Graph, u)
		}
	default:
		s.Condition, err = c.Condition(s.Graph, u)
	}
	return err
}

// Condition returns the exact condition that the guide is, nil for those that are not exact.
func (c Guide) Condition(g *ddps.LayeredGraph, u []float64) (guide.Condition, error) {
	switch c.Name {
	case MaxReward:
		return guide.MaxReward(g, u)
	case Boltzmann:
		return guide.Boltzmann(g, u, c.Beta)
	case "", NoGuide, Eq13, Algorithm2, Eq13Printed, Algorithm2Printed:
		return nil, nil
	}
	return nil, fmt.Errorf("experiment: there is no guide %q (%s)", c.Name, strings.Join(GuideNames(), ", "))
}
