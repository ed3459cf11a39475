package mlp

import (
	"fmt"
	"math"
	"runtime"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// Check implements NetConfig.
func (c *Config) Check() error {
	switch {
	case c.Hidden < 1 || c.Layers < 0:
		return fmt.Errorf("mlp: %d hidden units, %d layers: expected at least 1 and 0", c.Hidden, c.Layers)
	case c.Time < 2 || c.Time%2 != 0:
		return fmt.Errorf("mlp: %d time features: expected an even number, at least 2", c.Time)
	case !(c.Gamma >= 0) || math.IsInf(c.Gamma, 1):
		return fmt.Errorf("mlp: gamma %g: expected a number of at least 0", c.Gamma)
	}
	return nil
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
func (c *Config) Width() int { return c.Hidden }

// Weights implements NetConfig.
func (c *Config) Weights(g *ddps.LayeredGraph) float64 {
	h := float64(c.Hidden)
	return h*(2*float64(g.NumEdges())+float64(c.Time)) + float64(c.Layers)*h*h
}

// Memory implements NetConfig.
func (c *Config) Memory(g *ddps.LayeredGraph, n int, grad bool) int64 {
	N, E, H, L := int64(n), int64(g.NumEdges()), int64(c.Hidden), int64(c.Layers)
	if c.Backend != "" {
		loss, kept := net.LossMemory(g, n, grad)
		return loss + 4*N*kept*(H*(4*L+3)+2*E)
	}
	work := int64(runtime.GOMAXPROCS(0)) * 4 * vec.Lanes * (H*(2*L+7) + 3*E)
	if grad {
		work += min(maxPartials, (N+vec.Lanes-1)/vec.Lanes) * 4 * H * (E + L*H)
	}
	return work
}
