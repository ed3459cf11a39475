package gru

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Trial is a training that Fit made, refits apart.
type Trial struct {
	Setting
	Race    bool    // to choose a setting, with a shortened schedule
	NLL     float64 // of the validation paths, nats per path
	Best    float64 // epochs until then
	Seconds float64
	End     string // what ended it: the schedule, patience or the budget
}

// Report says what Fit did.
type Report struct {
	Tried    []Trial
	Chosen   Setting
	Shares   []float64 // of Chosen's schedule, of each network: where it was best
	NLL      float64   // of the validation paths, of all networks together, before the refit
	Schedule float64   // what the clock has multiplied the schedules' lengths by to keep the budget; 1: nothing
	Brief    float64   // the schedules' lengths beside Suggest's, where steps have many outputs and no budget; else 1
	Refitted bool      // false too where the budget ended before
	Weights  int
	Seconds  float64
}

// Fit trains networks on the paths of train and keeps the weights that are best on those of validation, which never
// train before the refit. Equal paths count as one with the sum of their weights. The same arguments give the same bits
// for any number of threads, unless a budget cuts the fit short or it runs on a backend.
//
// The error names the set and the path, from 1, or the setting that is wrong; it is ctx's, wrapped, where that ended.
func Fit(ctx context.Context, g *ddps.LayeredGraph, train, validation Sample, cfg Config,
	seed uint64) (*GRU, Report, error) {
	f := &fitting{ctx: ctx, y: newLayout(g), cfg: cfg, on: newMachine(&cfg), seed: seed}
	f.report.Schedule, f.report.Brief = 1, 1
	f.start = f.on.now()
	m, err := f.fit(train, validation)
	if err != nil {
		return nil, f.report, fmt.Errorf("gru: fit: %w", err)
	}
	m.threads = cfg.Threads
	f.report.Weights, f.report.Seconds = m.Weights(), f.on.now().Sub(f.start).Seconds()
	return m, f.report, nil
}

// fitting is the state of a Fit.
type fitting struct {
	ctx         context.Context
	y           *layout
	cfg         Config
	seed        uint64
	on          machine
	start       time.Time
	training, v *data
	done, all   int     // trainings
	rest        float64 // of them, in trainings on the training paths as long as the schedule
	racing      bool
	blind       bool // networks after the first are trained as long as that, without validation
	cut         bool // the clock has shortened a schedule
	report      Report
}

func (f *fitting) fit(train, validation Sample) (m *GRU, err error) {
	if err = f.cfg.check(); err != nil {
		return nil, err
	}
	if f.training, err = f.y.data("training", train); err != nil {
		return nil, err
	}
	if f.v, err = f.y.data("validation", validation); err != nil {
		return nil, err
	}
	if f.training.steps() == 0 {
		return nil, errNoChoice
	}
	f.suggest()
	f.plan()
	s, raced, err := f.choose()
	if err != nil {
		return nil, err
	}
	var shares []float64
	var nets []*tables
	length := 0.0
	for i := 0; i < s.Networks && (i == 0 || !f.late()) || f.room(i, s); i++ {
		v, share := f.v, 1.0
		if i > 0 && f.blind { // as long as the first: what they have is not evaluated
			v, share = nil, shares[0]
		}
		r, err := f.train(s, i, f.training, v, share, nil)
		if err == nil && i == 0 {
			s, r, err = f.shorter(s, r)
		}
		if err != nil {
			return nil, err
		}
		if i == 0 && raced != nil && r.end == endBudget && raced.nll < r.nll { // the budget ended too early
			s, r = f.short(s), raced
			s.Networks = 1
		}
		shares, nets, length = append(shares, r.share), append(nets, r.net), length+r.length
	}
	f.report.Schedule = length / float64(len(nets))
	s.Epochs *= f.report.Schedule // of a refit
	f.report.Chosen, f.report.Shares = s, shares
	m = newGRU(f.y, s.Shape, nets)
	f.report.NLL = m.mean(f.v, f.cfg.Threads)
	if !f.cfg.Refit {
		return m, nil
	}
	again, err := f.refit(s, shares, nets)
	if err != nil || again == nil {
		return m, err
	}
	return newGRU(f.y, s.Shape, again), nil
}

