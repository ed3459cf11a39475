package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// tolerance is how far outputs, of size about 1, and probabilities may differ between engines: float32 in another
// order.
const tolerance = 1e-4

// checks hold every engine to the probes of every case. One that differs is not timed: it is lacking from then on.
func (b *bench) checks(cases []string) []stage {
	var list []stage
	for _, name := range cases {
		key := sectionCheck + "/" + name
		list = append(list, stage{key, func(ctx context.Context) error {
			for _, engine := range b.present(allOf) {
				r := result{Key: key, Engine: engine, Case: name}
				p, err := b.peer(engine, 1)
				if err == nil {
					var a answer
					a, err = p.ask(ask{Op: "check", Case: filepath.Join(b.dir, "cases", name)})
					r.OutDiff, r.PiDiff = a.OutDiff, a.PiDiff
				}
				if err != nil {
					r.Error = err.Error()
				} else if !(r.OutDiff <= tolerance && r.PiDiff <= tolerance) {
					return fmt.Errorf("%s: %s gives other numbers than the native engine: outputs by %.2g, π by %.2g", name, engine,
						r.OutDiff, r.PiDiff)
				}
				b.Results = append(b.Results, r)
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			return nil
		}})
	}
	return list
}

// memories measure the greatest resident size of fresh processes that do one thing: sample a batch of 256, or take a
// few training steps.
func (b *bench) memories() []stage {
	var list []stage
	for _, m := range []struct {
		name    string
		q       ask
		engines []string
	}{
		{toyPlain, ask{Op: "sample", Kernel: "austin", Batch: 256, N: 256, Steps: steps, Limit: 4}, allOf},
		{toyPlain, ask{Op: "train", Batch: 256, N: 4}, []string{engineXLA, engineGoMLX, engineEager, engineCompiled}},
		{heightsUNet, ask{Op: "train", Batch: 32, N: 2}, []string{engineXLA, engineEager}},
	} {
		key := fmt.Sprintf("%s/%s, %s", sectionMemory, m.q.Op, m.name)
		list = append(list, stage{key, func(ctx context.Context) error { return b.memory(ctx, key, m.name, m.q, m.engines) }})
	}
	return list
}

func (b *bench) memory(ctx context.Context, key, name string, q ask, engines []string) error {
	b.retire()
	q.Case, q.Threads = filepath.Join(b.dir, "cases", name), 1
	for _, engine := range b.present(engines) {
		r := result{Key: key, Engine: engine, Case: name, Batch: q.Batch, Threads: 1}
		p, err := b.start(engine, 1)
		if err == nil {
			var a answer
			a, err = p.ask(q)
			r.RSS = a.RSS
			p.stop()
		}
		if err != nil {
			r.Error = err.Error()
		}
		b.say("  %-18s %.0f MB %s", engine, r.RSS/1e6, r.Error)
		b.Results = append(b.Results, r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// What is compared by fidelity: the trained model at the default settings, and the paper's reverse step at all of its
// steps with the denoiser that no training can better.
const (
	fidelityOurs   = "native: residual MLP, joint, 16 steps"
	fidelityAustin = "exact denoiser, austin, 256 steps"
	fidelityPaths  = 1 << 16
	trainSteps     = 300
)

// fidelity trains the network of Toy and draws paths, and draws paths by the reverse step of the paper.
func (b *bench) fidelity(ctx context.Context) error {
	to := filepath.Join(b.dir, "cases", toyTrained)
	if _, err := os.Stat(filepath.Join(to, "probe.json")); err != nil {
		p, err := b.peer(engineNative, 1)
		if err != nil {
			return err
		}
		if _, err := p.ask(ask{Op: "learn", Case: to, Batch: 256, N: trainSteps}); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		q    ask
	}{
		{fidelityOurs, ask{Op: "fidelity", Steps: 16}},
		{fidelityAustin, ask{Op: "fidelity", Steps: steps, Kernel: "austin"}},
	} {
		p, err := b.peer(engineNative, 1)
		if err != nil {
			return err
		}
		f.q.Case, f.q.N, f.q.Batch = to, fidelityPaths, 64
		a, err := p.ask(f.q)
		if err != nil {
			return err
		}
		b.Results = append(b.Results, result{Key: sectionFidelity + "/toy", Engine: f.name, Case: toyTrained, Threads: 1,
			Steps:   f.q.Steps,
			Seconds: a.CPU, L1: a.L1, Floor: a.Floor})
		b.say("  %s: %.3g s, L1 %.3g (%.3g)", f.name, a.CPU, a.L1, a.Floor)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
