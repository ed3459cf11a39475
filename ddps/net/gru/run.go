package gru

import (
	"context"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// result is a trained network.
type result struct {
	net   *tables
	nll   float64
	share float64 // of the schedule at which it was best
	end   string
	// updates over those of the whole schedule, by the share of the schedule that they were: below 1 where the clock
	// shortened it
	length float64
}

// What ends a training.
const endSchedule, endPatience, endBudget = "the schedule", "patience", "the budget"

// run trains on d and keeps the averaged weights that are best on v, or, without v, those at the share given of the
// schedule. A slot above 0 is the time in which the schedule ends, whatever is left of it.
func (t *trainer) run(ctx context.Context, d, v *data, share float64, slot time.Duration,
	tell func(Progress)) (*result, error) {
	best := &result{nll: math.Inf(1), end: endSchedule, length: 1}
	mean := *t.n
	mean.params = withData(t.n.params, t.opt.Mean)
	averaged := newTables(&mean)
	end, start, told := 1.0, t.now(), 0
	if v == nil {
		end = share
	}
	for now := 0.0; now < end; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.update(d, now); err != nil {
			return nil, err
		}
		spent := t.now().Sub(start)
		steps := float64(t.updates) / float64(t.total)
		if now = min(end, steps); slot > 0 {
			now = min(end, max(now, end*float64(spent)/float64(slot)))
		}
		if n := int(evaluations * now); n == told && now < end {
			continue
		} else {
			told = n
		}
		best.length = steps / now
		nll := math.NaN()
		if v != nil {
			averaged.set()
			nll = newGRU(t.n.layout, t.cfg.Shape, []*tables{averaged}).mean(v, t.threads)
			if nll < best.nll {
				best.keep(averaged, nll, now)
			}
		}
		tell(Progress{Epoch: steps * t.cfg.Epochs, Epochs: steps / now * end * t.cfg.Epochs, NLL: nll,
			PathsPerSecond: float64(t.updates*t.cfg.Batch) / max(1e-9, spent.Seconds()),
			Left:           time.Duration(float64(spent) * (end - now) / now)})
		if v != nil && now-best.share > t.cfg.Patience {
			best.end = endPatience
			break
		}
		if now == end && steps < end {
			best.end = endBudget
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
