package main

import (
	"context"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// fidelity draws N paths with the case's model, or its chain's exact denoiser where Kernel is austin, and measures
// their L1 to the data's distribution, and what exact draws would show.
func (w *worker) fidelity(q ask) (a answer, err error) {
	m, err := w.model(q.Case)
	if err != nil {
		return a, err
	}
	s := m.Sampler()
	s.Steps, s.Batch, s.Threads = q.Steps, q.Batch, w.threads
	if q.Kernel == "austin" {
		s.Kernel, s.Denoiser = d3pm.Austin(), chain.NewDenoiser(m.Chain, m.Schedule.Abar)
	}
	var paths []ddps.Path
	err = a.timed(func() (err error) {
		paths, err = s.Sample(context.Background(), q.N, 7)
		return err
	})
	if err != nil {
		return a, err
	}
	a.Count = float64(q.N) * float64(q.Steps)
	a.L1, a.Floor, err = distance(paths)
	return a, err
}

// distance returns the L1 of paths of Toy to its data's distribution, and the mean of that of as many exact draws.
func distance(paths []ddps.Path) (l1, floor float64, err error) {
	data, _, err := caseConfig(toyPlain)
	if err != nil {
		return 0, 0, err
	}
	place := map[string]int{}
	key := func(p ddps.Path) string {
		text := make([]byte, len(p))
		for i, v := range p {
			text[i] = byte(v)
		}
		return string(text)
	}
	for i, p := range data.Paths {
		place[key(p)] = i
	}
	p, got := data.Weights(), make([]float64, len(data.Paths))
	for _, x := range paths {
		if i, ok := place[key(x)]; ok {
			got[i] += 1 / float64(len(paths))
		} else {
			p, got = append(p, 0), append(got, 1/float64(len(paths)))
		}
	}
	if l1, err = metrics.L1(p, got); err != nil {
		return 0, 0, err
	}
	exact, err := metrics.Floor(data.Weights(), func(q []float64) (float64, error) {
		return metrics.L1(data.Weights(),
			q)
	},
		metrics.FloorConfig{N: len(paths), Reps: 20, Seed: 1})
	if err != nil {
		return 0, 0, err
	}
	return l1, exact.Mean, nil
}
