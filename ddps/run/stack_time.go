package run

import (
	"fmt"
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
const timed, contextFits = 4000, 9

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
			t, err = contextTime(training)
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

// contextTime returns about how long the search for a context model takes, from a fit to some walks.
func contextTime(d *datasets.Data) (time.Duration, error) {
	some, share := sampleOf(d), 1.0
	if n := len(some.Paths); n > timed {
		share = float64(n) / timed
		some = chain.Sample{Paths: some.Paths[:timed], Weights: some.Weights[:timed]}
	}
	began := time.Now()
	_, err := markov.Fit(d.Graph, some, markov.Default())
	return time.Duration(contextFits * share * float64(time.Since(began))), err
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
	began := time.Now()
	if _, err := f.Fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: 1}); err != nil {
		return 0, "", err
	}
	round := time.Since(began) / 2
	return probeRounds * round, fmt.Sprintf("; about %v more where that shows that it pays",
		(700 * round).Round(time.Second)), nil
}
