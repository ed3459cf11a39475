package unet

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/net"
)

// Check implements NetConfig.
func (c *Config) Check() error {
	for _, s := range []struct {
		name       string
		is, lo, hi int
	}{{"channels", c.Channels, 1, 1024}, {"growth", c.Growth, 1, 4}, {"levels", c.Levels, 0, 10}, {"blocks", c.Blocks, 1,
		64},
		{"kernel", c.Kernel, 1, 63}, {"time", c.Time, 2, 1024}} {
		if s.is < s.lo || s.is > s.hi {
			return fmt.Errorf("unet: %s is %d, must be in %d…%d", s.name, s.is, s.lo, s.hi)
		}
	}
	switch {
	case c.Kernel%2 == 0:
		return fmt.Errorf("unet: kernel is %d, must be odd", c.Kernel)
	case c.Time%2 != 0:
		return fmt.Errorf("unet: time is %d, must be even", c.Time)
	case !(c.Gamma >= 0) || math.IsInf(c.Gamma, 1):
		return fmt.Errorf("unet: gamma is %g, must be a number of at least 0", c.Gamma)
	}
	return nil
}

// channels returns C·Growthˡ, the channels at level l.
func (c Config) channels(l int) int {
	n := c.Channels
	for range l {
		n *= c.Growth
	}
	return n
}

// blocks lists the blocks in the order of walk.
func (c Config) blocks() (all []resBlock) {
	stage := func(name string, from, to int) {
		for k := range c.Blocks {
			all = append(all, resBlock{name: fmt.Sprintf("%s.%d", name, k), index: len(all), from: from, to: to})
			from = to
		}
	}
	from := c.Channels
	for l := range c.Levels {
		stage(fmt.Sprintf("down%d", l), from, c.channels(l))
		from = c.channels(l)
	}
	stage("middle", from, c.channels(c.Levels))
	for l := c.Levels - 1; l >= 0; l-- {
		stage(fmt.Sprintf("up%d", l), c.channels(l+1)+c.channels(l), c.channels(l))
	}
	return all
}

// Weights implements NetConfig.
func (c *Config) Weights(g *ddps.LayeredGraph) float64 {
	V, D := g.NumVertices(), g.MaxDegree()
	n, wide := 2*float64(V)*float64(D)*float64(c.Channels), float64(2*c.Channels)
	n += wide * (float64(c.Time) + wide)
	for _, b := range c.blocks() {
		from, to := float64(b.from), float64(b.to)
		n += to * (float64(c.Kernel)*(from+to) + 2*wide + from)
	}
	return n
}

// New implements NetConfig.
func (c *Config) New(g *ddps.LayeredGraph, seed uint64) (net.Network, error) {
	return New(g, *c, seed)
}

// Corrects implements NetConfig.
func (c *Config) Corrects() bool { return c.Residual }

// Device implements NetConfig.
func (c *Config) Device() *string { return &c.Backend }

// Width implements NetConfig.
func (c *Config) Width() int { return c.Channels }

// Memory implements NetConfig.
func (c *Config) Memory(g *ddps.LayeredGraph, n int, grad bool) int64 {
	loss, kept := net.LossMemory(g, n, grad)
	return loss + 4*int64(n)*kept*c.activations(g.NumVertices(), g.MaxDegree(), grad)
}

// activations returns about how many numbers a UNet's graph holds at once for an example: with a gradient some for each
// block of each level, where the convolutions' inputs, Kernel vertices together, are most of it; else those of the
// widest block and one map for each skip.
func (c Config) activations(vertices, degree int, grad bool) int64 {
	n, widest := int64(vertices)*int64(2*degree+3*c.Channels), int64(0)
	for l := range c.Levels + 1 {
		of, blocks := int64(vertices>>l+1)*int64(c.channels(l)), int64(2*c.Blocks)
		if l == c.Levels {
			blocks = int64(c.Blocks)
		}
		each := of * int64(2*c.Kernel+18)
		if widest = max(widest, each); grad {
			n += blocks * each
		} else {
			n += of
		}
	}
	if !grad {
		n += widest
	}
	return n
}
