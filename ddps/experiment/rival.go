package experiment

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
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// rival is a network of package baselines that studies keep on disk.
type rival interface {
	Save(io.Writer) error
	ReadWeights(io.Reader) error
}

// rivalFit is the training of a rival in a folder. Its files are named by what the weights depend on, so that studies that
// share a folder share the networks that they have in common: KIND-KEY.safetensors, and KIND-KEY.checkpoint.safetensors
// until it is there.
type rivalFit struct {
	dir, kind string
	key       any // all that the weights depend on; JSON must hold it
	net       rival
	trainer   func() (*baselines.Trainer, error) // of net
	watch     Watch

	// measured, if not nil, is told of every checkpoint: the step, the loss on held-out data of the last evaluation, and
	// the file, which has the averaged weights.
	measured func(step int, held float64, file []byte) error
}

// name is that of the network's file, without its ending.
func (f *rivalFit) name() (string, error) {
	text, err := json.Marshal(f.key)
	if err != nil {
		return "", fmt.Errorf("experiment: %s: %w", f.kind, err)
	}
	sum := sha256.Sum256(text)
	return filepath.Join(f.dir, f.kind+"-"+hex.EncodeToString(sum[:6])), nil
}

// run sets net to the trained network: read, or trained from the checkpoint on. Stopped by ctx it makes a checkpoint and
// returns baselines.ErrStopped, wrapped.
func (f *rivalFit) run(ctx context.Context) error {
	name, err := f.name()
	if err != nil {
		return err
	}
	err = readInto(name+".safetensors", f.net.ReadWeights)
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
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return fmt.Errorf("experiment: %s: %w", f.kind, err)
	}
	hooks, end := f.hooks(checkpoint)
	err = t.Run(ctx, hooks)
	end()
	if err != nil {
		return err
	}
	if err := writeFile(name+".safetensors", f.net.Save); err != nil {
		return fmt.Errorf("experiment: %s: %w", f.kind, err)
	}
	if err := os.Remove(checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("experiment: %s: %w", f.kind, err)
	}
	return nil
}

// hooks show progress, which end ends, and keep checkpoints.
func (f *rivalFit) hooks(checkpoint string) (hooks baselines.Hooks, end func()) {
	begun, held := false, 0.0
	end = func() {
		if begun {
			f.watch.End()
		}
		begun = false
	}
	return baselines.Hooks{
		Step: func(s baselines.StepInfo) {
			if !begun {
				f.watch.Begin(f.kind+": training", s.Step-1, s.Steps)
				begun = true
			}
			f.watch.Set(s.Step, fmt.Sprintf("loss %.4f", s.Loss))
		},
		Eval: func(e baselines.EvalInfo) { held = e.Loss },
		Checkpoint: func(step int, save func(io.Writer) error) error {
			end()
			var file bytes.Buffer
			if err := save(&file); err != nil {
				return err
			}
			if err := writeFile(checkpoint, func(w io.Writer) error { _, err := w.Write(file.Bytes()); return err }); err != nil {
				return fmt.Errorf("experiment: %s: %w", f.kind, err)
			}
			if f.measured == nil {
				return nil
			}
			return f.measured(step, held, file.Bytes())
		},
	}, end
}

// readInto reads a file by f. Errors name it.
func readInto(path string, read func(io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	defer file.Close()
	if err := read(file); err != nil {
		return fmt.Errorf("experiment: %s: %w", path, err)
	}
	return nil
}
