package run

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net/gru"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/ddps/train"
)

// StackInfo says what a stack is made of.
type StackInfo struct {
	Step    int         `json:"step"`      // 0
	NLL     float64     `json:"stack_nll"` // of the validation paths, before the refit, in nats per path
	Refit   bool        `json:"refit"`     // on all paths
	Seconds float64     `json:"seconds"`
	Early   string      `json:"early,omitempty"` // why the fit left a fifth of its budget or more; "": it did not
	Parts   []StackPart `json:"parts"`
	Rates   *StackRates `json:"rates,omitempty"` // nil: they were not calibrated
}

// StackPart is a part of a stack.
type StackPart struct {
	Part   string  `json:"name"`
	NLL    float64 `json:"nll"`
	Weight float64 `json:"weight"`
}

// stackFit fits a stack to a run's paths.
type stackFit struct {
	*Run
	ctx         context.Context
	g           *ddps.LayeredGraph
	train, held *datasets.Data
	h           train.Hooks
	start       time.Time
	info        train.PartInfo // of the part at hand
	best        float64        // the least validation NLL so far; 0: none
	context     markov.Config  // of the context model
	refitting   bool
	reserve     time.Duration // of the budget, that the parts fitted so far take to be fitted again
	cut         []string      // what the budget has shortened
}

// checkHeld is the error of a stack without validation paths.
func (r *Run) checkHeld(held *datasets.Data) error {
	if held != nil || !r.Config.Model.Stacked() {
		return nil
	}
	return fmt.Errorf("run: a share of %v of %d walks leaves no validation paths, which weigh the parts of a stack: take "+
		"a greater share (hold), more walks, or a model that needs none (chain, mixture)", r.Config.Hold, r.Data.Total())
}

// stack fits the run's stack, and writes what was tried to the log.
func (r *Run) stack(ctx context.Context, h train.Hooks, write func(line any)) (*model.Model, error) {
	names, err := r.Config.Model.Stack.List()
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	f := &stackFit{Run: r, ctx: ctx, h: h, context: markov.Default()}
	f.start = f.now()
	f.train, f.held = r.Split()
	if err := r.checkHeld(f.held); err != nil {
		return nil, err
	}
	f.g = f.train.Graph
	var list []stack.Fitter
	for _, name := range names {
		list = append(list, f.logged(f.fitter(name), write))
	}
	s, err := stack.Fit(ctx, list, sampleOf(f.train), sampleOf(f.held), r.Config.Refit,
		func(p stack.Part) { f.fitted(p.NLL, write) })
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Failed)) {
		kept := slices.ContainsFunc(s.Parts, func(p stack.Part) bool { return p.Name == name })
		if err := s.Failed[name]; kept {
			f.warn(fmt.Sprintf("%s could not be fitted to all walks: it is that of the training walks: %v", name, err))
		} else if !errors.Is(err, stack.ErrLeftOut) { // else it is said
			f.warn(fmt.Sprintf("%s is left out: %v", name, err))
		}
	}
	rates, err := f.calibrate(s)
	if err != nil {
		return nil, fmt.Errorf("run: rates: %w", err)
	}
	info := &StackInfo{NLL: s.NLL, Rates: rates, Refit: r.Config.Refit, Seconds: f.spent().Seconds(), Early: f.early()}
	for _, p := range s.Parts {
		info.Parts = append(info.Parts, StackPart{p.Name, p.NLL, p.Weight})
	}
	write(info)
	return f.model(s)
}

// model makes the model, on a chain fitted to the same paths.
func (f *stackFit) model(s *stack.Stack) (*model.Model, error) {
	cfg := f.Config.Model
	if f.Config.TuneKappa {
		chosen, err := tuneKappa(f.train, f.held)
		if err != nil {
			return nil, err
		}
		cfg.Kappa = chosen.Kappa
	}
	on := f.train
	if f.Config.Refit {
		all := f.Data.Prune()
		on = &datasets.Data{Graph: f.g, Paths: all.Paths, Counts: all.Counts}
	}
	c, err := FitChain(on, cfg.Kappa)
	if err != nil {
		return nil, err
	}
	if cfg.Stack.Half {
		if err := round(s); err != nil {
			return nil, err
		}
	}
	return model.NewStack(c, s, cfg)
}

// round rounds the weights of GRUs to float16, as their files do.
func round(s *stack.Stack) error {
	for k, p := range s.Parts {
		m, ok := stack.Inner(p.Distribution).(*gru.GRU)
		if !ok {
			continue
		}
		var b bytes.Buffer
		if err := m.Write(&b, true); err != nil {
			return err
		}
		half, err := gru.Read(&b, m.Graph())
		if err != nil {
			return err
		}
		s.Parts[k].Distribution = model.GRUPart(half)
	}
	return nil
}

// sampleOf returns data as a sample.
func sampleOf(d *datasets.Data) chain.Sample { return chain.Sample{Paths: d.Paths, Weights: Counts(d)} }

// logged returns a fitter that also logs what it does.
func (f *stackFit) logged(of stack.Fitter, write func(line any)) stack.Fitter {
	fit := of.Fit
	of.Fit = func(ctx context.Context, training, validation chain.Sample) (stack.Distribution, stack.Refit, error) {
		began := f.now()
		f.info = train.PartInfo{Part: of.Name}
		d, refit, err := fit(ctx, training, validation)
		err = cmp.Or(err, ctx.Err())
		f.info.Seconds = f.now().Sub(began).Seconds()
		if err != nil && ctx.Err() == nil && !errors.Is(err, stack.ErrStop) {
			f.info.Note = cmp.Or(f.info.Note, err.Error())
			f.part(write)
		}
		return d, refit, err
	}
	return of
}

// fitted takes note of a part's validation NLL.
func (f *stackFit) fitted(nll float64, write func(line any)) {
	if f.info.NLL = nll; nll > 0 && (f.best == 0 || nll < f.best) {
		f.best = nll
	}
	f.part(write)
}

// part writes and shows the part at hand.
func (f *stackFit) part(write func(line any)) {
	write(f.info)
	if f.h.Part != nil {
		f.h.Part(f.info)
	}
}

// tell shows progress.
func (f *stackFit) tell(part string, done, total int, detail string) {
	if f.h.Parting != nil {
		f.h.Parting(train.PartProgress{Part: part, Done: done, Total: total, Detail: detail})
	}
}

// meanNLL returns the mean −log p of a sample.
func meanNLL(d stack.Distribution, s chain.Sample) (float64, error) {
	logp := make([]float64, len(s.Paths))
	err := d.LogProb(s.Paths, logp)
	return -stat.Mean(logp, s.Weights), err
}

// fitStack is fit of a stack: it writes the log, and the model.
func (r *Run) fitStack(ctx context.Context, resume bool, h train.Hooks) (*model.Model, error) {
	if parts := r.parts(); len(parts) > 0 && !resume {
		return nil, r.errTrained(filepath.Base(parts[0]))
	}
	log, _, err := r.openLog(-1)
	if err != nil {
		return nil, fmt.Errorf("run: log: %w", err)
	}
	defer log.Close()
	m, err := r.stack(ctx, h, r.logger(log))
	if err != nil {
		return nil, stopped(ctx, err)
	}
	if err := r.write(modelFile, m.Save); err != nil {
		return nil, err
	}
	for _, name := range r.parts() { // the model has them
		if err := os.Remove(name); err != nil {
			return nil, fmt.Errorf("run: checkpoints: %w", err)
		}
	}
	return m, r.keepSums()
}
