package table1

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// method is a method of table 1, with its settings.
type method interface {
	name() string
	settings() any // all that its numbers depend on besides data and seed, as JSON
	// train learns, from where it was stopped, or reads what was learned. What it keeps is in the study's directory dir,
	// named by what it depends on; else in own, which is the method's with these settings. Stopped by ctx it returns
	// baselines.ErrStopped or ctx's error, wrapped.
	train(ctx context.Context, dir, own string, d *splitData, w run.Progress) (*learned, error)
	// cost estimates what training and so many samples take, by a few of each.
	cost(ctx context.Context, d *splitData, samples int) (cost, error)
}

// learned is a method that has been trained.
type learned struct {
	weights  int
	examples int     // seen in training, repeats counted
	seconds  float64 // that training took, over all runs; NaN: not known
	chosen   string  // on the validation paths
	part     int     // samples that are drawn, and kept, at a time
	// draw returns samples first…first+n−1: each depends on the seed and its number alone.
	draw func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error)
}

// settingsFile holds a method's settings, samplesDir its samples.
const settingsFile, samplesDir = "settings.json", "samples"

// measureMethod trains r, draws its samples and fills in the row.
func measureMethod(ctx context.Context, r method, dir, own string, d *splitData, row *Row, w run.Progress) error {
	if err := atomicfile.MakeDir(filepath.Join(own, samplesDir)); err != nil {
		return fmt.Errorf("table1: table 1: %w", err)
	}
	if err := writeJSON(filepath.Join(own, settingsFile), r.settings()); err != nil {
		return err
	}
	m, err := r.train(ctx, dir, own, d, w)
	if err != nil {
		return err
	}
	row.Weights, row.Chosen, row.TrainSeconds, row.TrainExamples = m.weights, m.chosen, m.seconds, m.examples
	tally, edges := baselines.NewTally(d.graph, d.train.Paths), 0
	for first := 0; first < row.Samples; first += m.part {
		n := min(m.part, row.Samples-first)
		p, err := m.kept(ctx, own, first, n, fmt.Sprintf("%s: samples %d to %d of %d", r.name(), first+1, first+n,
			row.Samples), w)
		if err != nil {
			return err
		}
		for _, s := range p.Edges {
			tally.Add(s)
			edges += len(s)
		}
		row.SampleSeconds += p.Seconds
	}
	row.set(tally.Counts())
	row.MeanEdges = float64(edges) / float64(row.Samples)
	return nil
}

// samplePart is a file of samples.
type samplePart struct {
	First   int                `json:"first"`
	Seconds float64            `json:"seconds"` // that drawing them took
	Edges   [][]baselines.Edge `json:"edges"`
}

// kept returns samples from their file, drawn first if they are not there.
func (m *learned) kept(ctx context.Context, dir string, first, n int, stage string, w run.Progress) (p samplePart,
	err error) {
	path := filepath.Join(dir, samplesDir, fmt.Sprintf("%08d-%d.json", first, n))
	switch err := readJSON(path, &p); {
	case err == nil && p.First == first && len(p.Edges) == n:
		return p, nil
	case err == nil:
		return p, fmt.Errorf("table1: table 1: %s: %d samples from %d on, expected %d from %d", path, len(p.Edges), p.First,
			n,
			first)
	case !errors.Is(err, fs.ErrNotExist):
		return p, err
	}
	begun, began := false, time.Now()
	p.First = first
	p.Edges, err = m.draw(ctx, first, n, func(done, total int) {
		if !begun {
			w.Begin(stage, 0, total)
			begun = true
		}
		w.Set(done, "")
	})
	if begun {
		w.End()
	}
	if err != nil {
		return p, err
	}
	p.Seconds = time.Since(began).Seconds()
	return p, writeJSON(path, p)
}

// writeJSON writes v to a file, whole or not at all, and its sum.
func writeJSON(path string, v any) error {
	return study.WriteSummed(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// readJSON reads v from a file, which errors name.
func readJSON(path string, v any) error {
	data, err := study.ReadSummed(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
