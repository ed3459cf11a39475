package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// fitter returns what fits the part of that name.
func (f *stackFit) fitter(name string) stack.Fitter {
	switch name {
	case model.PartFirst:
		return named(stack.FirstOrder(f.g), name)
	case model.PartSecond:
		return f.second()
	case model.PartContext:
		return f.kept(name, f.fitContext)
	case model.PartSmall:
		s := f.kept(name, f.fitSmall)
		s.Proposal = true
		return s
	case model.PartMixture:
		return f.kept(name, f.fitMixture)
	}
	return f.kept(name, f.fitGRU)
}

func named(f stack.Fitter, name string) stack.Fitter {
	f.Name = name
	return f
}

// pairs is the most pairs of consecutive edges for which a second-order chain is fitted.
const pairs = 1 << 22

// second fits second-order chains where the graph is not too large.
func (f *stackFit) second() stack.Fitter {
	s := named(stack.SecondOrder(f.g), model.PartSecond)
	fit := s.Fit
	s.Fit = func(ctx context.Context, train, validation chain.Sample) (stack.Distribution, stack.Refit, error) {
		in, n := make([]int, f.g.NumVertices()), 0
		for e := range f.g.NumEdges() {
			in[f.g.Head(e)]++
		}
		for v, k := range in {
			n += k * f.g.Degree(v)
		}
		if n > pairs {
			return f.leftOut("the graph has %d pairs of consecutive edges, more than %d", n, pairs)
		}
		return fit(ctx, train, validation)
	}
	return s
}

// leftOut is the error of a part that is left out.
func (f *stackFit) leftOut(why string, args ...any) (stack.Distribution, stack.Refit, error) {
	f.info.Note = fmt.Sprintf(why, args...)
	return nil, nil, fmt.Errorf("%w: %s", stack.ErrLeftOut, f.info.Note)
}

// partFit is a part fitted to the training paths, with the settings that were chosen; it is fitted again by them alone.
type partFit struct {
	distribution stack.Distribution
	settings     any // as JSON it is kept with the part
	again        func(ctx context.Context, all chain.Sample) (stack.Distribution, error)
}

// kept returns a fitter whose parts are kept as checkpoints, and taken from there. fit gets the settings of a part that
// has been fitted before, nil for none; then it fits nothing.
func (f *stackFit) kept(name string, fit func(before json.RawMessage) (*partFit, error)) stack.Fitter {
	return stack.Fitter{Name: name, Fit: func(ctx context.Context, _, _ chain.Sample) (stack.Distribution, stack.Refit,
		error) {
		d, note := f.load(name)
		p, err := fit(note)
		if err != nil {
			return nil, nil, err
		}
		if d == nil {
			if d = p.distribution; f.ctx.Err() == nil {
				if err := f.save(name, d, p.settings); err != nil {
					return nil, nil, fmt.Errorf("%w: %w", stack.ErrStop, err)
				}
			}
		}
		return d, func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
			again := name + "-refit"
			if d, note := f.load(again); note != nil {
				return d, nil
			}
			f.refitting = true
			defer func() { f.refitting = false }()
			d, err := p.again(ctx, all)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			if err := f.save(again, d, true); err != nil {
				return nil, fmt.Errorf("%w: %w", stack.ErrStop, err)
			}
			return d, nil
		}, nil
	}}
}

// partFile is where a part is kept.
func (f *stackFit) partFile(name string) string {
	return filepath.Join(f.Dir, checkpointDir, partName(name))
}

func partName(name string) string { return "part-" + name + ".safetensors" }

// save keeps a part.
func (f *stackFit) save(name string, d stack.Distribution, settings any) error {
	if f.Dir == "" {
		return nil
	}
	note, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	if err := atomicfile.MakeDir(filepath.Join(f.Dir, checkpointDir)); err != nil {
		return fmt.Errorf("run: checkpoints: %w", err)
	}
	return f.write(checkpointDir+"/"+partName(name), func(w io.Writer) error {
		return model.WritePart(w, d, string(note))
	})
}

// load returns a part that was kept, and its settings; nil where there is none. One that does not read is fitted again.
func (f *stackFit) load(name string) (stack.Distribution, json.RawMessage) {
	if f.Dir == "" {
		return nil, nil
	}
	file, err := os.Open(f.partFile(name))
	if err != nil {
		return nil, nil
	}
	defer file.Close()
	d, note, err := model.ReadPart(file, f.g)
	if err == nil {
		err = f.check(checkpointDir + "/" + partName(name))
	}
	if err != nil {
		f.warn(fmt.Sprintf("%s: %v; fitting it again", f.partFile(name), err))
		return nil, nil
	}
	return d, json.RawMessage(note)
}

// smallEdges is the most edges of a product graph of the context model that conditions in another's place.
const smallEdges = 1 << 19

// fitSmall fits a context model with a small product graph, unless that of the context model is small.
func (f *stackFit) fitSmall(before json.RawMessage) (*partFit, error) {
	cfg, m := markov.Config{}, (*markov.Model)(nil)
	p := &partFit{again: func(ctx context.Context, all chain.Sample) (stack.Distribution, error) {
		next, err := m.Refit(ctx, all, f.within(smallShare))
		return stack.Context(next, model.ContextEdges), err
	}}
	var err error
	if before != nil {
		if err = json.Unmarshal(before, &cfg); err == nil {
			d, _ := f.load(model.PartSmall)
			m, err = stack.ContextModel(d)
		}
		if err != nil {
			return nil, err
		}
	} else if cfg, err = markov.Compact(f.ctx, f.g, sampleOf(f.train), f.context, smallEdges); err != nil {
		if f.ctx.Err() != nil {
			return nil, err
		}
		_, _, err = f.leftOut("%v", err)
		return nil, err
	}
	if cfg == f.context {
		_, _, err = f.leftOut("the context model's own product graph is small")
		return nil, err
	}
	f.info.Settings, p.settings = cfg.String(), cfg
	if began := f.now(); before == nil {
		if m, err = markov.FitContext(f.ctx, f.g, sampleOf(f.train), cfg, f.within(smallShare)); err != nil {
			return nil, err
		}
		p.distribution = stack.Context(m, model.ContextEdges)
		f.reserve += f.now().Sub(began)
	}
	return p, nil
}
