package gru

import (
	"errors"
	"fmt"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Config says how a network is trained.
type Config struct {
	Shape
	Dropout     float64 // of the embeddings and of what the output reads, in [0, 1), in 256ths
	LR          float64 // greatest learning rate of AdamW
	WeightDecay float64
	Batch       int     // paths per update
	Epochs      float64 // of the schedule: passes through the paths, each by its weight
	Average     float64 // horizon of the weights' moving average, as a share of the schedule
	Networks    int     // networks whose distributions of each step are averaged, each from a seed of its own

	Patience float64       // training ends after that share of the schedule without a better validation NLL
	Refit    bool          // train again on all paths, for as long as was best
	Budget   time.Duration // of all training; 0: none. A fit that it cuts short depends on the machine.
	Threads  int           // 0: all processors; no bit depends on it
	Progress func(Progress)
}

// Progress is what Config.Progress gets at each evaluation.
type Progress struct {
	Trial, Trials  int // the configuration, from 1, of how many; the refit has Trial 0
	Network        int // from 1
	Epoch, Epochs  float64
	PathsPerSecond float64
	NLL            float64       // of the validation paths, nats per path; NaN in a refit
	Left           time.Duration // at most, of this training
}

// Sample is paths with their weights, such as counts; a nil slice of weights gives each path the weight 1.
type Sample struct {
	Paths   []ddps.Path
	Weights []float64
}

// check returns an error that names the setting out of range.
func (c *Config) check() error {
	for _, f := range []struct {
		name string
		ok   bool
	}{{"hidden", c.Hidden > 0 && c.Hidden%32 == 0}, {"embed", c.Embed > 0 && c.Embed%32 == 0},
		{"dropout", c.Dropout >= 0 && c.Dropout < 0.99}, {"learning rate", c.LR > 0 && c.LR < 1},
		{"weight decay", c.WeightDecay >= 0 && c.WeightDecay < 100}, {"batch", c.Batch > 0},
		{"epochs", c.Epochs > 0 && c.Epochs < 1e6}, {"average", c.Average > 0 && c.Average < 1},
		{"networks", c.Networks > 0 && c.Networks <= 64}, {"patience", c.Patience > 0}, {"budget", c.Budget >= 0},
		{"threads", c.Threads >= 0}} {
		if !f.ok {
			return fmt.Errorf("%s is out of range", f.name)
		}
	}
	return nil
}

var errNoPaths = errors.New("no path of the training set has a choice")
