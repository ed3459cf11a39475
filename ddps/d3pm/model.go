package d3pm

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net"
)

// Model is a path law as a diffusion: the graph, the first-order chain fitted to the data, a mixture of chains made
// from it, the noise schedule, and a network. Its denoiser is the network's logits, added to the logarithm of the
// mixture's exact denoiser where the network is residual.
type Model struct {
	Graph    *ddps.LayeredGraph
	Chain    *chain.Chain
	Mixture  *mixture.Mixture // of one class of first order: the chain
	Schedule *Schedule
	Config   ModelConfig
	Net      net.Network // nil for NetworkNone
	exact    Base
	scratch  sync.Pool     // *[]float32
	engine   engine.Engine // for a reverse process on a backend, where no network brings one
}

// NewModel makes an untrained model for chain c and its graph, which should be pruned; the weights are drawn
// from seed. The error names the setting out of range.
func NewModel(c *chain.Chain, cfg ModelConfig, seed uint64) (*Model, error) {
	cfg.Mixture.Order, cfg.Mixture.Classes = 1, 1
	return NewModelOn(c, mixture.Of(c.Law()), cfg, seed)
}

// NewModelOn is NewModel on the mixture of chains mix, of the order and as many classes as cfg says, fitted to the same
// paths as c.
func NewModelOn(c *chain.Chain, mix *mixture.Mixture, cfg ModelConfig, seed uint64) (*Model, error) {
	if err := cfg.check(c.Graph); err != nil {
		return nil, err
	}
	if err := cfg.Mixture.Check(c.Graph); err != nil {
		return nil, fmt.Errorf("d3pm: %w", err)
	}
	if mix.Base() != c.Graph || len(mix.Weight) != cfg.Mixture.Classes || !slices.Equal(mix.Lift.Edge, cfg.Mixture.Lift(c.Graph).Edge) {
		return nil, fmt.Errorf("d3pm: a mixture of %d classes on %d edges, the settings say %d of order %d, on the chain's graph",
			len(mix.Weight), len(mix.Lift.Edge), cfg.Mixture.Classes, cfg.Mixture.Order)
	}
	c = &chain.Chain{Graph: c.Graph, P: slices.Clone(c.P)} // its own: Restore writes to it
	m := &Model{Graph: c.Graph, Chain: c, Schedule: Cosine(cfg.T), Config: cfg}
	if cfg.Mixture.Simple() {
		m.Mixture, m.exact = mixture.Of(c.Law()), chain.NewDenoiser(c, m.Schedule.Abar)
	} else {
		m.Mixture = &mixture.Mixture{Lift: mix.Lift, Weight: slices.Clone(mix.Weight), P: slices.Clone(mix.P)}
		m.exact = mixture.NewDenoiser(m.Mixture, m.Schedule.Abar)
	}
	var err error
	if net := m.Config.net(); net != nil {
		m.Net, err = net.New(m.Graph, seed)
	}
	return m, err
}

// Exact returns the exact denoiser of the model's mixture of chains: the model without its network.
func (m *Model) Exact() Base { return m.exact }

// Law returns the model's law where that is known in closed form, its mixture of chains with no network to correct it: then
// that can be asked what samples only estimate. nil where there is a network.
func (m *Model) Law() *mixture.Mixture {
	if m.Net == nil {
		return m.Mixture
	}
	return nil
}

// Posteriors sets pi, [batch, edge] row-major, to the model's row laws p̃_θ(x̃_0 | x_t) for each x_t. The error
// says so if the network gives something that is not a number.
func (m *Model) Posteriors(pi []float64, xt []ddps.PALM, t int) error {
	return m.posteriors(pi, nil, xt, t)
}

// posteriors is Posteriors. Of a residual network it sets c too, unless it is nil, [batch, edge]: what the network makes
// of the base's row laws, π over those.
func (m *Model) posteriors(pi, c []float64, xt []ddps.PALM, t int) error {
	if m.Net == nil {
		for i := range c {
			c[i] = 1
		}
		return m.exact.Posteriors(pi, xt, t)
	}
	if m.Config.residual() {
		if err := m.exact.Posteriors(pi, xt, t); err != nil {
			return err
		}
	} else {
		for i := range pi {
			pi[i] = 1
		}
	}
	copy(c, pi)
	E := m.Graph.NumEdges()
	room := m.buffer(len(pi) + E)
	defer m.scratch.Put(&room)
	out, exps := room[:len(pi)], room[len(pi):]
	m.Net.Forward(out, xt, t)
	for i := range xt {
		if err := correct(m.Graph, pi[i*E:(i+1)*E], out[i*E:(i+1)*E], exps); err != nil {
			return fmt.Errorf("d3pm: network at time %d: %w", t, err)
		}
	}
	for i, base := range c {
		if base > 0 {
			c[i] = pi[i] / base
		}
	}
	return nil
}

func (m *Model) buffer(n int) []float32 {
	if b, ok := m.scratch.Get().(*[]float32); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return make([]float32, n)
}

// Logits does what Denoiser asks: the logarithms of Posteriors.
func (m *Model) Logits(z []float32, xt []ddps.PALM, t int) error {
	pi := make([]float64, len(z))
	if err := m.Posteriors(pi, xt, t); err != nil {
		return err
	}
	for i, p := range pi {
		z[i] = float32(math.Log(p))
	}
	return nil
}

// Sampler returns a sampler of the model at the default settings.
func (m *Model) Sampler() *Sampler {
	return &Sampler{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule}
}