// short returns a setting with the schedule of a race.
func (f *fitting) short(s Setting) Setting {
	s.Epochs *= f.cfg.Race
	return s
}

// choose returns the setting that is best on the validation paths after a shortened schedule, and what that gave; nil
// where there is one setting.
func (f *fitting) choose() (best Setting, raced *result, err error) {
	least := math.Inf(1)
	if len(f.cfg.Settings) == 1 {
		return f.cfg.Settings[0], nil, nil
	}
	f.racing = true
	defer func() { f.racing = false }()
	for i, s := range f.cfg.Settings {
		if i > 0 && f.late() {
			break
		}
		r, err := f.train(f.short(s), 0, f.training, f.v, 1, nil)
		if err != nil {
			return best, nil, err
		}
		if f.report.Tried[len(f.report.Tried)-1].Race = true; r.nll < least {
			best, raced, least = s, r, r.nll
		}
	}
	return best, raced, nil
}

// continueRate is the learning rate of a refit that goes on from the trained weights, as a share of the first.
const continueRate = 1. / 3

// leastLength is how short the clock may make a refit that begins anew; a shorter one is worth less than what was
// trained before.
const leastLength = 0.5

// refit trains on all paths, for the shares of the schedule that were best or, where the setting says so, on from the
// trained networks. It returns nil where the budget is too short.
func (f *fitting) refit(s Setting, shares []float64, trained []*tables) (nets []*tables, err error) {
	all := f.training.and(f.v)
	for i, share := range shares {
		var from *tables
		own := s
		if s.Continue > 0 && i < len(trained) {
			from, share = trained[i], 1
			own.Epochs, own.LR = s.Epochs*s.Continue, s.LR*continueRate
		}
		r, err := f.train(own, i, all, nil, share, from)
		if err != nil || from == nil && r.length < leastLength {
			return nil, err
		}
		nets = append(nets, r.net)
	}
	f.report.Refitted = true
	return nets, nil
}

// train trains network i and, with validation walks v, adds it to the report.
func (f *fitting) train(s Setting, i int, d, v *data, share float64, from *tables) (*result, error) {
	began := f.on.now()
	f.done++
	t := newTrainer(newNetwork(f.y, s.Shape), s, f.on, f.seed+uint64(i), d.rows(), from)
	r, err := t.run(f.ctx, d, v, share, f.slot(s, v), func(p Progress) {
		if p.Training, p.Trainings, p.Refit = f.done, f.all, v == nil; f.cfg.Progress != nil {
			f.cfg.Progress(p)
		}
	})
	f.cut = f.cut || err == nil && r.length < 0.99
	if err == nil && v != nil {
		f.report.Tried = append(f.report.Tried,
			Trial{s, false, r.nll, r.share * s.Epochs, f.on.now().Sub(began).Seconds(), r.end})
	}
	return r, err
}

// slot returns the time that a training may take: its part of what is left of the budget; 0: there is none.
func (f *fitting) slot(s Setting, v *data) time.Duration {
	if f.cfg.Budget == 0 {
		return 0
	}
	own := 1.0
	switch {
	case v == nil:
		own = f.again(s)
	case f.racing:
		own = f.cfg.Race
	}
	left := max(1, f.cfg.Budget-f.on.now().Sub(f.start))
	share := min(1, own/max(own, f.rest))
	f.rest -= own
	return max(1, time.Duration(share*float64(left)))
}

// late reports whether the budget is spent.
func (f *fitting) late() bool { return f.cfg.Budget > 0 && f.on.now().Sub(f.start) >= f.cfg.Budget }
