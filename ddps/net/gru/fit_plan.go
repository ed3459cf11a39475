package gru

import (
	"math"
	"time"
)

// raceSteps is how many steps a race takes for each setting, within 0.08 to 0.5 of its schedule.
const raceSteps = 1e6

// What suggest takes a step to cost beside one with wideOutputs outputs or fewer: their number to the power wideCost,
// as steps from one place share theirs (wide.go). All networks together have schedules of mostSteps such steps.
const (
	wideOutputs = 80
	wideCost    = 0.8
	mostSteps   = 2.4e7
)

// suggest sets the settings where there are none. Without a budget there is no race, and the schedule is shortened, to
// an epoch at least, where the steps have so many outputs that training would take much longer than it does otherwise.
func (f *fitting) suggest() {
	if f.cfg.Settings != nil {
		return
	}
	steps := f.training.steps()
	f.cfg.Settings = Suggest(steps, f.y.g.Degree(0))
	cost := math.Pow(max(1, f.training.outputs(f.y.g)/wideOutputs), wideCost)
	if f.cfg.Budget > 0 || cost == 1 {
		return
	}
	s := &f.cfg.Settings[0]
	if most := max(1, mostSteps/(steps*float64(s.Networks)*cost)); most < s.Epochs {
		f.report.Brief, s.Epochs = most/s.Epochs, most
		f.cfg.Settings = f.cfg.Settings[:1]
	}
}

// plan counts the trainings and what is to be done.
func (f *fitting) plan() {
	if f.cfg.Race == 0 {
		f.cfg.Race = min(0.5, max(0.08, raceSteps/(f.training.steps()*f.cfg.Settings[0].Epochs)))
	}
	most := 0
	for _, s := range f.cfg.Settings {
		most = max(most, s.Networks)
		f.rest = max(f.rest, float64(s.Networks)*f.passes(s))
	}
	f.all = most
	if f.cfg.Refit {
		f.all += most
	}
	if n := len(f.cfg.Settings); n > 1 {
		f.all, f.rest = f.all+n, f.rest+float64(n)*f.cfg.Race
	}
}

// passes returns how many trainings as long as one on the training paths a network takes, its refit included.
func (f *fitting) passes(s Setting) float64 {
	if !f.cfg.Refit && !f.cfg.Reserve {
		return 1
	}
	return 1 + f.again(s)
}

// again returns how long a refit takes beside a training.
func (f *fitting) again(s Setting) float64 {
	if s.Continue > 0 {
		return s.Continue * (f.training.sum + f.v.sum) / f.training.sum
	}
	return (f.training.sum + f.v.sum) / f.training.sum
}

// seconds returns how long all trainings of the setting that takes longest take without a budget, from a few updates
// of each, evaluations included.
func (f *fitting) seconds() (most float64) {
	f.plan()
	for _, s := range f.cfg.Settings {
		t := newTrainer(newNetwork(f.y, s.Shape), s, f.on, f.seed, f.training.rows(), nil)
		start, n := f.on.now(), 0
		for n < 3 || n < 30 && f.on.now().Sub(start) < 300*time.Millisecond {
			if t.update(f.training, 0) != nil {
				break // the training itself reports it
			}
			n++
		}
		each := 1.15 * f.on.now().Sub(start).Seconds() / math.Max(1, float64(n))
		most = max(most, each*float64(t.total)*f.rest)
	}
	return most
}
