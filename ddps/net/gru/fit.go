package gru

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Trial is a training that Fit made to choose a setting, or of a further network with the one that was chosen.
type Trial struct {
	Setting
	NLL     float64 // of the validation paths, nats per path
	Best    float64 // epochs until then
	Seconds float64
	End     string // what ended it: the schedule, patience or the budget
}

// Report says what Fit did.
type Report struct {
	Tried    []Trial
	Chosen   int     // in Tried
	NLL      float64 // of the validation paths, of all networks together, before the refit
	Schedule float64 // what the schedules' lengths were multiplied by to keep the budget; 1: nothing
	Refitted bool    // false too where the budget ended before
	Weights  int
	Seconds  float64
}

// Fit trains networks on the paths of train and keeps the weights that are best on those of validation, which never
// train before the refit. Equal paths count as one with the sum of their weights. The same arguments give the same bits
// for any number of threads, unless a budget cuts the fit short or it runs on a backend.
//
// The error names the set and the path, from 1, or the setting that is wrong; it is ctx's, wrapped, where that ended.
func Fit(ctx context.Context, g *ddps.LayeredGraph, train, validation Sample, cfg Config, seed uint64) (*GRU, Report, error) {
	f := &fitting{ctx: ctx, y: newLayout(g), cfg: cfg, seed: seed, start: time.Now(), report: Report{Schedule: 1}}
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
	f.cfg.Networks = max(1, f.cfg.Networks)
	f.plan()
	best, err := f.choose()
	if err != nil {
		return nil, err
	}
	s, shares, nets := f.report.Tried[f.report.Chosen].Setting, []float64{best.share}, []*tables{best.net}
	for i := 1; i < f.cfg.Networks && !f.late(); i++ {
		r, err := f.train(s, i, f.training, f.v, 1)
		if err != nil {
			return nil, err
		}
		shares, nets = append(shares, r.share), append(nets, r.net)
	}
	m = newGRU(f.y, s.Shape, nets)
	f.report.NLL = m.mean(f.v, f.cfg.Threads)
	if !f.cfg.Refit {
		return m, nil
	}
	again, err := f.refit(s, shares)
	if err != nil || again == nil {
		return m, err
	}
	return newGRU(f.y, s.Shape, again), nil
}

// choose tries the settings and returns the best network.
func (f *fitting) choose() (best *result, err error) {
	for i, s := range f.cfg.Settings {
		if i > 0 && f.late() {
			break
		}
		r, err := f.train(s, 0, f.training, f.v, 1)
		if err != nil {
			return nil, err
		}
		if best == nil || r.nll < best.nll {
			best, f.report.Chosen = r, i
		}
	}
	return best, nil
}

// refit trains on all paths for the shares of the schedule that were best. It returns nil where the budget ends before.
func (f *fitting) refit(s Setting, shares []float64) (nets []*tables, err error) {
	all := f.training.and(f.v)
	for i, share := range shares {
		r, err := f.train(s, i, all, nil, share)
		if err != nil || r.end == endBudget {
			return nil, err
		}
		nets = append(nets, r.net)
	}
	f.report.Refitted = true
	return nets, nil
}

// train trains network i and, with validation walks v, adds it to the report.
func (f *fitting) train(s Setting, i int, d, v *data, share float64) (*result, error) {
	began := time.Now()
	f.done++
	t := newTrainer(newNetwork(f.y, s.Shape), s, &f.cfg, f.seed+uint64(i), d.rows())
	r, err := t.run(f.ctx, d, v, share, f.deadline(), func(p Progress) {
		if p.Training, p.Trainings, p.Refit = f.done, f.all, v == nil; f.cfg.Progress != nil {
			f.cfg.Progress(p)
		}
	})
	if err == nil && v != nil {
		f.report.Tried = append(f.report.Tried, Trial{s, r.nll, r.share * s.Epochs, time.Since(began).Seconds(), r.end})
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

// plan counts the trainings and, where there is a budget, shortens the schedules so that they keep it.
func (f *fitting) plan() {
	more, passes := f.cfg.Networks-1, 1.0
	f.all = len(f.cfg.Settings) + more
	if f.cfg.Refit {
		f.all += f.cfg.Networks
		passes = 1 + (f.training.sum+f.v.sum)/f.training.sum
	}
	if f.cfg.Budget == 0 {
		return
	}
	need := 0.0 // seconds
	for i, s := range f.cfg.Settings {
		t := newTrainer(newNetwork(f.y, s.Shape), s, &f.cfg, f.seed, f.training.rows())
		seconds := t.seconds(f.training) * float64(t.total)
		need += seconds
		if i == 0 { // the one that may be trained again
			need += seconds * (float64(f.cfg.Networks)*passes - 1)
		}
	}
	left := (f.cfg.Budget - time.Since(f.start)).Seconds()
	if f.report.Schedule = min(1, max(1e-6, 0.85*left/need)); f.report.Schedule == 1 {
		return
	}
	settings := append([]Setting(nil), f.cfg.Settings...)
	for i := range settings {
		settings[i].Epochs *= f.report.Schedule
	}
	f.cfg.Settings = settings
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
