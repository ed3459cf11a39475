package edpgnn

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// Config describes the network. The zero value is not valid: start from Default.
type Config struct {
	// channels of the adjacency after each layer; the first layer sees two, A and 1−A
	Channels []int `toml:"channels"`
	// width of a vertex's features, at least 1; GINs work at twice that
	Hidden int       `toml:"hidden"`
	Rounds int       `toml:"rounds"` // rounds of messages of each layer's GIN, at least 1
	Sigmas []float64 `toml:"sigmas"` // deviations of the noise, above 0, ascending
	// other first weights and sums over neighbours divided by √N; see Model
	Scaled bool `toml:"scaled" json:",omitempty"`
	// what it runs on: "go", "go:large", "xla:cpu", "xla:cuda", "auto"; "" is "go:large"
	Backend string `toml:"backend"`
}

// Default returns the publication's settings: five layers, GINs of width 16 with four rounds, six levels of noise.
func Default() Config {
	return Config{Channels: []int{2, 4, 4, 4, 2}, Hidden: 16, Rounds: 4, Sigmas: []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1.6}}
}

// Small returns settings for two cores: three layers, two rounds.
func Small() Config {
	c := Default()
	c.Channels, c.Rounds = []int{4, 4, 2}, 2
	return c
}

// DefaultTrain returns the publication's settings for so many training graphs: 5,000 epochs of batches of 32, Adam at a
// learning rate of 0.001 that falls by 0.999 an epoch, no averaging of weights.
func DefaultTrain(graphs int) baselines.TrainConfig {
	const epochs, batch = 5000, 32
	perEpoch := baselines.StepsPerEpoch(graphs, batch)
	return baselines.TrainConfig{Steps: epochs * perEpoch, Batch: batch, LRDecay: 0.999, EvalEvery: 100 * perEpoch,
		Checkpoint: 20 * perEpoch,
		Optim:      baselines.OptimConfig{LR: 1e-3, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8}}
}

// Bounds of what a network takes: a slip of the finger must not take all memory.
const (
	maxWidth  = 1 << 12
	maxLayers = 64
)

// check returns an error that names the setting out of range.
func (c Config) check() error {
	switch {
	case len(c.Channels) == 0 || len(c.Channels) > maxLayers:
		return fmt.Errorf("channels lists %d layers, expected 1…%d", len(c.Channels), maxLayers)
	case c.Hidden < 1 || c.Hidden > maxWidth:
		return fmt.Errorf("hidden is %d, must be in 1…%d", c.Hidden, maxWidth)
	case c.Rounds < 1 || c.Rounds > maxLayers:
		return fmt.Errorf("rounds is %d, must be in 1…%d", c.Rounds, maxLayers)
	case len(c.Sigmas) == 0:
		return fmt.Errorf("sigmas is empty")
	}
	for l, n := range c.Channels {
		if n < 1 || n > maxWidth {
			return fmt.Errorf("channels: layer %d has %d, expected 1…%d", l+1, n, maxWidth)
		}
	}
	for i, s := range c.Sigmas {
		if !(s > 0) || math.IsInf(s, 0) || i > 0 && s <= c.Sigmas[i-1] {
			return fmt.Errorf("sigmas: %v: expected numbers above 0, ascending", c.Sigmas)
		}
	}
	return nil
}
