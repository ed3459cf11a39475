package gru

import (
	"errors"
	"fmt"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Shape is the size of a network.
type Shape struct {
	Hidden int  // units of the state H, a multiple of 32
	Embed  int  // size of the embeddings E, a multiple of 32
	Start  bool // whether each step reads the place in which the path starts, that of the second layer
	// Relations adds to an edge's logit outputs for how its place relates to the walk: visited before, the place at hand,
	// the start, one step back along the way; and one for a walk that ends where it started.
	Relations bool
}

// Setting says how a network is trained.
type Setting struct {
	Shape
	Dropout     float64 // share of what the output reads that is left out, in [0, 0.99), in 256ths
	InputDrop   float64 // the same of the embeddings
	LR          float64 // greatest learning rate of AdamW: warm-up over a twentieth of the updates, then a cosine
	WeightDecay float64 // decoupled; biases are exempt
	Batch       int     // paths per update, of mixed lengths
	Epochs      float64 // of the schedule: passes through the paths, each by its weight
	Average     float64 // horizon of the weights' moving average, as a share of the schedule, in (0, 1)
	Patience    float64 // training ends after that share of the schedule without a better validation NLL
	Networks    int     // networks whose distributions of each step are averaged, each from a seed of its own
	// Continue is the length of a refit's schedule, as a share of the first, that goes on from the trained weights, at a
	// third of the learning rate; 0: a refit begins anew, for as long as was best. Fit sets it to 0 where training was
	// best before the last fifth of its schedule: more of it would make the weights worse.
	Continue float64 `json:",omitzero"`
}

// Config says what Fit does.
type Config struct {
	Settings []Setting // of several the one is kept that is best in a race; nil: Suggest's
	Race     float64   // length of the race's schedules, as a share of their own, in (0, 1]; 0: by the steps
	Refit    bool      // train again on all paths, for as long as was best
	Reserve  bool      // leave of Budget what Refit will take
	// Budget of all training; 0: none. Where it is too short for the schedules they go by the clock, and end with it.
	Budget   time.Duration
	Now      func() time.Time // the clock of Budget; nil: time.Now
	Threads  int              // 0: all CPUs; no bit depends on it
	Backend  string           // GoMLX backend that computes losses and gradients; "": native
	Progress func(Progress)   // called at each evaluation; may be nil
}

// Progress is what Config.Progress gets.
type Progress struct {
	Training, Trainings int // which training, from 1, of how many: the race, networks, refits
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
	}{{"hidden", s.Hidden > 0 && s.Hidden%32 == 0 && s.Hidden <= 4096},
		{"embed", s.Embed > 0 && s.Embed%32 == 0 && s.Embed <= 4096},
		{"dropout", s.Dropout >= 0 && s.Dropout < 0.99}, {"input dropout", s.InputDrop >= 0 && s.InputDrop < 0.99},
		{"learning rate", s.LR > 0 && s.LR < 1},
		{"weight decay", s.WeightDecay >= 0 && s.WeightDecay < 100}, {"batch", s.Batch > 0 && s.Batch <= 1<<16},
		{"epochs", s.Epochs > 0 && s.Epochs < 1e6}, {"average", s.Average > 0 && s.Average < 1},
		{"patience", s.Patience > 0}, {"networks", s.Networks > 0 && s.Networks <= 64},
		{"continue", s.Continue >= 0 && s.Continue <= 1}} {
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
	case !(c.Race >= 0 && c.Race <= 1):
		return errors.New("race is out of range")
	case c.Budget < 0:
		return errors.New("budget is out of range")
	case c.Threads < 0:
		return errors.New("threads is out of range")
	}
	return nil
}

// errNoChoice is the error of paths from which nothing can be learned.
var errNoChoice = errors.New("no path has a choice")

// Suggest returns settings for paths that have so many steps in all, each by its path's weight, and starts places in
// the second layer. The fewer steps, the smaller the network, the more passes, dropout and networks: what four sets of
// real paths of 9,000 to 1.2 million steps gave. Where there are many a refit goes on from the trained weights. Of
// several starts, the setting that reads the start races with the one that does not.
func Suggest(steps float64, starts int) []Setting {
	s := Setting{Shape: Shape{Hidden: 96, Embed: 64, Relations: true}, Dropout: 0.5, LR: 3e-3, WeightDecay: 0.01,
		Batch: 32, Epochs: 80,
		Average: 0.02, Patience: 0.3, Networks: 4}
	switch {
	case steps > 5e5:
		s.Hidden, s.Dropout, s.Batch, s.Networks, s.Continue = 128, 0.1, 128, 1, 0.25
		s.Epochs, s.Patience = min(9, max(1, 2e7/steps)), 0.15
	case steps > 1e5:
		s.Hidden, s.Dropout, s.Batch, s.Epochs, s.Networks = 192, 0.35, 64, 20, 2
	case steps > 2e4:
		s.Hidden, s.Dropout, s.Batch, s.Epochs = 64, 0.4, 64, 60
	}
	if starts < 2 {
		return []Setting{s}
	}
	reads := s
	reads.Start = true
	return []Setting{s, reads}
}
