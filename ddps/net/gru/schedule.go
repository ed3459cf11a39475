package gru

// early is the share of a schedule before which the best weights are taken to say that it is too long: where they lie
// the learning rate was still high.
const early = 0.5

// lateBest is the share from which on more training after the best weights does no harm.
const lateBest = 0.8

// several is the number of networks of a large set on which one overfits early.
const several = 5

// shorter tries shorter schedules where the first was best early, one with more dropout, and returns the best of all,
// with its setting. On sets so large that they have one network neither was ever better: a network that overfits
// before its schedule is half over is there one of several, and their mean overfits less.
func (f *fitting) shorter(s Setting, r *result) (Setting, *result, error) {
	if r.share < lateBest {
		s.Continue = 0
	}
	if r.share >= early || f.cut || f.late() {
		return s, r, nil
	}
	if s.Networks == 1 {
		f.more(several - 1)
		s.Networks, f.blind = several, true
		return s, r, nil
	}
	brief, drop := s, s
	brief.Epochs *= 1.5 * r.share
	drop.Epochs *= min(1, 3*r.share)
	drop.Dropout = max(s.Dropout, min(0.6, s.Dropout+0.2))
	rest := f.rest
	f.all += 2
	for _, own := range []Setting{brief, drop} {
		f.rest = rest + 1 // of which it takes one
		next, err := f.train(own, 0, f.training, f.v, 1, nil)
		if err != nil {
			return s, r, err
		}
		if next.nll < r.nll && !f.cut {
			s, r = own, next
		}
	}
	f.rest = rest
	return s, r, nil
}

// maxNetworks is the most networks of a fit whose schedules the clock has shortened.
const maxNetworks = 8

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
