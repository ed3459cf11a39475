package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/mlp"
	"github.com/ddps-go/ddps/ddps/net/unet"
)

// The networks that a model may have.
const (
	NetworkMLP  = "mlp"
	NetworkUNet = "unet" // the paper's kind
	NetworkNone = "none" // none: the exact denoiser of the mixture alone
)

// Config says what a model is made of.
type Config struct {
	Network string  `toml:"network"` // one of the Network constants
	T       int     `toml:"T"`       // diffusion steps, at least 1
	Kappa   float64 `toml:"kappa"`   // pseudo-count of the fitted chain, in paths, ≥ 0

	Mixture mixture.Config `toml:"mixture"` // of the distribution that a residual network corrects, or of a stack's part
	Stack   StackConfig    `toml:"stack" json:",omitzero"`

	MLP  mlp.Config  `toml:"mlp"`  // of NetworkMLP
	UNet unet.Config `toml:"unet"` // of NetworkUNet
}

// StackConfig says which parts the stack of a model without a network has.
type StackConfig struct {
	Parts string `toml:"parts"` // some of PartNames, separated by spaces; "": there is no stack
	Half  bool   `toml:"half"`  // the weights of a GRU are rounded to float16, and its file is half as large
}

// The parts that a stack may have.
const (
	PartFirst   = "first-order"  // chain
	PartSecond  = "second-order" // chain
	PartContext = "context"      // context model
	PartSmall   = "small"        // context model with a small product graph, which conditions where no other part does
	PartMixture = "mixture"      // of chains, where a few rounds of its fit show that it is not far behind
	PartGRU     = "gru"
)

// PartNames lists the parts, in the order in which they are fitted.
func PartNames() []string {
	return []string{PartFirst, PartSecond, PartContext, PartSmall, PartMixture, PartGRU}
}

// List returns the parts. The error names one that there is not, or that stands twice, or says that there is none with
// a weight.
func (c StackConfig) List() ([]string, error) {
	list := strings.Fields(c.Parts)
	for i, name := range list {
		if !slices.Contains(PartNames(), name) {
			return nil, fmt.Errorf("model: stack: there is no part %q (%s)", name, strings.Join(PartNames(), ", "))
		}
		if slices.Contains(list[:i], name) {
			return nil, fmt.Errorf("model: stack: part %q stands twice", name)
		}
	}
	if c.Parts != "" && (len(list) == 0 || len(list) == 1 && list[0] == PartSmall) {
		return nil, fmt.Errorf("model: stack: parts is %q: no part is left", c.Parts)
	}
	return list, nil
}

// DefaultConfig returns the settings for Toy: the residual MLP at the paper's T = 256.
func DefaultConfig() Config {
	return Config{Network: NetworkMLP, T: d3pm.DefaultT, Kappa: 1, Mixture: single(), MLP: mlp.DefaultConfig(),
		UNet: unet.DefaultConfig()}
}

// single returns the settings of a mixture that is the chain.
func single() mixture.Config {
	c := mixture.DefaultConfig()
	c.Order, c.Classes = 1, 1
	return c
}

// Base is the exact denoiser of a distribution that needs no network: what a residual network corrects. Safe for
// concurrent use.
type Base interface {
	d3pm.Denoiser
	Graph() *ddps.LayeredGraph
}

// NetworkNames lists the networks.
func NetworkNames() []string { return []string{NetworkMLP, NetworkUNet, NetworkNone} }

// CheckNetwork returns nil if name is one of NetworkNames, else an error that lists them; of "pair", a network of
// earlier versions, the error says that it was removed and what to use instead.
func CheckNetwork(name string) error {
	switch {
	case slices.Contains(NetworkNames(), name):
		return nil
	case name == "pair":
		return errors.New(`network "pair" was removed: train again without a network (none, a mixture of chains, the default on maps) ` +
			"or with mlp or unet")
	}
	return fmt.Errorf("there is no network %q (%s)", name, strings.Join(NetworkNames(), ", "))
}

// Kind says what the model is: "mlp network", "mixture of 8 chains", "mlp network on a mixture of 8 chains", "chain",
// "stack of context, gru".
func (c Config) Kind() string {
	base := "chain"
	if c.Stacked() {
		return "stack of " + strings.Join(strings.Fields(c.Stack.Parts), ", ")
	}
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

// NetConfig returns the settings of the network, nil for none.
func (c *Config) NetConfig() net.Config {
	switch c.Network {
	case NetworkMLP:
		return &c.MLP
	case NetworkUNet:
		return &c.UNet
	}
	return nil
}

// Own returns the settings with the defaults for networks, and for a stack, that the model does not have.
func (c Config) Own() Config {
	all := DefaultConfig()
	if c.Network != NetworkMLP {
		c.MLP = all.MLP
	}
	if c.Network != NetworkUNet {
		c.UNet = all.UNet
	}
	if !c.Stacked() {
		c.Stack = StackConfig{}
	}
	return c
}

// Stacked reports whether the model is a stack.
func (c Config) Stacked() bool { return c.Network == NetworkNone && c.Stack.Parts != "" }

// Residual reports whether the network corrects the base's denoiser, or there is none.
func (c Config) Residual() bool {
	net := c.NetConfig()
	return net == nil || net.Corrects()
}

// Bounds of what a model takes: a slip of the finger must not take all memory.
const (
	maxT       = 1 << 20
	maxWeights = 1 << 28
)

// check returns an error if there is no such network, if T is out of range, or if the network would be huge on g; what
// else may be wrong the networks check.
func (c Config) check(g *ddps.LayeredGraph) error {
	if err := CheckNetwork(c.Network); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if c.T < 1 || c.T > maxT {
		return fmt.Errorf("model: T is %d, must be in 1…%d", c.T, maxT)
	}
	if _, err := c.Stack.List(); err != nil {
		return err
	}
	if c.Network != NetworkNone && c.Stack.Parts != "" {
		return fmt.Errorf("model: stack.parts is %q, but there is a network, %s: a stack has none", c.Stack.Parts, c.Network)
	}
	net := c.NetConfig()
	if net == nil {
		return nil
	}
	if err := net.Check(); err != nil {
		return err
	}
	if n := net.Weights(g); n > maxWeights {
		return fmt.Errorf("model: a network of %d hidden units would have about %.2g weights here, more than %.2g",
			net.Width(), n, float64(maxWeights))
	}
	return nil
}

// Backend returns what the configured network trains on; "" is its own choice.
func (c Config) Backend() string {
	if net := c.NetConfig(); net != nil {
		return *net.Device()
	}
	return ""
}

// SetBackend sets what the configured network trains on. Without a network there is nothing to set.
func (c *Config) SetBackend(spec string) {
	if net := c.NetConfig(); net != nil {
		*net.Device() = spec
	}
}
