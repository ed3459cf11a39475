package gru

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Shape is the size of a network.
type Shape struct {
	Hidden int  // units of the state H, a multiple of 32
	Embed  int  // size of the embeddings E, a multiple of 32
	Start  bool // whether each step reads the place in which the path starts, that of the second layer
}

// Setting says how a network is trained.
type Setting struct {
	Shape
	Dropout     float64 // share of what the output reads that is left out, in [0, 0.99), in 256ths
	InputDrop   float64 // the same of the embeddings
	LR          float64 // greatest learning rate of AdamW; linear warm-up over a twentieth of the updates, then a cosine
	WeightDecay float64 // decoupled; biases are exempt
	Batch       int     // paths per update, of mixed lengths
	Epochs      float64 // of the schedule: passes through the paths, each by its weight
	Average     float64 // horizon of the weights' moving average, as a share of the schedule, in (0, 1)
	Patience    float64 // training ends after that share of the schedule without a better validation NLL
}

// Config says what Fit does.
type Config struct {
	Settings []Setting      // tried in turn, the best on the validation paths is kept; nil: Suggest's
	Networks int            // networks whose distributions of each step are averaged, each from a seed of its own; 0: 1
	Refit    bool           // train again on all paths, for as long as was best
	Budget   time.Duration  // of all training; 0: none. Schedules are shortened to keep it, by the machine's speed
	Threads  int            // 0: all processors; no bit depends on it
	Backend  string         // GoMLX backend that computes losses and gradients; "": native
	Progress func(Progress) // called at each evaluation; may be nil
}

// Progress is what Config.Progress gets.
type Progress struct {
	Training, Trainings int // which training, from 1, of how many: settings, further networks, refits
	Refit               bool
	Epoch, Epochs       float64
	PathsPerSecond      float64
	NLL                 float64       // of the validation paths, nats per path; NaN in a refit
	Left                time.Duration // of this training, at most
}

// Sample is paths with their weights, such as counts; nil weights give each path the weight 1.
type Sample struct {
	Paths   []ddps.Path
	Weights []float64
}

// check returns an error that names the setting out of range.
func (s *Setting) check() error {
	for _, f := range []struct {
		name string
		ok   bool
	}{{"hidden", s.Hidden > 0 && s.Hidden%32 == 0 && s.Hidden <= 4096}, {"embed", s.Embed > 0 && s.Embed%32 == 0 && s.Embed <= 4096},
		{"dropout", s.Dropout >= 0 && s.Dropout < 0.99}, {"input dropout", s.InputDrop >= 0 && s.InputDrop < 0.99},
		{"learning rate", s.LR > 0 && s.LR < 1},
		{"weight decay", s.WeightDecay >= 0 && s.WeightDecay < 100}, {"batch", s.Batch > 0 && s.Batch <= 1<<16},
		{"epochs", s.Epochs > 0 && s.Epochs < 1e6}, {"average", s.Average > 0 && s.Average < 1},
		{"patience", s.Patience > 0}} {
		if !f.ok {
			return fmt.Errorf("%s is out of range", f.name)
		}
	}
	return nil
}

func (c *Config) check() error {
	for i := range c.Settings {
		if err := c.Settings[i].check(); err != nil {
			return fmt.Errorf("setting %d: %w", i+1, err)
		}
	}
	switch {
	case c.Networks < 0 || c.Networks > 64:
		return errors.New("networks is out of range")
	case c.Budget < 0:
		return errors.New("budget is out of range")
	case c.Threads < 0:
		return errors.New("threads is out of range")
	}
	return nil
}

// errNoChoice is the error of paths from which nothing can be learnt.
var errNoChoice = errors.New("no path has a choice")

// Suggest returns settings for paths that have so many steps in all, each by its path's weight, and starts places in the
// second layer. The fewer steps, the smaller the network, the more passes and the more dropout: rules that the real paths
// of docs/paths.md gave.
func Suggest(steps float64, starts int) []Setting {
	size := math.Log10(max(1, steps))
	s := Setting{Shape: Shape{Hidden: 96, Embed: 64, Start: starts > 1}, LR: 3e-3, WeightDecay: 0.01, Average: 0.02, Patience: 0.3}
	s.Dropout = min(0.5, max(0.1, 0.5-0.27*(size-math.Log10(4e4))))
	s.Epochs = math.Round(min(80, max(3, 80*math.Pow(10, 0.45*(4-size)))))
	switch s.Batch = 32; {
	case steps > 5e5:
		s.Hidden, s.Batch = 192, 256
	case steps > 1e5:
		s.Hidden, s.Batch = 192, 64
	}
	return []Setting{s}
}
