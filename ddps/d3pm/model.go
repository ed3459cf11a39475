package d3pm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// The networks that a model may have.
const (
	NetworkMLP  = "mlp"
	NetworkUNet = "unet" // the paper's kind
	NetworkPair = "pair" // for maps
	NetworkNone = "none" // none: the exact denoiser of the mixture alone
)

// ModelConfig says what a model is made of.
type ModelConfig struct {
	Network string  `toml:"network"` // one of the Network constants
	T       int     `toml:"T"`       // diffusion steps, at least 1
	Kappa   float64 `toml:"kappa"`   // pseudo-count of the fitted chain, in paths, ≥ 0

	Mixture chain.MixtureConfig `toml:"mixture"` // of the law that a residual network corrects

	MLP  MLPConfig  `toml:"mlp"`  // of NetworkMLP
	UNet UNetConfig `toml:"unet"` // of NetworkUNet
	Pair PairConfig `toml:"pair"` // of NetworkPair
}

// DefaultModel returns the settings for Toy: the residual MLP at the paper's T = 256.
func DefaultModel() ModelConfig {
	return ModelConfig{Network: NetworkMLP, T: DefaultT, Kappa: 1, Mixture: single(), MLP: DefaultMLP(), UNet: DefaultUNet(), Pair: DefaultPair()}
}

// single returns the settings of a mixture that is the chain.
func single() chain.MixtureConfig {
	c := chain.DefaultMixture()
	c.Order, c.Classes = 1, 1
	return c
}

// Base is the exact denoiser of a law that needs no network: what a residual network corrects. Safe for concurrent use.
type Base interface {
	Graph() *ddps.LayeredGraph
	// Posterior sets pi, by edge, to the row laws of the path given x_t at time t in 1…T.
	Posterior(pi []float64, xt ddps.PALM, t int)
	// Posteriors sets pi, [batch, edge] row-major, to Posterior for each of xt. The error names what is out of range.
	Posteriors(pi []float64, xt []ddps.PALM, t int) error
	Denoiser
}

// NetworkNames lists the networks.
func NetworkNames() []string { return []string{NetworkMLP, NetworkUNet, NetworkPair, NetworkNone} }

// Kind says what the model is: "pair network", "mixture of 8 chains", "mlp network on a mixture of 8 chains", "chain".
func (c ModelConfig) Kind() string {
	base := "chain"
	if !c.Mixture.Simple() {
		base = fmt.Sprintf("mixture of %d chains", c.Mixture.Classes)
	}
	switch {
	case c.Network == NetworkNone:
		return base
	case c.Mixture.Simple():
		return c.Network + " network"
	}
	return c.Network + " network on a " + base
}

// residual tells whether the network corrects the chain's denoiser.
func (c ModelConfig) residual() bool {
	switch c.Network {
	case NetworkMLP:
		return c.MLP.Residual
	case NetworkUNet:
		return c.UNet.Residual
	}
	return true
}

// Bounds of what a model takes: a slip of the finger must not take all memory.
const (
	maxT       = 1 << 20
	maxWeights = 1 << 28
)

// check returns an error if T is out of range, or if the network would be huge on g; what else may be wrong the
// networks check.
func (c ModelConfig) check(g *ddps.LayeredGraph) error {
	if c.T < 1 || c.T > maxT {
		return fmt.Errorf("d3pm: T is %d, must be in 1…%d", c.T, maxT)
	}
	n, hidden, edges := 0.0, c.MLP.Hidden, g.NumEdges()
	switch c.Network {
	case NetworkMLP:
		h := float64(hidden)
		n = h*(2*float64(edges)+float64(c.MLP.Time)) + float64(c.MLP.Layers)*h*h
	case NetworkUNet:
		if err := c.UNet.check(); err != nil {
			return err
		}
		hidden, n = c.UNet.Channels, c.UNet.weights(g.NumVertices(), g.MaxDegree())
	case NetworkPair:
		hidden = c.Pair.Hidden
		n = float64(hidden) * (2*float64(edges) + float64(c.Pair.Time))
	}
	if n > maxWeights {
		return fmt.Errorf("d3pm: a network of %d hidden units would have about %.2g weights here, more than %.2g", hidden, n, float64(maxWeights))
	}
	return nil
}

// Model is a path law as a diffusion: the graph, the first-order chain fitted to the data, a mixture of chains made
// from it, the noise schedule, and a network. Its denoiser is the network's logits, added to the logarithm of the
// mixture's exact denoiser where the network is residual.
type Model struct {
	Graph    *ddps.LayeredGraph
	Chain    *chain.Chain
	Mixture  *chain.Mixture // of one class of first order: the chain
	Schedule *Schedule
	Config   ModelConfig
	Net      Network // nil for NetworkNone
	exact    Base
	scratch  sync.Pool     // *[]float32
	engine   engine.Engine // for a reverse process on a backend, where no network brings one
}

// NewModel makes an untrained model for chain c and its graph, which should be pruned; the weights are drawn
// from seed. The error names the setting out of range.
func NewModel(c *chain.Chain, cfg ModelConfig, seed uint64) (*Model, error) {
	cfg.Mixture.Order, cfg.Mixture.Classes = 1, 1
	return NewModelOn(c, c.Law().Single(), cfg, seed)
}

// NewModelOn is NewModel on the mixture of chains mix, of the order and as many classes as cfg says, fitted to the same
// paths as c.
func NewModelOn(c *chain.Chain, mix *chain.Mixture, cfg ModelConfig, seed uint64) (*Model, error) {
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
		m.Mixture, m.exact = c.Law().Single(), chain.NewDenoiser(c, m.Schedule.Abar)
	} else {
		m.Mixture = &chain.Mixture{Lift: mix.Lift, Weight: slices.Clone(mix.Weight), P: slices.Clone(mix.P)}
		m.exact = chain.NewMixtureDenoiser(m.Mixture, m.Schedule.Abar)
	}
	var err error
	m.Net, err = m.newNet(seed)
	return m, err
}

// newNet makes a network of the model's kind.
func (m *Model) newNet(seed uint64) (Network, error) {
	switch m.Config.Network {
	case NetworkNone:
		return nil, nil
	case NetworkMLP:
		return NewMLP(m.Graph, m.Config.MLP, seed)
	case NetworkUNet:
		return NewUNet(m.Graph, m.Config.UNet, seed)
	case NetworkPair:
		return NewPair(m.Graph, m.exact, m.Schedule, m.Config.Pair, seed)
	}
	return nil, fmt.Errorf("d3pm: there is no network %q (%s)", m.Config.Network, strings.Join(NetworkNames(), ", "))
}

// Exact returns the exact denoiser of the model's mixture of chains: the model without its network.
func (m *Model) Exact() Base { return m.exact }

// Law returns the model's law where that is known in closed form, its mixture of chains with no network to correct it (or
// one that has learnt nothing): then that can be asked what samples only estimate. nil where there is a network.
func (m *Model) Law() *chain.Mixture {
	if m.Config.residual() && silent(m.Net) {
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
	residual := m.Config.residual()
	if m.Net == nil || residual && silent(m.Net) {
		for i := range c {
			c[i] = 1
		}
		return m.exact.Posteriors(pi, xt, t)
	}
	if residual {
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
	if pair, ok := m.Net.(*Pair); ok {
		pair.forwardFrom(out, pi, t)
	} else {
		m.Net.Forward(out, xt, t)
	}
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
