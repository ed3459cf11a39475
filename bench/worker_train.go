package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// train takes N training steps: batch, loss, gradient, optimiser, average of the weights.
func (w *worker) train(q ask) (a answer, err error) {
	m, err := w.model(q.Case)
	if err != nil {
		return a, err
	}
	if key := fmt.Sprint("train", q.Case, q.Batch); !w.warm[key] {
		if err := w.steps(m, q.Case, q.Batch, 1); err != nil {
			return a, err
		}
		w.warm[key] = true
	}
	a.Count = float64(q.N) * float64(q.Batch)
	return a, a.timed(func() error { return w.steps(m, q.Case, q.Batch, q.N) })
}

func (w *worker) steps(m *model.Model, directory string, batch, n int) error {
	source := w.sources[directory]
	if source == nil {
		var data struct {
			Paths  []ddps.Path
			Counts []float64
		}
		err := readJSON(filepath.Join(directory, "paths.json"), &data)
		if err != nil {
			return err
		}
		if source, err = train.NewSource(m, data.Paths, data.Counts); err != nil {
			return err
		}
		w.sources[directory] = source
	}
	cfg := train.DefaultConfig()
	cfg.Steps, cfg.Batch, cfg.EvalEvery, cfg.Checkpoint = n, batch, 0, 0
	t, err := train.NewTrainer(m, source, nil, cfg)
	if err != nil {
		return err
	}
	return t.Run(context.Background(), train.Hooks{})
}

// learn trains the default network of Toy for N steps and writes its case.
func (w *worker) learn(q ask) (a answer, err error) {
	data, cfg, err := caseConfig(toyResidual)
	if err != nil {
		return a, err
	}
	if w.backend != "native" {
		cfg.SetBackend(w.backend)
	}
	m, err := learner(data, cfg)
	if err != nil {
		return a, err
	}
	if w.sources[q.Case], err = train.NewSource(m, data.Paths, data.Weights()); err != nil {
		return a, err
	}
	if err := a.timed(func() error { return w.steps(m, q.Case, q.Batch, q.N) }); err != nil {
		return a, err
	}
	a.Count = float64(q.N) * float64(q.Batch)
	return a, writeModel(q.Case, m, data)
}
