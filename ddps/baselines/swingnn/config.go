package swingnn

import (
	"fmt"
	"math"
)

// Config describes a Model. The zero value is not valid: start from Default.
type Config struct {
	Patch  int `toml:"patch"`  // side of the squares of the matrix that become tokens, in 1…16
	Window int `toml:"window"` // side of the windows of attention in tokens, in 1…64; clamped to the grid
	// channels of the first stage, even, in 2…1024; twice as many with each stage
	Dim int `toml:"dim"`
	// heads of attention of the first stage, a divisor of Dim; twice as many with each stage
	Heads int `toml:"heads"`
	// blocks of each stage on the way down, and again on the way up: 1…6 stages of 1…32
	Depths []int `toml:"depths"`
	Ratio  int   `toml:"ratio"` // hidden units of a block's perceptron for each channel, in 1…16
	Noise  int   `toml:"noise"` // width of the embedding of the noise level, in 1…4096
	// a learned vector for each place of the grid; the published network has none, see Model
	Position bool `toml:"position"`
	// the vertices of every training example are moved to random places, see Model
	Permute bool `toml:"permute"`
	// deviation of a linear layer's first weights, times the root of its inputs; 0: 0.02 of each, as published
	Init float64 `toml:"init"`
	// self-conditioning (Chen, Zhang and Hinton 2023) in half of the training steps
	SelfCond bool `toml:"self_cond"`
	// parts of a training batch, and batches of samples, that run concurrently, in 1…64; 0 is 1
	Parts int `toml:"parts"`
	// what it runs on, as ddps train --backend; "": the Go backend with blocked products
	Backend string  `toml:"backend" json:"-"`
	Sigma   float64 `toml:"sigma"`  // σ_data, the data's standard deviation in the preconditioning, above 0
	PMean   float64 `toml:"p_mean"` // mean of ln σ in training
	PStd    float64 `toml:"p_std"`  // its standard deviation, above 0
}

// Default returns the published settings for small graphs: patches of 3, windows of 24, 60 channels with 3 heads,
// depths of 4, 4 and 6. The paper (§5.1) states none.
func Default() Config {
	return Config{Patch: 3, Window: 24, Dim: 60, Heads: 3, Depths: []int{4, 4, 6}, Ratio: 4, Noise: 512, SelfCond: true,
		Backend: "auto", Sigma: 0.5, PMean: -1.2, PStd: 1.2}
}

// Small returns settings that two CPUs train in half an hour on matrices of some forty vertices. Besides being
// smaller, one stage of windows of 7, it differs from Default in three things: a vector for each place, without which a
// small network takes long to find out where it is; first weights that do not shrink what a layer of few inputs hands
// on; and noise levels in training about 1, where the structure of matrices of −1 and 1 is decided: below 0.3 each
// entry determines its value  by itself, above 3 hardly anything is left of it.
func Small() Config {
	c := Default()
	c.Window, c.Dim, c.Heads, c.Depths, c.Noise, c.Position, c.Init = 7, 64, 4, []int{2}, 128, true, 1
	c.PMean, c.PStd, c.Parts = -0.2, 0.7, 2
	return c
}

// check returns an error that names the setting out of range.
func (c Config) check() error {
	type limit struct {
		name       string
		is, lo, hi int
	}
	limits := []limit{{"patch", c.Patch, 1, 16}, {"window", c.Window, 1, 64}, {"dim", c.Dim, 2, 1024},
		{"heads", c.Heads, 1, c.Dim},
		{"ratio", c.Ratio, 1, 16}, {"noise", c.Noise, 1, 4096}, {"parts", c.Parts, 0, 64}, {"the number of depths",
			len(c.Depths), 1, 6}}
	for i, d := range c.Depths {
		limits = append(limits, limit{fmt.Sprintf("depth %d", i+1), d, 1, 32})
	}
	for _, l := range limits {
		if l.is < l.lo || l.is > l.hi {
			return fmt.Errorf("%s is %d, must be in %d…%d", l.name, l.is, l.lo, l.hi)
		}
	}
	in := func(x, lo float64) bool { return x > lo && !math.IsInf(x, 1) }
	switch {
	case c.Dim%2 != 0:
		return fmt.Errorf("dim is %d, must be even", c.Dim)
	case c.Dim%c.Heads != 0:
		return fmt.Errorf("heads is %d, must divide dim, which is %d", c.Heads, c.Dim)
	case c.Init != 0 && !in(c.Init, 0):
		return fmt.Errorf("init is %g, must be at least 0", c.Init)
	case !in(c.Sigma, 0):
		return fmt.Errorf("sigma is %g, must be above 0", c.Sigma)
	case !in(c.PStd, 0):
		return fmt.Errorf("p_std is %g, must be above 0", c.PStd)
	case math.IsNaN(c.PMean) || math.IsInf(c.PMean, 0):
		return fmt.Errorf("p_mean is %g, must be a number", c.PMean)
	}
	return nil
}

// side returns N, the side of the padded matrix for V vertices: the least multiple of the patch from which every stage
// gets a grid that halves evenly and that windows divide.
func (c Config) side(V int) int {
	unit := c.Patch << (len(c.Depths) - 1)
	for N := (V + unit - 1) / unit * unit; ; N += unit {
		fits := true
		for s := range c.Depths {
			grid := N / c.Patch >> s
			fits = fits && (grid <= c.Window || grid%c.Window == 0)
		}
		if fits {
			return N
		}
	}
}
