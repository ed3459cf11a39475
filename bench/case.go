package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// A case is a network on a graph, in a directory that all engines read. Its weights are random but for those trained
// for the time to fidelity: speed does not depend on them.
const (
	toyPlain    = "toy-mlp"      // the network's logits alone
	toyResidual = "toy-residual" // added to the chain's exact denoiser, the default on Toy
	toyTrained  = "toy-trained"  // toy-residual, trained
	toyUNet     = "toy-unet"
	heightsUNet = "heights-unet"
)

// gridCase names a case of the residual MLP on a grid, for the curves of cost.
func gridCase(layers, width int) string { return fmt.Sprintf("grid-%d-%d", layers, width) }

// gridDegree is the out-degree in grids.
const gridDegree = 4

// grid makes a graph of so many layers, of 1, 4, 16, … and at last width vertices, each with gridDegree out-edges.
func grid(layers, width int) (*ddps.LayeredGraph, error) {
	sizes, heads, first := []int{1}, [][]int{}, 1
	for l := 1; l < layers; l++ {
		size := sizes[l-1]
		next := min(size*gridDegree, width)
		for v := range size {
			var out []int
			for d := range gridDegree {
				out = append(out, first+(v*gridDegree+d)%next)
			}
			heads = append(heads, out)
		}
		sizes, first = append(sizes, next), first+next
	}
	for range sizes[layers-1] {
		heads = append(heads, nil)
	}
	return ddps.New(sizes, heads)
}

// gridData draws paths of a grid.
func gridData(layers, width int) (*datasets.Data, error) {
	g, err := grid(layers, width)
	if err != nil {
		return nil, err
	}
	paths, err := datasets.Draw(g, 1000, 1)
	if err != nil {
		return nil, err
	}
	data := &datasets.Data{Graph: g, Paths: paths, Counts: make([]int, len(paths))}
	for i := range data.Counts {
		data.Counts[i] = 1
	}
	return data, nil
}

// caseConfig returns the data and settings of a case.
func caseConfig(name string) (data *datasets.Data, cfg model.Config, err error) {
	cfg = model.DefaultConfig()
	cfg.MLP.Gamma, cfg.UNet.Gamma = 0, 0 // all train on the cross-entropy alone
	var layers, width int
	if _, err := fmt.Sscanf(name, "grid-%d-%d", &layers, &width); err == nil {
		data, err = gridData(layers, width)
		return data, cfg, err
	}
	graph, network, _ := strings.Cut(name, "-")
	cfg.Network = network
	switch name {
	case toyPlain:
		cfg.MLP.Residual = false
	case toyResidual:
		cfg.Network = model.NetworkMLP
	case toyUNet, heightsUNet:
	default:
		return nil, cfg, fmt.Errorf("there is no case %q", name)
	}
	if data, err = run.MakeData(graph, run.PresetQuick); err != nil {
		return nil, cfg, err
	}
	return data.Prune(), cfg, nil
}

// learner makes the untrained model of a case.
func learner(data *datasets.Data, cfg model.Config) (*model.Model, error) {
	c, err := chain.Fit(data.Graph, data.Paths, data.Weights(), cfg.Kappa/float64(data.Total()))
	if err != nil {
		return nil, err
	}
	return model.New(c, cfg, 1)
}

// randomised is learner with random weights, those that start at zero too.
func randomised(data *datasets.Data, cfg model.Config) (*model.Model, error) {
	m, err := learner(data, cfg)
	if err != nil {
		return nil, err
	}
	rng := ddps.Rand(2, 0)
	for _, p := range m.Net.Params() {
		scale := .5 / math.Sqrt(float64(p.Shape[len(p.Shape)-1]))
		for i := range p.Data {
			p.Data[i] += float32(scale * rng.NormFloat64())
		}
	}
	return m, nil
}

// makeCase writes a case of random weights to its directory under dir, unless it is there.
func makeCase(dir, name string) error {
	to := filepath.Join(dir, name)
	if _, err := os.Stat(filepath.Join(to, "probe.json")); err == nil {
		return nil
	}
	data, cfg, err := caseConfig(name)
	if err != nil {
		return err
	}
	m, err := randomised(data, cfg)
	if err != nil {
		return err
	}
	return writeModel(to, m, data)
}

// writeModel writes a case: model.safetensors, paths.json and, last, probe.json.
func writeModel(to string, m *model.Model, data *datasets.Data) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(to, "model.safetensors"), 0o644, m.Save); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(to, "paths.json"), map[string]any{"paths": data.Paths,
		"counts": data.Weights()}); err != nil {
		return err
	}
	p, err := probes(m)
	if err != nil {
		return err
	}
	return writeJSON(filepath.Join(to, "probe.json"), p)
}

func writeJSON(path string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(path, append(text, '\n'), 0o644)
}

func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
