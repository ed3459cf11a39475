package model

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/internal/xla"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/stack"
)

// Model is a path distribution as a diffusion: the graph, the first-order chain fitted to the data, a mixture of
// chains made from it, the noise schedule, and a network. Its denoiser is the network's logits, added to the
// logarithm of the mixture's exact denoiser where the network is residual. Paths and conditions are in the numbers of
// its Graph: datasets.Data.Prune takes those of the graph that was given to these, and datasets.Unprune back.
type Model struct {
	Graph    *ddps.LayeredGraph // of the vertices on paths alone, in numbers of its own where run.Fit pruned it
	Chain    *chain.Chain
	Mixture  *mixture.Mixture // of one class of first order: the chain
	Schedule *d3pm.Schedule
	Config   Config
	Net      net.Network  // nil for NetworkNone
	Stack    *stack.Stack // nil: the model is none
	exact    Base
	scratch  sync.Pool // *[]float32
	once     sync.Once
	known    *mixture.Denoiser // of Known
	whole    *whole            // of Known, of a stack
	engine   engines
}

// New makes an untrained model for chain c and its graph, which should be pruned; the weights are drawn
// from seed. The error names the setting out of range.
func New(c *chain.Chain, cfg Config, seed uint64) (*Model, error) {
	cfg.Mixture.Order, cfg.Mixture.Classes = 1, 1
	return NewOn(c, mixture.Of(c.Distribution()), cfg, seed)
}

// NewOn is New on the mixture of chains mix, of the order and as many classes as cfg says, fitted to the same
// paths as c.
func NewOn(c *chain.Chain, mix *mixture.Mixture, cfg Config, seed uint64) (*Model, error) {
	if err := cfg.check(c.Graph); err != nil {
		return nil, err
	}
	if err := cfg.Mixture.Check(c.Graph); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if !mix.Base().Equal(c.Graph) || len(mix.Weight) != cfg.Mixture.Classes || !slices.Equal(mix.Product.Edge,
		cfg.Mixture.Product(c.Graph).Edge) {
		return nil, fmt.Errorf("model: a mixture of %d classes on %d edges, the settings say %d of order %d, on the "+
			"chain's graph",
			len(mix.Weight), len(mix.Product.Edge), cfg.Mixture.Classes, cfg.Mixture.Order)
	}
	c = &chain.Chain{Graph: c.Graph, P: slices.Clone(c.P)} // its own: Restore writes to it
	m := &Model{Graph: c.Graph, Chain: c, Schedule: d3pm.Cosine(cfg.T), Config: cfg}
	m.engine.xla.Host = fast.Engine{}
	if cfg.Mixture.Simple() {
		m.Mixture, m.exact = mixture.Of(c.Distribution()), chain.NewDenoiser(c, m.Schedule.Abar)
	} else {
		m.Mixture = &mixture.Mixture{Product: mix.Product, Weight: slices.Clone(mix.Weight), P: slices.Clone(mix.P)}
		m.exact = mixture.NewDenoiser(m.Mixture, m.Schedule.Abar)
	}
	var err error
	if net := m.Config.NetConfig(); net != nil {
		m.Net, err = net.New(m.Graph, seed)
	}
	return m, err
}

// Exact returns the exact denoiser of the model's mixture of chains: the model without its network.
func (m *Model) Exact() Base { return m.exact }

// Distribution returns the model's distribution where that is known in closed form, its mixture of chains with no
// network to correct it. nil where there is a network, or a stack.
func (m *Model) Distribution() *mixture.Mixture {
	if m.Net == nil && m.Stack == nil {
		return m.Mixture
	}
	return nil
}

// Tractable reports whether probabilities of paths are known: there is no network that corrects the exact denoiser.
func (m *Model) Tractable() bool { return m.Net == nil }

// Posterior sets pi, [batch, edge], to the model's row distributions p̃_θ(x̃_0 | x_t) for each of xt at time t in 1…T.
// The error says so if the network gives something that is not a number. It implements d3pm.Denoiser.
func (m *Model) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	return m.posteriors(pi, nil, xt, t)
}

