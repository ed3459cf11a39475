package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps/train"
)

// Log is what a run logged.
type Log struct {
	Kappa   *KappaInfo   // nil: none was chosen
	Mixture *MixtureInfo // the same
	Parts   []train.PartInfo
	Stack   *StackInfo // nil: the model is no stack, or not yet
	Steps   []train.StepInfo
	Evals   []train.EvalInfo
	Bounds  []train.BoundInfo
}

// Curve is a quantity in the course of training.
type Curve struct {
	Step []float64
	Gain []float64 // by how much the network's cross-entropy is below that of the base alone, in nats per path
}

// Gains returns what the network gained on training batches and on validation paths.
func (l *Log) Gains() (train, held Curve) {
	for _, s := range l.Steps {
		train.Step, train.Gain = append(train.Step, float64(s.Step)), append(train.Gain, s.BaseCE-s.Loss.CE)
	}
	for _, e := range l.Evals {
		held.Step, held.Gain = append(held.Step, float64(e.Step)), append(held.Gain, e.Gain())
	}
	return train, held
}

// Log returns what the run logged; nothing if it has not begun. A last line that is cut off is left out, any other
// that does not read is an error with its number.
func (r *Run) Log() (*Log, error) {
	path, log := filepath.Join(r.Dir, logFile), &Log{}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.warnGone(logFile)
		return log, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	var bad error
	for n := 1; lines.Scan(); n++ {
		if bad != nil {
			return nil, bad
		}
		if bad = log.read(lines.Bytes()); bad != nil {
			bad = fmt.Errorf("run: %s:%d: %w", path, n, bad)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("run: %s: %w", path, err)
	}
	return log, r.check(logFile)
}

// read reads a line: what it tells of is seen by a field that no other has.
func (l *Log) read(line []byte) error {
	var kind struct {
		Steps, Kappa json.RawMessage
		Part         json.RawMessage
		Stack        json.RawMessage `json:"stack_nll"`
		Mixture      json.RawMessage `json:"held_mixture_nats"`
		Bound        json.RawMessage `json:"held_bound"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch {
	case kind.Steps != nil:
		return appendJSON(&l.Steps, line)
	case kind.Part != nil:
		return appendJSON(&l.Parts, line)
	case kind.Stack != nil:
		l.Stack = new(StackInfo)
		return json.Unmarshal(line, l.Stack)
	case kind.Kappa != nil:
		l.Kappa = new(KappaInfo)
		return json.Unmarshal(line, l.Kappa)
	case kind.Mixture != nil:
		l.Mixture = new(MixtureInfo)
		return json.Unmarshal(line, l.Mixture)
	case kind.Bound != nil:
		return appendJSON(&l.Bounds, line)
	}
	return appendJSON(&l.Evals, line)
}

func appendJSON[T any](list *[]T, line []byte) error {
	var x T
	err := json.Unmarshal(line, &x)
	if err == nil {
		*list = append(*list, x)
	}
	return err
}

// logEvery is how many steps there are from one logged step to the next.
const logEvery = 10

// openLog opens the log to go on after a step: lines of later ones, left by a run that was killed, go. It tells
// whether the log is empty.
func (r *Run) openLog(step int) (log *os.File, empty bool, err error) {
	if err := r.unseal(logFile); err != nil {
		return nil, false, err
	}
	path := filepath.Join(r.Dir, logFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, err
	}
	var kept []byte
	for line := range bytes.Lines(old) {
		var at struct {
			Step int `json:"step"`
		}
		if json.Unmarshal(line, &at) == nil && at.Step <= step {
			kept = append(append(kept, bytes.TrimSuffix(line, []byte("\n"))...), '\n') // the last may lack it
		}
	}
	if err := pathfile.WriteWhole(path, func(w io.Writer) error { _, err := w.Write(kept); return err }); err != nil {
		return nil, false, err
	}
	log, err = os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
	return log, len(kept) == 0, err
}

// logger returns what writes a line to log.jsonl. A log that cannot be written does not stop training: it ends there,
// with a warning, and so in at most one line that is cut off.
func (r *Run) logger(w io.Writer) func(line any) {
	enc, full, odd := json.NewEncoder(w), false, false
	return func(line any) {
		if full {
			return
		}
		err := enc.Encode(line)
		var unsupported *json.UnsupportedValueError // before anything is written
		if errors.As(err, &unsupported) {
			if !odd {
				r.warn("log: numbers that are not finite are left out")
			}
			odd = true
		} else if err != nil {
			full = true
			r.warn("the log ends here: " + err.Error())
		}
	}
}

// logged returns hooks that also write to the log.
func logged(write func(line any), h train.Hooks) train.Hooks {
	return train.Hooks{
		Step: also(func(s train.StepInfo) {
			if s.Step%logEvery == 0 || s.Step == 1 || s.Step == s.Steps {
				write(s)
			}
		}, h.Step),
		Eval:    also(func(e train.EvalInfo) { write(e) }, h.Eval),
		Bound:   also(func(b train.BoundInfo) { write(b) }, h.Bound),
		Measure: h.Measure,
	}
}

// also returns a hook that calls own, and then h unless that is nil.
func also[T any](own, h func(T)) func(T) {
	return func(x T) {
		if own(x); h != nil {
			h(x)
		}
	}
}
