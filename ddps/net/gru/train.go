package gru

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// trainer trains one network.
type trainer struct {
	n   *network
	cfg Setting
	machine
	seed    uint64
	back    *transposed
	blocks  chan *block
	slots   [][][]float32 // the gradients of a batch's blocks
	opt     *engine.Optimizer
	rows    []int32 // of the epoch
	at      int     // in rows
	epoch   uint64
	updates int
	total   int // of the schedule
}

// machine is what trainings run on, which they share.
type machine struct {
	threads int     // 0: all
	device  *device // nil: native
	now     func() time.Time
}

func newMachine(cfg *Config) machine {
	m := machine{threads: cfg.Threads, now: cfg.Now}
	if m.now == nil {
		m.now = time.Now
	}
	if cfg.Backend != "" {
		m.device = &device{spec: cfg.Backend}
	}
	return m
}

// Streams of random numbers of a seed: the order of epochs, and what dropout leaves out.
const orderStream, dropoutStream = 0x5eed, 0xd0

// newTrainer makes a trainer of n, whose weights are those of from or, where that is nil, drawn; an epoch has so many
// rows.
func newTrainer(n *network, cfg Setting, on machine, seed uint64, rows float64, from *tables) *trainer {
	t := &trainer{n: n, cfg: cfg, machine: on, seed: seed, back: newTransposed(n)}
	t.total = max(1, int(cfg.Epochs*rows/float64(cfg.Batch)+0.5))
	if n.draw(ddps.Rand(seed, 0)); from != nil {
		for i, p := range n.params {
			copy(p.Data, from.data(i))
		}
	}
	t.opt = engine.NewOptimizer(engine.OptimConfig{LR: cfg.LR, Warmup: t.total / 20, WeightDecay: cfg.WeightDecay,
		Beta1: 0.9, Beta2: 0.99, Eps: 1e-8, Clip: 1, EMA: max(0.5, 1-1/(cfg.Average*float64(t.total)+1))}, n.params)
	t.slots = make([][][]float32, (cfg.Batch+vec.Lanes-1)/vec.Lanes)
	for i := range t.slots {
		for _, p := range n.params {
			t.slots[i] = append(t.slots[i], make([]float32, len(p.Data)))
		}
	}
	t.blocks = make(chan *block, len(t.slots)+1)
	return t
}

// block returns memory for a block of walks.
func (t *trainer) block() *block {
	select {
	case b := <-t.blocks:
		return b
	default:
		return newBlock(t.n, t.back, t.cfg.InputDrop, t.cfg.Dropout)
	}
}

// shuffle begins an epoch: each walk stands in rows ⌊w⌋ or ⌈w⌉ times for its weight w, which the scale makes one of
// count rows, and its expectation is w (systematic resampling).
func (t *trainer) shuffle(d *data, count float64) {
	t.epoch++
	rng := ddps.Rand(t.seed^orderStream, t.epoch)
	t.rows, t.at = t.rows[:0], 0
	scale, sum, taken := count/d.sum, rng.Float64(), 0
	if scale == 1 {
		sum = 0.5 // counts are copies
	}
	for i, w := range d.weight {
		for sum += scale * w; float64(taken+1) <= sum; taken++ {
			t.rows = append(t.rows, int32(i))
		}
	}
	rng.Shuffle(len(t.rows), func(i, j int) { t.rows[i], t.rows[j] = t.rows[j], t.rows[i] })
}

// update takes one step on the next batch, done of the schedule being over.
func (t *trainer) update(d *data, done float64) error {
	if len(t.rows)-t.at < min(t.cfg.Batch, len(t.rows)) || t.at == len(t.rows) {
		t.shuffle(d, d.rows())
	}
	n := min(t.cfg.Batch, len(t.rows)-t.at)
	batch := slices.Clone(t.rows[t.at : t.at+n])
	t.at += n
	slices.SortStableFunc(batch, func(i, j int32) int { return len(d.walks[i].vertices) - len(d.walks[j].vertices) })
	list := make([]walk, n)
	for i, r := range batch {
		list[i] = d.walks[r]
	}
	grads, err := t.gradient(list)
	if err != nil {
		return err
	}
	rate := t.opt.Rate(max(t.updates, int(done*float64(t.total))), t.total)
	if _, err := t.opt.Update(t.n.params, grads, t.updates, rate); err != nil {
		return fmt.Errorf("update %d: %w", t.updates+1, err)
	}
	t.updates++
	return nil
}

// gradient returns that of the mean NLL of the walks.
func (t *trainer) gradient(list []walk) (grads [][]float32, err error) {
	n, weights := len(list), make([]float32, len(list))
	for k := range weights {
		weights[k] = 1 / float32(n)
	}
	t.back.set(t.n)
	blocks := make([]*block, (n+vec.Lanes-1)/vec.Lanes)
	work := func(do func(i int, b *block, part []walk, stream *rand.Rand)) {
		each(len(blocks), t.threads, func(next func() (int, bool)) {
			for i, ok := next(); ok; i, ok = next() {
				if blocks[i] == nil {
					blocks[i] = t.block()
				}
				do(i, blocks[i], list[i*vec.Lanes:min((i+1)*vec.Lanes, n)],
					ddps.Rand(t.seed^dropoutStream, uint64(t.updates)<<16|uint64(i)))
			}
		})
	}
	switch {
	case t.device != nil:
		work(func(_ int, b *block, part []walk, stream *rand.Rand) { b.draw(part, stream) })
	case t.n.wide:
		work(func(i int, b *block, part []walk, stream *rand.Rand) {
			t.empty(i)
			b.through(part, weights, stream)
		})
		groups := sorted(blocks)
		work(func(i int, b *block, _ []walk, _ *rand.Rand) { b.choose(groups, i, len(blocks), t.slots[i]) })
		work(func(i int, b *block, part []walk, _ *rand.Rand) { b.goBack(part, t.slots[i]) })
	default:
		work(func(i int, b *block, part []walk, stream *rand.Rand) {
			t.empty(i)
			b.lossGrad(part, weights, stream, t.slots[i])
		})
	}
	grads = t.slots[0]
	if t.device != nil {
		_, err = t.device.lossGrad(t.n, list, weights, blocks, grads)
	}
	for _, b := range blocks {
		t.blocks <- b
	}
	if t.device == nil {
		t.sum(grads, t.slots[1:len(blocks)])
	}
	return grads, err
}

// empty clears a block's gradient.
func (t *trainer) empty(i int) {
	for _, g := range t.slots[i] {
		clear(g)
	}
}

// sum adds the parts to grads, in their order, whatever the number of threads.
func (t *trainer) sum(grads [][]float32, parts [][][]float32) {
	const size = 1 << 14 // numbers that a goroutine adds at a time
	type piece struct{ param, from int }
	var pieces []piece
	for i, g := range grads {
		for from := 0; from < len(g); from += size {
			pieces = append(pieces, piece{i, from})
		}
	}
	each(len(pieces), t.threads, func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			i, from := pieces[k].param, pieces[k].from
			to := min(from+size, len(grads[i]))
			for _, part := range parts {
				vec.Add(grads[i][from:to], part[i][from:to])
			}
		}
	})
}
