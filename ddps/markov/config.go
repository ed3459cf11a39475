package markov

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Config says what a context model conditions the next place on.
type Config struct {
	Order    int     `toml:"order"`     // last places of the longest context, 1…16
	MinCount float64 `toml:"min_count"` // least weight of the walks of a stored context of last places, above 0
	Start    bool    `toml:"start"`     // the place in layer 2, that in which walks start where layer 1 is a source
	Position bool    `toml:"position"`  // the layer
	Run      int     `toml:"run"`       // layers in a row at the present place, told apart up to so many; 0: not used
	Visited  bool    `toml:"visited"`   // all places visited; the graph has at most 64
	Ridge    float64 `toml:"ridge"`     // ρ of the prior −½ρ|θ − θ_0|², in steps, above 0
}

// Default returns the settings of contexts of up to five last places and the position.
func Default() Config { return Config{Order: 5, MinCount: 1, Position: true, Ridge: 3} }

// maxVisited is the most places that Config.Visited takes.
const maxVisited = 64

// Check returns an error that names the setting out of range, or of no use for g.
func (c Config) Check(g *ddps.LayeredGraph) error {
	p, err := newPlaces(g)
	if err != nil {
		return err
	}
	return c.check(p)
}

func (c Config) check(p *places) error {
	switch {
	case c.Order < 1 || c.Order > 16:
		return fmt.Errorf("markov: order is %d, must be in 1…16", c.Order)
	case !(c.MinCount > 0) || math.IsInf(c.MinCount, 0):
		return fmt.Errorf("markov: min_count is %v, must be above 0", c.MinCount)
	case c.Run < 0 || c.Run > 1<<20:
		return fmt.Errorf("markov: run is %d, must be in 0…%d", c.Run, 1<<20)
	case !(c.Ridge > 0) || math.IsInf(c.Ridge, 0):
		return fmt.Errorf("markov: ridge is %v, must be above 0", c.Ridge)
	case c.Visited && p.n > maxVisited:
		return fmt.Errorf("markov: visited takes graphs of at most %d places, this one has %d", maxVisited, p.n)
	}
	return nil
}

// String returns the settings in words.
func (c Config) String() string {
	s := fmt.Sprintf("order %d", c.Order)
	for _, f := range []struct {
		on   bool
		name string
	}{{c.Position, "position"}, {c.Start, "start"}, {c.Visited, "visited"}, {c.Run > 0, fmt.Sprintf("run %d", c.Run)},
		{c.MinCount != 1, fmt.Sprintf("min count %v", c.MinCount)}} {
		if f.on {
			s += ", " + f.name
		}
	}
	return s
}
