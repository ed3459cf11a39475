package gru

import (
	"context"
	"fmt"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// Trial is a configuration that Fit tried.
type Trial struct {
	Config
	NLL     float64 // of the validation paths, the networks' mean
	Epochs  float64 // until the best
	Seconds float64
	Why     string // what ended it
}

// Report is what Fit did.
type Report struct {
	Tried   []Trial
	Best    int     // the trial that was kept
	NLL     float64 // of the validation paths before the refit, all networks averaged
	Weights int
	Seconds float64
}

// Fit trains networks on the paths of train and keeps the weights that are best on those of validation.
func Fit(ctx context.Context, g *ddps.LayeredGraph, train, validation Sample, cfg Config, seed uint64) (*GRU, Report, error) {
	m, r, err := fit(ctx, g, train, validation, cfg, seed)
	if err != nil {
		err = fmt.Errorf("gru: %w", err)
	}
	return m, r, err
}

func fit(ctx context.Context, g *ddps.LayeredGraph, train, validation Sample, cfg Config, seed uint64) (*GRU, Report, error) {
	start := time.Now()
	var r Report
	if err := cfg.check(); err != nil {
		return nil, r, err
	}
	y := newLayout(g)
	d, err := y.data("training", train)
	if err != nil {
		return nil, r, err
	}
	v, err := y.data("validation", validation)
	if err != nil {
		return nil, r, err
	}
	var deadline time.Time
	if cfg.Budget > 0 {
		deadline = start.Add(cfg.Budget)
	}
	var nets []*tables
	for i := range cfg.Networks {
		began := time.Now()
		t := newTrainer(newNetwork(y, cfg.Shape), cfg, seed+uint64(i), d.rows())
		res, err := t.run(ctx, d, v, 1, deadline, func(p Progress) {
			if p.Network = i + 1; cfg.Progress != nil {
				cfg.Progress(p)
			}
		})
		if err != nil {
			return nil, r, err
		}
		nets = append(nets, res.net)
		r.Tried = append(r.Tried, Trial{cfg, res.nll, res.share * cfg.Epochs, time.Since(began).Seconds(), res.why})
	}
	m := newGRU(y, cfg.Shape, nets)
	r.NLL = m.mean(v, cfg.Threads)
	if cfg.Refit {
		all := d.and(v)
		nets = nil
		for i := range cfg.Networks {
			t := newTrainer(newNetwork(y, cfg.Shape), cfg, seed+uint64(i), all.rows())
			res, err := t.run(ctx, all, nil, r.Tried[i].Epochs/cfg.Epochs, time.Time{}, func(p Progress) {
				if p.Network = i + 1; cfg.Progress != nil {
					cfg.Progress(p)
				}
			})
			if err != nil {
				return nil, r, err
			}
			nets = append(nets, res.net)
		}
		m = newGRU(y, cfg.Shape, nets)
	}
	r.Weights, r.Seconds = m.Weights(), time.Since(start).Seconds()
	return m, r, nil
}

// data returns the walks of s, equal ones as one. The error names what s is.
func (y *layout) data(what string, s Sample) (*data, error) {
	w, sum, err := ddps.Weights(len(s.Paths), s.Weights)
	if err != nil {
		return nil, fmt.Errorf("%s paths: %w", what, err)
	}
	d, at := &data{sum: sum}, map[string]int{}
	var key []byte
	for i, p := range s.Paths {
		x, err := y.walk(p)
		if err != nil {
			return nil, fmt.Errorf("%s paths: path %d: %w", what, i+1, err)
		}
		if w[i] == 0 {
			continue
		}
		key = key[:0]
		for _, s := range x.slots {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		j, ok := at[string(key)]
		if !ok {
			j = len(d.walks)
			at[string(key)] = j
			d.walks, d.weight = append(d.walks, x), append(d.weight, 0)
		}
		d.weight[j] += w[i]
	}
	return d, nil
}

// and returns the walks of both.
func (d *data) and(v *data) *data {
	return &data{append(d.walks[:len(d.walks):len(d.walks)], v.walks...),
		append(d.weight[:len(d.weight):len(d.weight)], v.weight...), d.sum + v.sum}
}
