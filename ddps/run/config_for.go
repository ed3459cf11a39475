package run

import (
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// DefaultConfig returns the settings for Toy.
func DefaultConfig() Config {
	return Config{Hold: 0.1, Keep: 3, TuneKappa: true, TuneMixture: true, Model: model.DefaultConfig(),
		Train: train.DefaultConfig()}
}

// MapConfig returns settings for a street map with data that have memory: a mixture of eight chains of moves, whose
// exact denoiser no network has been seen to better there.
func MapConfig() Config {
	cfg := DefaultConfig()
	cfg.Model.Network, cfg.Model.Mixture = model.NetworkNone, mixture.DefaultConfig()
	return cfg
}

// DNAConfig returns settings for a lattice of DNA: a mixture of chains of letters, each of which may hold a motif at a
// place of its own.
func DNAConfig() Config {
	cfg := DefaultConfig()
	cfg.Model.Network, cfg.Model.Mixture = model.NetworkNone, dnaMixture()
	return cfg
}

// StackConfig returns settings for walks on a network of places: a stack of all parts, validation by walk.
func StackConfig() Config {
	cfg := MapConfig()
	cfg.Model.Stack.Parts = strings.Join(model.PartNames(), " ")
	cfg.ValidationBy, cfg.Refit = ByWalk, true
	return cfg
}

// dnaMixture is the mixture of DNAConfig.
func dnaMixture() mixture.Config {
	m := mixture.DefaultConfig()
	m.Order, m.Classes, m.Rounds = 1, 16, 100
	return m
}

// isDNA reports whether g is a lattice of DNA.
func isDNA(g *ddps.LayeredGraph) bool {
	_, ok := g.Letters(ddps.Bases)
	return ok
}

// ConfigFor returns the settings that serve g best: StackConfig where it has places, DNAConfig where it is a lattice of
// DNA, else DefaultConfig.
func ConfigFor(g *ddps.LayeredGraph) Config {
	if g.Meta().Place != nil {
		return StackConfig()
	}
	return MixtureConfigFor(g)
}

// MixtureConfigFor is ConfigFor without stacks: MapConfig where g has places.
func MixtureConfigFor(g *ddps.LayeredGraph) Config {
	switch {
	case g.Meta().Place != nil:
		return MapConfig()
	case isDNA(g):
		return DNAConfig()
	}
	return DefaultConfig()
}

// ConfigOf returns the settings that a network starts from: MapConfig for none; for a UNet those by which the plain one
// comes within 0.05 nats per path of the exact denoiser on Toy; DefaultConfig for the MLP.
func ConfigOf(network string) Config {
	cfg := DefaultConfig()
	switch network {
	case model.NetworkNone:
		return MapConfig()
	case model.NetworkUNet:
		cfg.Train.Batch, cfg.Train.Optim.LR, cfg.Train.Optim.Warmup = 128, 4e-3, 50
	}
	cfg.Model.Network = network
	return cfg
}

// On returns the settings as they serve for g: what goes by places is left out where it has none, and a lattice of DNA
// has its own mixture for the default one of maps.
func (c Config) On(g *ddps.LayeredGraph) Config {
	if g.Meta().Place == nil {
		m, maps := &c.Model.Mixture, mixture.DefaultConfig()
		if *m == maps && isDNA(g) {
			*m = dnaMixture()
		}
		if m.Order == maps.Order && m.Classes == maps.Classes {
			m.Classes = 1 // nobody asked for more
		}
		m.Order = 1
	}
	return c
}
