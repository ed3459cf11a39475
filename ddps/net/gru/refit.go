package gru

import (
	"context"
	"fmt"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Refit trains networks of a setting on all paths, without validation, each for its share of the schedule, or on from
// those of trained (Setting.Continue): what Fit does with Config.Refit, Report.Chosen and Report.Shares, as one call of
// its own. trained is what Fit returned without Config.Refit; nil: networks begin anew. Refit returns nil where the
// budget is too short for it.
func Refit(ctx context.Context, g *ddps.LayeredGraph, all Sample, s Setting, shares []float64, trained *GRU,
	cfg Config, seed uint64) (*GRU, error) {
	cfg.Settings = []Setting{s}
	f := &fitting{ctx: ctx, y: newLayout(g), cfg: cfg, on: newMachine(&cfg), seed: seed, all: len(shares)}
	f.start = f.on.now()
	err := f.cfg.check()
	if err == nil {
		f.training, err = f.y.data("all", all)
	}
	if err == nil && f.training.steps() == 0 {
		err = errNoChoice
	}
	if err != nil {
		return nil, fmt.Errorf("gru: refit: %w", err)
	}
	f.v = &data{}
	f.rest = float64(len(shares)) * f.again(s)
	var from []*tables
	if trained != nil {
		from = trained.nets
	}
	nets, err := f.refit(s, shares, from)
	if err != nil {
		return nil, fmt.Errorf("gru: refit: %w", err)
	}
	if nets == nil {
		return nil, nil
	}
	m := newGRU(f.y, s.Shape, nets)
	m.threads = cfg.Threads
	return m, nil
}

// Time returns about how long Fit takes without a budget, the refit included where Config.Refit is set, from a few
// updates on the paths. The error is Fit's.
func Time(g *ddps.LayeredGraph, train, validation Sample, cfg Config, seed uint64) (time.Duration, error) {
	f := &fitting{ctx: context.Background(), y: newLayout(g), cfg: cfg, on: newMachine(&cfg), seed: seed}
	err := f.cfg.check()
	if err == nil {
		f.training, err = f.y.data("training", train)
	}
	if err == nil {
		f.v, err = f.y.data("validation", validation)
	}
	if err == nil && f.training.steps() == 0 {
		err = errNoChoice
	}
	if err != nil {
		return 0, fmt.Errorf("gru: time: %w", err)
	}
	f.suggest()
	return time.Duration(f.seconds() * float64(time.Second)), nil
}
