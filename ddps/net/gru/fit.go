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
	Schedule float64   // what the schedules' lengths were multiplied by to keep the budget; 1: nothing
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
	f := &fitting{ctx: ctx, y: newLayout(g), cfg: cfg, on: newMachine(&cfg), seed: seed, start: time.Now(),
		report: Report{Schedule: 1}}
	m, err := f.fit(train, validation)
	if err != nil {
		return nil, f.report, fmt.Errorf("gru: fit: %w", err)
	}
	m.threads = cfg.Threads
	f.report.Weights, f.report.Seconds = m.Weights(), time.Since(f.start).Seconds()
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
	done, all   int // trainings
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
	if f.cfg.Settings == nil {
		f.cfg.Settings = Suggest(f.training.steps(), f.y.g.Degree(0))
	}
	f.plan()
	s, raced, err := f.choose()
	if err != nil {
		return nil, err
	}
	var shares []float64
	var nets []*tables
	for i := 0; i < s.Networks && (i == 0 || !f.late()); i++ {
		r, err := f.train(s, i, f.training, f.v, 1, nil)
		if err != nil {
			return nil, err
		}
		if i == 0 && raced != nil && r.end == endBudget && raced.nll < r.nll { // the budget ended too early
			s, r = f.short(s), raced
			s.Networks = 1
		}
		shares, nets = append(shares, r.share), append(nets, r.net)
	}
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

// refit trains on all paths, for the shares of the schedule that were best or, where the setting says so, on from the
// trained networks. It returns nil where the budget ends before.
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
		if err != nil || r.end == endBudget {
			return nil, err
		}
		nets = append(nets, r.net)
	}
	f.report.Refitted = true
	return nets, nil
}

// train trains network i and, with validation walks v, adds it to the report.
func (f *fitting) train(s Setting, i int, d, v *data, share float64, from *tables) (*result, error) {
	began := time.Now()
	f.done++
	t := newTrainer(newNetwork(f.y, s.Shape), s, f.on, f.seed+uint64(i), d.rows(), from)
	r, err := t.run(f.ctx, d, v, share, f.deadline(), func(p Progress) {
		if p.Training, p.Trainings, p.Refit = f.done, f.all, v == nil; f.cfg.Progress != nil {
			f.cfg.Progress(p)
		}
	})
	if err == nil && v != nil {
		f.report.Tried = append(f.report.Tried,
			Trial{s, false, r.nll, r.share * s.Epochs, time.Since(began).Seconds(), r.end})
	}
	return r, err
}

// deadline returns when the budget ends; zero: never.
func (f *fitting) deadline() time.Time {
	if f.cfg.Budget == 0 {
		return time.Time{}
	}
	return f.start.Add(f.cfg.Budget)
}

// late reports whether the budget is spent.
func (f *fitting) late() bool { return f.cfg.Budget > 0 && time.Since(f.start) >= f.cfg.Budget }

// raceSteps is how many steps a race takes for each setting, within 0.15 to 0.5 of its schedule.
const raceSteps = 1e6

// plan counts the trainings and, where there is a budget, shortens the schedules so that they keep it. Those of the
// setting that takes longest are what is planned for. It returns the seconds that all take; 0 where there is no budget.
func (f *fitting) plan() float64 {
	if f.cfg.Race == 0 {
		f.cfg.Race = min(0.5, max(0.15, raceSteps/(f.training.steps()*f.cfg.Settings[0].Epochs)))
	}
	need, race, most := 0.0, 0.0, 0 // seconds
	for _, s := range f.cfg.Settings {
		most = max(most, s.Networks)
		if f.cfg.Budget == 0 {
			continue
		}
		t := newTrainer(newNetwork(f.y, s.Shape), s, f.on, f.seed, f.training.rows(), nil)
		seconds := t.seconds(f.training) * float64(t.total)
		need, race = max(need, seconds*float64(s.Networks)*f.passes(s)), race+seconds*f.cfg.Race
	}
	f.all = most
	if f.cfg.Refit {
		f.all += most
	}
	if len(f.cfg.Settings) > 1 {
		f.all, need = f.all+len(f.cfg.Settings), need+race
	}
	left := (f.cfg.Budget - time.Since(f.start)).Seconds()
	if f.cfg.Budget == 0 || 0.85*left >= need {
		return need
	}
	f.report.Schedule = max(1e-6, 0.85*left/need)
	settings := append([]Setting(nil), f.cfg.Settings...)
	for i := range settings {
		settings[i].Epochs *= f.report.Schedule
	}
	f.cfg.Settings = settings
	return need
}

// passes returns how many trainings as long as one on the training paths a network takes, its refit included.
func (f *fitting) passes(s Setting) float64 {
	switch again := (f.training.sum + f.v.sum) / f.training.sum; {
	case !f.cfg.Refit:
		return 1
	case s.Continue > 0:
		return 1 + s.Continue*again
	default:
		return 1 + again
	}
}

// seconds returns how long an update takes, evaluations included, from a few of them.
func (t *trainer) seconds(d *data) float64 {
	start, n := time.Now(), 0
	for n < 3 || n < 30 && time.Since(start) < 300*time.Millisecond {
		if t.update(d) != nil {
			break // the training itself reports it
		}
		n++
	}
	return 1.15 * time.Since(start).Seconds() / math.Max(1, float64(n))
}
