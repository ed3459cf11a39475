package gru

import "math"

// early is the share of a schedule before which the best weights are taken to say that it is too long: where they lie
// the learning rate was still high.
const early = 0.5

// lateBest is the share from which on more training after the best weights does no harm.
const lateBest = 0.8

// What a large set's network is trained with that overfits early: more dropout and weight decay, on a schedule so many
// times as long as the first training was when it was best.
const (
	strongDropout   = 0.5
	strongInputDrop = 0.3
	strongDecay     = 0.3
	strongEpochs    = 2
	strongNetworks  = 2
)

// shorter tries shorter schedules where the first was best early, and returns the best training, with its setting: of
// small sets one schedule that is no more than shorter, and one with more dropout, by the validation NLL. A large set,
// which has one network, gets several with much more dropout, unless the validation NLL is worse by more than its
// standard error: of two that are alike the one that fits the training paths less is kept.
func (f *fitting) shorter(s Setting, r *result) (Setting, *result, error) {
	if r.share < lateBest {
		s.Continue = 0
	}
	if r.share >= early || f.cut || f.late() {
		return s, r, nil
	}
	brief, drop := s, s
	brief.Epochs *= 1.5 * r.share
	drop.Epochs *= min(1, 3*r.share)
	drop.Dropout = max(s.Dropout, min(0.6, s.Dropout+0.2))
	tries := []Setting{brief, drop}
	if s.Networks == 1 {
		strong := s
		strong.Dropout, strong.InputDrop = max(s.Dropout, strongDropout), max(s.InputDrop, strongInputDrop)
		strong.WeightDecay, strong.Networks = max(s.WeightDecay, strongDecay), strongNetworks
		strong.Epochs *= min(1, strongEpochs*r.share)
		tries = []Setting{strong}
	}
	rest := f.rest
	f.all += len(tries)
	for _, own := range tries {
		f.rest = rest + 1 // of which it takes one
		next, err := f.train(own, 0, f.training, f.v, 1, nil)
		if err != nil {
			return s, r, err
		}
		margin := 0.0
		if own.Networks > s.Networks {
			margin = f.error(own.Shape, next, r)
		}
		if next.nll < r.nll+margin && !f.cut {
			f.more(own.Networks - s.Networks)
			f.blind = own.Networks > s.Networks
			s, r = own, next
		}
	}
	f.rest = rest
	return s, r, nil
}

// error returns the standard error of the difference of the validation NLL of two networks of a shape.
func (f *fitting) error(s Shape, a, b *result) float64 {
	var logp [2][]float64
	for i, r := range []*result{a, b} {
		logp[i] = make([]float64, len(f.v.walks))
		m := newGRU(f.y, s, []*tables{r.net})
		m.threads = f.cfg.Threads
		m.logProb(f.v.walks, logp[i])
	}
	sum := 0.0
	for i, w := range f.v.weight {
		d := logp[1][i] - logp[0][i] - (a.nll - b.nll)
		sum += w * w * d * d
	}
	return math.Sqrt(sum) / f.v.sum
}

// maxNetworks is the most networks of a fit whose schedules the clock has shortened.
const maxNetworks = 12

// room reports whether the budget has room for network i, its refit included, where the clock has shortened the
// schedules and training ended before it: more networks are what the time that is left serves best.
func (f *fitting) room(i int, s Setting) bool {
	if i < s.Networks || i >= maxNetworks || !f.cut || f.late() {
		return false
	}
	each, again, count := 0.0, 0.0, 0.0 // seconds of the trainings, and of their refits
	for _, t := range f.report.Tried {
		if t.Race {
			continue
		}
		each, count = each+t.Seconds, count+1
		if share := t.Best / t.Epochs; f.cfg.Refit || f.cfg.Reserve {
			again += t.Seconds * f.again(s) * share / min(1, share+t.Patience)
		}
	}
	left := f.cfg.Budget - f.on.now().Sub(f.start)
	if need := (each+again)/count + again; left.Seconds() < need {
		return false
	}
	f.more(1)
	f.rest += f.passes(s)
	return true
}

// more counts the trainings of n more networks, for progress.
func (f *fitting) more(n int) {
	if f.all += n; f.cfg.Refit {
		f.all += n
	}
}
