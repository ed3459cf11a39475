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
}

// What ends a training.
const endSchedule, endPatience, endBudget = "the schedule", "patience", "the budget"

// run trains on d and keeps the averaged weights that are best on v, or, without v, those at the share given of the
// schedule.
func (t *trainer) run(ctx context.Context, d, v *data, share float64, deadline time.Time,
	tell func(Progress)) (*result, error) {
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
