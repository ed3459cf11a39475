package mixture

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Config says how a mixture of chains is fitted. With one class of order 1 it is the chain, and nothing else is read.
type Config struct {
	Order   int     `toml:"order"`   // of the chains: 1, or 2 to tell going on from coming back
	Classes int     `toml:"classes"` // K, at least 1
	Ridge   float64 `toml:"ridge"`   // ρ: pull of each potential to 0, in paths, in 1e-12…1e12
	// τ: pull of a place's potentials in layers that follow to each other, in paths, in 0…1e12
	Smooth float64 `toml:"smooth"`
	Rounds int     `toml:"rounds"` // of L-BFGS, at least 1
}

// DefaultConfig returns the settings for maps.
func DefaultConfig() Config {
	return Config{Order: 2, Classes: 8, Ridge: 30, Smooth: 100, Rounds: 300}
}

// ErrTooLarge is the error of a mixture that has too many numbers on a graph, wrapped.
var ErrTooLarge = errors.New("the mixture is too large for the graph")

// Check returns an error that names the setting out of range, or of no use for g: turns are of places. It is
// ErrTooLarge, wrapped, where only the graph's size is wrong.
func (c Config) Check(g *ddps.LayeredGraph) error {
	switch {
	case c.Order != 1 && c.Order != 2:
		return fmt.Errorf("mixture: order is %d, must be 1 or 2", c.Order)
	case c.Order == 2 && g.Meta().Place == nil:
		return fmt.Errorf("mixture: order is 2, which needs a graph whose vertices have places: take 1")
	case c.Classes < 1 || c.Classes > maxClasses:
		return fmt.Errorf("mixture: classes is %d, must be in 1…%d", c.Classes, maxClasses)
	case c.Simple():
		return nil
	case !(c.Ridge >= 1/maxPull && c.Ridge <= maxPull):
		return fmt.Errorf("mixture: ridge is %v, must be in %v…%v", c.Ridge, 1/maxPull, maxPull)
	case !(c.Smooth >= 0 && c.Smooth <= maxPull):
		return fmt.Errorf("mixture: smooth is %v, must be in 0…%v", c.Smooth, maxPull)
	case c.Rounds < 1:
		return fmt.Errorf("mixture: rounds is %d, must be at least 1", c.Rounds)
	}
	if _, edges := c.Size(g); edges > maxNumbers/c.Classes {
		return fmt.Errorf("mixture: order %d, %d classes: %w: more than %d numbers, classes times edges", c.Order, c.Classes,
			ErrTooLarge, maxNumbers)
	}
	return nil
}

// Simple reports whether the mixture is one first-order chain.
func (c Config) Simple() bool { return c.Classes == 1 && c.Order == 1 }

// Product returns the product graph of g that chains of the order are on: Identity or Turns, which needs what Check
// asks for.
func (c Config) Product(g *ddps.LayeredGraph) *chain.Product {
	if c.Order == 2 {
		return Turns(g)
	}
	return chain.Identity(g)
}

// maxPull bounds ρ and τ: beyond, a fit cannot begin.
const maxPull = 1e12

// maxClasses bounds K, and maxNumbers what all classes have: a slip of the finger must not take all memory.
const (
	maxClasses = 1024
	maxNumbers = 1 << 28
)
