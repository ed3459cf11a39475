package baselines

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
)

// fileFormat and fileVersion are in the metadata of every file of weights: a network's holds its kind, settings and
// weights; a checkpoint the training's state too.
const (
	fileFormat  = "ddps-baseline"
	fileVersion = "1"
)

// File is a file of weights as it was read.
type File struct{ f *safetensors.File }

// Read reads a network's file or a checkpoint and checks that it is whole and of that kind.
func Read(r io.Reader, kind string) (*File, error) {
	f, err := safetensors.ReadSealed(r, "baseline's model", fileFormat, fileVersion)
	if err != nil {
		return nil, err
	}
	if f.Meta["kind"] != kind {
		return nil, fmt.Errorf("a model of %q, expected %q", f.Meta["kind"], kind)
	}
	return &File{f}, nil
}

// Config sets cfg, a pointer, to the network's settings.
func (f *File) Config(cfg any) error {
	if err := json.Unmarshal([]byte(f.f.Meta["config"]), cfg); err != nil {
		return fmt.Errorf("config: %w", err)
	}
	return nil
}

// Weights sets params to the weights; of a checkpoint, to the averaged ones.
func (f *File) Weights(params []Param) error {
	prefix := "param"
	if _, ok := f.f.Meta["step"]; ok {
		prefix = "mean"
	}
	for _, p := range params {
		if err := f.fetch(prefix, p, p.Data); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads an array shaped as p into dst.
func (f *File) fetch(prefix string, p Param, dst []float32) error {
	t, err := f.f.Find(prefix+"."+p.Name, len(dst))
	if err != nil {
		return err
	}
	if t.F32 == nil && len(dst) > 0 {
		return fmt.Errorf("array %q is not float32", t.Name)
	}
	copy(dst, t.F32)
	return nil
}

// newFile returns a file of that kind and settings with the weights.
func newFile(kind string, cfg any, params []Param) (*safetensors.File, error) {
	text, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	f := &safetensors.File{Meta: map[string]string{safetensors.Format: fileFormat, safetensors.Version: fileVersion,
		"kind": kind, "config": string(text)}}
	for _, p := range params {
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: "param." + p.Name, Shape: p.Shape, F32: p.Data})
	}
	return f, nil
}

// Write writes a network's file in the safetensors format. The same network gives the same bytes.
func Write(w io.Writer, kind string, cfg any, params []Param) error {
	f, err := newFile(kind, cfg, params)
	if err != nil {
		return fmt.Errorf("%s: save: %w", kind, err)
	}
	return safetensors.WriteSealed(w, f)
}

// Save writes a checkpoint: the network, its averaged weights, the optimiser and the step, which is all that going on
// needs.
func (t *Trainer) Save(w io.Writer) error {
	f, err := newFile(t.task.Kind, t.task.Config, t.task.Params)
	if err != nil {
		return fmt.Errorf("%s: checkpoint: %w", t.task.Kind, err)
	}
	train, err := json.Marshal(t.cfg)
	if err != nil {
		return fmt.Errorf("%s: checkpoint: %w", t.task.Kind, err)
	}
	f.Meta["train"], f.Meta["data"], f.Meta["step"] = string(train), t.task.Data, strconv.Itoa(t.step)
	for i, p := range t.task.Params {
		for _, a := range t.state(t.opt, i) {
			f.Tensors = append(f.Tensors, safetensors.Tensor{Name: a.prefix + "." + p.Name, Shape: p.Shape, F32: a.data})
		}
	}
	return safetensors.WriteSealed(w, f)
}

// stateArray is an array of an optimiser's state.
type stateArray struct {
	prefix string
	data   []float32
}

// state lists the arrays of opt that belong to parameter i.
func (t *Trainer) state(opt *engine.Optimizer, i int) []stateArray {
	return []stateArray{{"mean", opt.Mean[i]}, {"adam.m", opt.M[i]}, {"adam.v", opt.V[i]}}
}

// Restore sets the trainer to where a checkpoint was, after which Run continues as if it had never stopped. It is an
// error if the checkpoint is damaged, or is of another kind, network, training configuration or data; the trainer is
// then as before.
func (t *Trainer) Restore(r io.Reader) error {
	f, err := Read(r, t.task.Kind)
	if err == nil {
		err = t.restore(f)
	}
	if err != nil {
		return fmt.Errorf("%s: resume: %w", t.task.Kind, err)
	}
	return nil
}

func (t *Trainer) restore(f *File) error {
	for _, c := range []struct {
		key, what string
		want      any
	}{{"config", "network", t.task.Config}, {"train", "settings", t.cfg}} {
		want, err := json.Marshal(c.want)
		if err != nil {
			return err
		}
		if got := f.f.Meta[c.key]; got != string(want) {
			return fmt.Errorf("the checkpoint is of another %s: %s, this one is %s", c.what, got, want)
		}
	}
	if f.f.Meta["data"] != t.task.Data {
		return fmt.Errorf("the checkpoint was trained on other data")
	}
	step, err := strconv.Atoi(f.f.Meta["step"])
	if err != nil || step < 0 || step > t.cfg.Steps {
		return fmt.Errorf("step %q is not in 0…%d", f.f.Meta["step"], t.cfg.Steps)
	}
	opt := engine.NewOptimizer(t.cfg.Optim, t.task.Params)
	weights := make([][]float32, len(t.task.Params))
	for i, p := range t.task.Params {
		weights[i] = make([]float32, len(p.Data))
		for _, a := range append(t.state(opt, i), stateArray{"param", weights[i]}) {
			if err := f.fetch(a.prefix, p, a.data); err != nil {
				return err
			}
		}
	}
	t.opt, t.step = opt, step
	t.setWeights(weights)
	return nil
}
