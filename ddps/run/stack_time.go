package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/internal/ram"
)

// PartTime is about how long the fit of a stack's part takes, the refit included.
type PartTime struct {
	Part string
	Time time.Duration
	Note string // "" or what it depends on
}

// timed is how many walks a fit is timed on, and contextFits how many fits a search for settings takes, about.
const timed, contextFits = 2000, 4

// StackTime fits little to say how long the fit of a stack will take without a budget. Chains take seconds, and are
// left out.
func (r *Run) StackTime() ([]PartTime, error) {
	names, err := r.Config.Model.Stack.List()
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	training, held := r.Split()
	var list []PartTime
	for _, name := range names {
		t, note, err := time.Duration(0), "", error(nil)
		switch name {
		case model.PartContext:
			t, err = r.contextTime(training)
		case model.PartMixture:
			t, note, err = r.mixtureTime()
		case model.PartGRU:
			t, err = gru.Time(training.Graph, gru.Sample(sampleOf(training)), gru.Sample(sampleOf(held)),
				gru.Config{Refit: r.Config.Refit}, r.Config.InitSeed)
			note = ", at most: training ends where the validation NLL does not fall"
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("run: %w", err)
		}
		list = append(list, PartTime{name, t, note})
	}
	return list, nil
}

// now returns the time.
func (r *Run) now() time.Time {
	if r.clock != nil {
		return r.clock()
	}
	return time.Now()
}

// spent returns the time since the fit began.
func (f *stackFit) spent() time.Duration { return f.now().Sub(f.start) }

// left returns what is left of the budget; at least a second.
func (f *stackFit) left() time.Duration { return max(time.Second, f.Config.Budget-f.spent()) }

// after returns what reports whether so much time is over.
func (f *stackFit) after(d time.Duration) func() bool {
	end := f.now().Add(d)
	return func() bool { return f.now().After(end) }
}

// early says why the fit has left a fifth of its budget or more; "" where it has not, or has none.
func (f *stackFit) early() string {
	switch b := f.Config.Budget; {
	case b == 0 || f.spent() >= b*4/5:
		return ""
	case len(f.cut) == 0:
		return "every search and schedule ran to its end: more time would not be used"
	}
	return "training ended where the validation NLL did not fall any more; " + strings.Join(f.cut, ", ")
}

// contextTime returns about how long the search for a context model takes, from a fit to some walks.
func (r *Run) contextTime(d *datasets.Data) (time.Duration, error) {
	some, share := sampleOf(d), 1.0
	if n := len(some.Paths); n > timed {
		share = float64(n) / timed
		some = chain.Sample{Paths: some.Paths[:timed], Weights: some.Weights[:timed]}
	}
	began := r.now()
	_, err := markov.Fit(d.Graph, some, markov.Default())
	return time.Duration(contextFits * share * float64(r.now().Sub(began))), err
}

// mixtureTime returns the time of a probe: the search is made only where that shows that it may pay.
func (r *Run) mixtureTime() (time.Duration, string, error) {
	training, held := r.Split()
	cfg := r.Config.On(training.Graph).Model.Mixture
	if cfg.Simple() || r.fitMemory(cfg, ram.Machine()) != nil {
		return 0, ": it is left out", nil
	}
	c, err := FitChain(training, r.Config.Model.Kappa)
	if err != nil {
		return 0, "", err
	}
	f, err := mixture.NewFitter(c, sampleOf(training), sampleOf(held), cfg)
	if err != nil {
		return 0, "", err
	}
	began := r.now()
	if _, err := f.Fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: 1}); err != nil {
		return 0, "", err
	}
	round := r.now().Sub(began) / 2
	return probeRounds * round, fmt.Sprintf("; about %v more where that shows that it pays",
		(700 * round).Round(time.Second)), nil
}