// posteriors is Posterior. Of a residual network it sets c too, unless it is nil, [batch, edge]: what the network
// makes of the base's row distributions, π over those.
func (m *Model) posteriors(pi, c []float64, xt []ddps.PALM, t int) error {
	if m.Net == nil {
		for i := range c {
			c[i] = 1
		}
		return m.exact.Posterior(pi, xt, t)
	}
	if m.Config.Residual() {
		if err := m.exact.Posterior(pi, xt, t); err != nil {
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
		if err := net.Correct(m.Graph, pi[i*E:(i+1)*E], out[i*E:(i+1)*E], exps); err != nil {
			return fmt.Errorf("network at time %d: %w", t, err)
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

// Sampler returns a sampler of the model at the default settings.
func (m *Model) Sampler() *d3pm.Sampler {
	return &d3pm.Sampler{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Engine: &m.engine}
}

// engines draws samples on a backend where the settings name one that can, else on the vector lanes.
type engines struct {
	xla  xla.Engine
	fast fast.Engine
}

// Take implements Engine.
func (e *engines) Take(r *d3pm.Run) (*d3pm.Plan, error) {
	if crew, err := e.xla.Take(r); crew != nil || err != nil {
		return crew, err
	}
	return e.fast.Take(r)
}

// HostReason implements d3pm.Engine's optional method.
func (e *engines) HostReason(s *d3pm.Sampler) string { return e.xla.HostReason(s) }

// TakeParticles implements Engine.
func (e *engines) TakeParticles(r *d3pm.ParticleRun) *d3pm.Plan { return e.fast.TakeParticles(r) }

// Parts implements what engines need to know of a denoiser.
func (m *Model) Parts() net.Parts {
	if m.Stack != nil {
		return net.Parts{} // none that an engine knows
	}
	p := net.Parts{Graph: m.Graph, Net: m.Net}
	if m.Net == nil || m.Config.Residual() {
		p.Chain, _ = m.exact.(*chain.Denoiser)
		p.Mixture, _ = m.exact.(*mixture.Denoiser)
	}
	return p
}

// Prior returns the base's rows, by edge, before any x_t, which are to be read only; nil where a plain network is all.
func (m *Model) Prior() []float64 {
	switch exact, _ := m.exact.(*mixture.Denoiser); {
	case !m.Config.Residual() || m.Stack != nil && m.Config.Kappa == 0: // a chain without pseudo-counts lacks moves
		return nil
	case exact != nil:
		return exact.Rows()
	}
	return m.Chain.P
}

// PathBase implements PathDenoiser.
func (m *Model) PathBase() (base d3pm.PathBase, bare bool) {
	if m.Stack != nil {
		return m.exact.(*stack.Denoiser), true
	}
	if exact := m.Parts().Mixture; exact != nil {
		return exact, m.Net == nil
	}
	return nil, false
}

// Factors implements PathDenoiser.
func (m *Model) Factors(pi, c []float64, xt []ddps.PALM, t int) error {
	return m.posteriors(pi, c, xt, t)
}

// Known implements Known: the model's stack, or its mixture or chain where no network corrects it.
func (m *Model) Known() d3pm.PathBase {
	if m.Net != nil {
		return nil
	}
	if m.Stack != nil {
		return m.whole
	}
	m.once.Do(func() {
		if m.known, _ = m.exact.(*mixture.Denoiser); m.known == nil {
			m.known = mixture.NewDenoiser(m.Mixture, m.Schedule.Abar)
		}
	})
	return m.known
}

// LogProb returns log p of each path, −Inf for probability 0: of a chain, a mixture of chains, or a stack. The error
// says so if the model has a network, under which d3pm.Bound gives a bound alone, names the path that is none of the
// model's Graph, or is ctx's.
func (m *Model) LogProb(ctx context.Context, paths []ddps.Path) ([]float64, error) {
	if !m.Tractable() {
		return nil, fmt.Errorf("model: log p: the model has a network (%s), under which log p is not known: d3pm.Bound "+
			"is a bound on −log p", m.Config.Kind())
	}
	nats, err := (&d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule}).Score(ctx, paths, 0)
	if err != nil {
		return nil, fmt.Errorf("model: log p: %w", err)
	}
	logp := make([]float64, len(nats))
	for i, x := range nats {
		logp[i] = 0 - x.Mean // not −0
	}
	return logp, nil
}

// Parameters returns the number of the network's weights.
func (m *Model) Parameters() int {
	n := 0
	for _, w := range m.Weights() {
		n += len(w)
	}
	return n
}
