package train

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps/net"
)

// Config sets a training run. Two runs of the same configuration, model and data give the same bytes.
type Config struct {
	Steps int `toml:"steps"` // at least 1
	Batch int `toml:"batch"` // examples a step, at least 1
	// parts that a step's batch is worked on in, to take the memory of one; 0 or 1: the whole
	Accumulate int    `toml:"accumulate"`
	Seed       uint64 `toml:"seed"` // of all that training draws
	// steps between evaluations of the loss on validation paths; 0: only at the end
	EvalEvery int `toml:"eval_every"`
	EvalSize  int `toml:"eval_size"` // examples of one, the same ones every time, at least 1
	// steps between evaluations of the bound on validation paths; 0: only at the end
	BoundEvery int `toml:"bound_every"`
	BoundPaths int `toml:"bound_paths"` // of a network, drawn by weight, the same ones every time; 0: no bound

	// Patience ends the run after so many evaluations in a row without a new best: of the bound where BoundEvery is
	// above 0, else of the loss. 0: never.
	Patience   int             `toml:"patience"`
	Checkpoint int             `toml:"checkpoint"` // steps between checkpoints; 0: only at the end and when stopped
	Optim      net.OptimConfig `toml:"optim"`
}

// DefaultConfig returns settings for the MLP on Toy.
func DefaultConfig() Config {
	return Config{Steps: 2000, Batch: 256, Accumulate: 1, EvalEvery: 100, EvalSize: 2048, BoundPaths: 256, Checkpoint: 200,
		Optim: net.DefaultOptim()}
}

// maxBatch bounds the examples of a batch: a slip of the finger must not take all memory.
const maxBatch = 1 << 20

// check returns an error that names the setting out of range.
func (c Config) check() error {
	switch {
	case c.Steps < 1:
		return fmt.Errorf("train: steps is %d, must be at least 1", c.Steps)
	case c.Batch < 1:
		return fmt.Errorf("train: batch is %d, must be at least 1", c.Batch)
	case c.Accumulate < 0 || c.Accumulate > c.Batch:
		return fmt.Errorf("train: accumulate is %d, must be in 0…%d, the batch", c.Accumulate, c.Batch)
	case c.EvalEvery < 0 || c.BoundEvery < 0 || c.Checkpoint < 0 || c.Patience < 0:
		return errors.New("train: eval_every, bound_every, checkpoint and patience must be at least 0")
	case c.EvalSize < 1:
		return fmt.Errorf("train: eval_size is %d, must be at least 1", c.EvalSize)
	case c.Batch > maxBatch || c.EvalSize > maxBatch || c.BoundPaths > maxBatch:
		return fmt.Errorf("train: batch, eval_size and bound_paths are %d, %d and %d, must be at most %d", c.Batch,
			c.EvalSize, c.BoundPaths, maxBatch)
	case c.BoundPaths < 0 || c.BoundPaths == 0 && c.BoundEvery > 0:
		return fmt.Errorf("train: bound_paths is %d, must be at least 1 with a bound every %d steps, else 0", c.BoundPaths,
			c.BoundEvery)
	}
	if err := c.Optim.Check(); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	return nil
}

// byBound reports whether the bound, not the loss, says which weights are best.
func (c Config) byBound() bool { return c.BoundEvery > 0 }
