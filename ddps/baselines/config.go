package baselines

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Param is one named trainable array, row-major float32, living on the host: Name string, Shape []int, Data []float32.
type Param = engine.Param

// OptimConfig sets AdamW, with linear warm-up, clipping of the gradient's global norm, and a moving average (EMA) of
// the weights for sampling. Its fields are LR, WeightDecay, Beta1, Beta2, Eps, Clip, EMA float64 and Warmup int.
// Without WeightDecay it is Adam; with EMA 0 the average is the last weights.
type OptimConfig = engine.OptimConfig

// TrainConfig sets a training run. Two runs of the same configuration, network and data give the same bytes.
type TrainConfig struct {
	Steps   int     `toml:"steps"`    // at least 1
	Batch   int     `toml:"batch"`    // examples a step, at least 1
	Seed    uint64  `toml:"seed"`     // of all that training draws
	LRDecay float64 `toml:"lr_decay"` // the learning rate's factor from epoch to epoch, in (0, 1]; 1: it stays
	// steps between evaluations of the loss on validation data; 0: only at the end
	EvalEvery  int         `toml:"eval_every"`
	Checkpoint int         `toml:"checkpoint"` // steps between checkpoints; 0: only at the end and when stopped
	Optim      OptimConfig `toml:"optim"`
}

// maxBatch bounds the examples of a batch: a slip of the finger must not take all memory.
const maxBatch = 1 << 16

// Check returns an error that names the setting out of range.
func (c TrainConfig) Check() error {
	switch {
	case c.Steps < 1:
		return fmt.Errorf("steps is %d, must be at least 1", c.Steps)
	case c.Batch < 1 || c.Batch > maxBatch:
		return fmt.Errorf("batch is %d, must be in 1…%d", c.Batch, maxBatch)
	case !(c.LRDecay > 0 && c.LRDecay <= 1):
		return fmt.Errorf("lr_decay is %g, must be above 0 and at most 1", c.LRDecay)
	case c.EvalEvery < 0 || c.Checkpoint < 0:
		return errors.New("eval_every and checkpoint must be at least 0")
	}
	return c.Optim.Check()
}

// WithSteps returns c with another number of steps, at least 1, over which the learning rate falls as far.
func (c TrainConfig) WithSteps(steps int) TrainConfig {
	c.LRDecay = math.Pow(c.LRDecay, float64(c.Steps)/float64(steps))
	c.Steps = steps
	return c
}

// rate returns the learning rate of step k, from 0, where an epoch has so many steps.
func (c TrainConfig) rate(k, epoch int) float64 {
	lr := c.Optim.LR * math.Pow(c.LRDecay, float64(k/epoch))
	if k < c.Optim.Warmup {
		lr *= float64(k+1) / float64(c.Optim.Warmup)
	}
	return lr
}

// Order deals out n examples in epochs: each in a random order of its own, by seed and epoch alone. Not safe for
// concurrent use.
type Order struct {
	n     int
	seed  uint64
	epoch int // that perm is of; −1: none
	perm  []int
}

// NewOrder makes the order of n examples, at least 1.
func NewOrder(n int, seed uint64) *Order { return &Order{n: n, seed: seed, epoch: -1} }

// At returns the example, in 0…n−1, that is at place k = 0, 1, … of all epochs one after another.
func (o *Order) At(k int) int {
	if e := k / o.n; e != o.epoch {
		o.epoch, o.perm = e, ddps.Rand(o.seed, uint64(e)).Perm(o.n)
	}
	return o.perm[k%o.n]
}

// StepsPerEpoch returns how many steps of so many examples it takes to see n of them, rounded up.
func StepsPerEpoch(n, batch int) int { return (n + batch - 1) / batch }
