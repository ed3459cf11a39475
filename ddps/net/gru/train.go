package gru

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// trainer trains one network.
type trainer struct {
	n       *network
	cfg     Setting
	threads int
	device  *device // nil: native
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

// Streams of random numbers of a seed: the order of epochs, and what dropout leaves out.
const orderStream, dropoutStream = 0x5eed, 0xd0

// newTrainer makes a trainer of n, whose weights it draws; an epoch has so many rows.
func newTrainer(n *network, cfg Setting, all *Config, seed uint64, rows float64) *trainer {
	t := &trainer{n: n, cfg: cfg, threads: all.Threads, seed: seed, back: newTransposed(n)}
	if all.Backend != "" {
		t.device = &device{spec: all.Backend}
	}
	t.total = max(1, int(cfg.Epochs*rows/float64(cfg.Batch)+0.5))
	n.draw(ddps.Rand(seed, 0))
	t.opt = engine.NewOptimizer(engine.OptimConfig{LR: cfg.LR, Warmup: t.total / 20, WeightDecay: cfg.WeightDecay, Beta1: 0.9,
		Beta2: 0.99, Eps: 1e-8, Clip: 1, EMA: max(0.5, 1-1/(cfg.Average*float64(t.total)+1))}, n.params)
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

// update takes one step on the next batch.
func (t *trainer) update(d *data) error {
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
	if _, err := t.opt.Update(t.n.params, grads, t.updates, t.opt.Rate(t.updates, t.total)); err != nil {
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
	each(len(blocks), t.threads, func(next func() (int, bool)) {
		var b *block
		for i, ok := next(); ok; i, ok = next() {
			if b == nil || t.device != nil {
				b = t.block()
			}
			blocks[i] = b
			part := list[i*vec.Lanes : min((i+1)*vec.Lanes, n)]
			stream := ddps.Rand(t.seed^dropoutStream, uint64(t.updates)<<16|uint64(i))
			if t.device != nil {
				b.draw(part, stream)
				continue
			}
			for _, g := range t.slots[i] {
				clear(g)
			}
			b.lossGrad(part, weights, stream, t.slots[i])
		}
		if t.device == nil && b != nil {
			t.blocks <- b
		}
	})
	grads = t.slots[0]
	if t.device != nil {
		_, err = t.device.lossGrad(t.n, list, weights, blocks, grads)
		for _, b := range blocks {
			t.blocks <- b
		}
		return grads, err
	}
	for _, part := range t.slots[1:len(blocks)] {
		for i, g := range part {
			vec.Add(grads[i], g)
		}
	}
	return grads, nil
}

// result is a trained network.
type result struct {
	net   *tables
	nll   float64
	share float64 // of the schedule at which it was best
	end   string
}

// What ends a training.
const endSchedule, endPatience, endBudget = "the schedule", "patience", "the budget"

// run trains on d and keeps the averaged weights that are best on v, or, without v, those at the share given of the
// schedule.
func (t *trainer) run(ctx context.Context, d, v *data, share float64, deadline time.Time, tell func(Progress)) (*result, error) {
	best := &result{nll: math.Inf(1), end: endSchedule}
	averaged := newTables(&network{layout: t.n.layout, hidden: t.n.hidden, embed: t.n.embed, start: t.n.start,
		params: withData(t.n.params, t.opt.Mean)})
	every := max(1, t.total/evaluations)
	end, start := t.total, time.Now()
	if v == nil {
		end = max(1, int(share*float64(t.total)+0.5))
	}
	for t.updates < end {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.update(d); err != nil {
			return nil, err
		}
		late := !deadline.IsZero() && time.Now().After(deadline)
		if t.updates%every != 0 && t.updates < end && !late {
			continue
		}
		now := float64(t.updates) / float64(t.total)
		nll := math.NaN()
		if v != nil {
			averaged.set()
			nll = newGRU(t.n.layout, t.cfg.Shape, []*tables{averaged}).mean(v, t.threads)
			if nll < best.nll {
				best.keep(averaged, nll, now)
			}
		}
		spent := time.Since(start)
		tell(Progress{Epoch: now * t.cfg.Epochs, Epochs: t.cfg.Epochs, NLL: nll,
			PathsPerSecond: float64(t.updates*t.cfg.Batch) / spent.Seconds(),
			Left:           time.Duration(float64(spent) * float64(end-t.updates) / float64(t.updates))})
		if late {
			best.end = endBudget
			break
		}
		if v != nil && now-best.share > t.cfg.Patience {
			best.end = endPatience
			break
		}
	}
	if v == nil {
		averaged.set()
		best.keep(averaged, math.NaN(), share)
	}
	return best, nil
}

// evaluations is how often a schedule evaluates.
const evaluations = 40

// keep keeps a copy of the weights.
func (r *result) keep(t *tables, nll, share float64) {
	if r.net == nil {
		n := *t.network
		n.params = withData(n.params, nil)
		r.net = newTables(&n)
	}
	for i := range t.params {
		copy(r.net.data(i), t.data(i))
	}
	copy(r.net.in, t.in)
	r.nll, r.share = nll, share
}

// withData returns parameters of the same shapes with the data given, nil for new.
func withData(p engine.Params, data [][]float32) (q engine.Params) {
	for i, x := range p {
		if x.Data = make([]float32, len(x.Data)); data != nil {
			x.Data = data[i]
		}
		q = append(q, x)
	}
	return q
}

// mean returns the mean NLL of d.
func (m *GRU) mean(d *data, threads int) (sum float64) {
	m.threads = threads
	out := make([]float64, len(d.walks))
	m.logProb(d.walks, out)
	for i, x := range out {
		sum -= d.weight[i] * x
	}
	return sum / d.sum
}
