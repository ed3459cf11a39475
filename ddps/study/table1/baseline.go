package table1

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/internal/atomicfile"
)

// network is a network of package baselines that studies keep on disk.
type network interface {
	Save(io.Writer) error
	ReadWeights(io.Reader) error
}

// history is what is kept of a baseline's training besides its weights.
type history struct {
	Step    int                  `json:"step"`
	Seconds float64              `json:"seconds"` // that it took up to Step, over all runs
	Evals   []baselines.EvalInfo `json:"evals"`
}

// fit is the training of a baseline in a directory. Its files are named by what the weights depend on, so that studies
// that share a directory share the networks that they have in common: KIND-KEY.safetensors,
// KIND-KEY.checkpoint.safetensors until that is there, and KIND-KEY.json, the history.
type fit struct {
	dir, kind string
	key       any // all that the weights depend on; JSON must hold it
	net       network
	trainer   func() (*baselines.Trainer, error) // of net
	progress  run.Progress

	// measured, if not nil, is called with every checkpoint: the history up to it, and the file, which has the averaged
	// weights. It is told again of the one that a training continues from, or ended with, as it may have been stopped
	// while it measured.
	measured func(h history, file []byte) error

	history history
}

// name is that of the network's file, without its ending.
func (f *fit) name() (string, error) {
	text, err := json.Marshal(f.key)
	if err != nil {
		return "", fmt.Errorf("table1: %s: %w", f.kind, err)
	}
	sum := sha256.Sum256(text)
	return filepath.Join(f.dir, f.kind+"-"+hex.EncodeToString(sum[:6])), nil
}

// run sets net to the trained network, read, or trained from the checkpoint on, and history to its training's. Stopped
// by ctx it makes a checkpoint and returns baselines.ErrStopped, wrapped.
func (f *fit) run(ctx context.Context) error {
	name, err := f.name()
	if err != nil {
		return err
	}
	if err := readInto(name+".json", f.readHistory); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = readInto(name+".safetensors", f.net.ReadWeights)
	if err == nil {
		return f.again(name + ".safetensors")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t, err := f.trainer()
	if err != nil {
		return err
	}
	checkpoint := name + ".checkpoint.safetensors"
	if err := readInto(checkpoint, t.Restore); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: move the file away to begin anew", err)
	}
	f.rewind(t.Step())
	if err := f.again(checkpoint); err != nil {
		return err
	}
	if err := atomicfile.MakeDir(f.dir); err != nil {
		return fmt.Errorf("table1: %s: %w", f.kind, err)
	}
	hooks, end := f.hooks(name)
	err = t.Run(ctx, hooks)
	end()
	if err != nil {
		return err
	}
	if err := study.WriteSummed(name+".safetensors", f.net.Save); err != nil {
		return fmt.Errorf("table1: %s: %w", f.kind, err)
	}
	if err := study.RemoveSummed(checkpoint); err != nil {
		return fmt.Errorf("table1: %s: %w", f.kind, err)
	}
	return nil
}

// again calls measured with a file that is there already.
func (f *fit) again(path string) error {
	if f.measured == nil || f.history.Step == 0 {
		return nil
	}
	file, err := study.ReadSummed(path)
	if err != nil {
		return fmt.Errorf("table1: %w", err)
	}
	return f.measured(f.history, file)
}

func (f *fit) readHistory(r io.Reader) error {
	f.history = history{}
	return json.NewDecoder(r).Decode(&f.history)
}

// rewind forgets what came after a step, which will be again.
func (f *fit) rewind(step int) {
	h := &f.history
	if h.Step > step {
		*h = history{Evals: h.Evals, Seconds: h.Seconds * float64(step) / float64(h.Step)}
	}
	h.Step = step
	h.Evals = slices.DeleteFunc(h.Evals, func(e baselines.EvalInfo) bool { return e.Step > step })
}

// hooks show progress, which end ends, and keep checkpoints and the history.
func (f *fit) hooks(name string) (hooks baselines.Hooks, end func()) {
	begun, last := false, time.Now()
	end = func() {
		if begun {
			f.progress.End()
		}
		begun = false
	}
	return baselines.Hooks{
		Step: func(s baselines.StepInfo) {
			if !begun {
				f.progress.Begin(f.kind+": training", s.Step-1, s.Steps)
				begun = true
			}
			f.progress.Set(s.Step, fmt.Sprintf("loss %.4f", s.Loss))
		},
		Eval: func(e baselines.EvalInfo) { f.history.Evals = append(f.history.Evals, e) },
		Checkpoint: func(step int, save func(io.Writer) error) error {
			end()
			f.history.Step, f.history.Seconds = step, f.history.Seconds+time.Since(last).Seconds()
			err := f.checkpoint(name, save)
			last = time.Now() // what is measured is no training
			return err
		},
	}, end
}

// checkpoint writes a checkpoint and the history, and calls measured.
func (f *fit) checkpoint(name string, save func(io.Writer) error) error {
	var file bytes.Buffer
	if err := save(&file); err != nil {
		return err
	}
	history, err := json.Marshal(f.history)
	if err != nil {
		return fmt.Errorf("table1: %s: %w", f.kind, err)
	}
	for path, data := range map[string][]byte{".checkpoint.safetensors": file.Bytes(), ".json": history} {
		if err := study.WriteSummed(name+path, func(w io.Writer) error {
			_,
				err := w.Write(data)
			return err
		}); err != nil {
			return fmt.Errorf("table1: %s: %w", f.kind, err)
		}
	}
	if f.measured == nil {
		return nil
	}
	return f.measured(f.history, file.Bytes())
}

// readInto reads a file by f. Errors name it.
func readInto(path string, read func(io.Reader) error) error {
	data, err := study.ReadSummed(path)
	if err != nil {
		return fmt.Errorf("table1: %w", err)
	}
	if err := read(bytes.NewReader(data)); err != nil {
		return fmt.Errorf("table1: %s: %w", path, err)
	}
	return nil
}
