package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
)

// Save writes a checkpoint: the model, its averaged weights, the optimiser and where the random numbers are,
// which is all that going on needs.
func (t *Trainer) Save(w io.Writer) error {
	f, err := t.model.File(t.model.Weights())
	if err != nil {
		return fmt.Errorf("train: checkpoint: %w", err)
	}
	train, err := json.Marshal(t.cfg)
	if err != nil {
		return fmt.Errorf("train: checkpoint: %w", err)
	}
	f.Meta["step"], f.Meta["train"] = strconv.Itoa(t.step), string(train)
	t.model.Store(f, "ema", t.opt.Mean)
	t.model.Store(f, "adam.m", t.opt.M)
	t.model.Store(f, "adam.v", t.opt.V)
	if t.best != nil {
		f.Meta["best"], f.Meta["stale"] = strconv.FormatFloat(t.score, 'g', -1, 64), strconv.Itoa(t.stale)
		t.model.Store(f, "best", t.best)
	}
	return safetensors.WriteSealed(w, f)
}

// Restore sets the trainer to where a checkpoint was, after which Run continues as if it had never stopped. It is
// an error if the checkpoint is damaged, or is of another graph, chain, model or training configuration; the trainer
// is then as before. A checkpoint of a shorter run, else the same, is taken: the learning rate continues as that of the
// longer one, higher than where the shorter one was, and patience begins anew.
func (t *Trainer) Restore(r io.Reader) error {
	f, err := model.ReadFile(r)
	if err != nil {
		return fmt.Errorf("train: resume: %w", err)
	}
	if err := t.restore(f); err != nil {
		return fmt.Errorf("train: resume: %w", err)
	}
	return nil
}

func (t *Trainer) restore(f *safetensors.File) error {
	old, err := model.FromFile(f)
	if err != nil {
		return err
	}
	want, err := t.model.File(nil)
	if err != nil {
		return err
	}
	if f.Meta["fingerprint"] != want.Meta["fingerprint"] || model.Fingerprint(old.Graph) != f.Meta["fingerprint"] {
		return fmt.Errorf("the checkpoint is of another graph (%s, this one is %s)", f.Meta["fingerprint"],
			want.Meta["fingerprint"])
	}
	if have, need := old.Config.Own(), t.model.Config.Own(); have != need {
		return fmt.Errorf("the checkpoint is of another model: %+v, this one is %+v", have, need)
	}
	for e, p := range old.Chain.P {
		if math.Abs(p-t.model.Chain.P[e]) > 1e-9 { // a CPU may round in its own way
			return errors.New("the checkpoint is of another chain: it was trained on other paths")
		}
	}
	for i, p := range old.Mixture.P {
		if math.Abs(p-t.model.Mixture.P[i]) > 1e-4 { // so is a search for a maximum
			return errors.New("the checkpoint is of another mixture of chains: it was trained on other paths")
		}
	}
	var cfg Config
	if err := json.Unmarshal([]byte(f.Meta["train"]), &cfg); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	shorter := cfg.Steps < t.cfg.Steps
	if shorter {
		cfg.Steps = t.cfg.Steps
	}
	if cfg != t.cfg {
		return fmt.Errorf("the checkpoint was trained by other settings: %+v, these are %+v", cfg, t.cfg)
	}
	step, err := strconv.Atoi(f.Meta["step"])
	if err != nil || step < 0 || step > t.cfg.Steps {
		return fmt.Errorf("step %q is not in 0…%d", f.Meta["step"], t.cfg.Steps)
	}
	if err := t.adopt(f, old, step); err != nil {
		return err
	}
	if shorter {
		t.stale = 0
	}
	return nil
}

// adopt takes over the checkpoint's state, all of it or nothing.
func (t *Trainer) adopt(f *safetensors.File, old *model.Model, step int) error {
	opt := engine.NewOptimizer(t.cfg.Optim, old.Net.Params())
	for _, part := range []struct {
		prefix string
		dst    [][]float32
	}{{"param", old.Weights()}, {"ema", opt.Mean}, {"adam.m", opt.M}, {"adam.v", opt.V}} {
		if err := old.Fetch(f, part.prefix, part.dst); err != nil {
			return err
		}
	}
	best, score, stale, err := fetchBest(old, f)
	if err != nil {
		return err
	}
	for i, w := range t.model.Weights() {
		copy(w, old.Weights()[i])
	}
	copy(t.model.Chain.P, old.Chain.P)
	copy(t.model.Mixture.P, old.Mixture.P)
	copy(t.model.Mixture.Weight, old.Mixture.Weight)
	if exact, ok := t.model.Exact().(*mixture.Denoiser); ok {
		exact.Refill(t.model.Mixture)
	}
	t.opt, t.step, t.best, t.score, t.stale = opt, step, best, score, stale
	return nil
}

// fetchBest returns the best weights of a checkpoint, their validation score and the evaluations since, nil if it has
// none.
func fetchBest(m *model.Model, f *safetensors.File) (best [][]float32, score float64, stale int, err error) {
	text, ok := f.Meta["best"]
	if !ok {
		return nil, 0, 0, nil
	}
	if score, err = strconv.ParseFloat(text, 64); err != nil {
		return nil, 0, 0, fmt.Errorf("validation score %q: %w", text, err)
	}
	if text, ok := f.Meta["stale"]; ok {
		if stale, err = strconv.Atoi(text); err != nil {
			return nil, 0, 0, fmt.Errorf("evaluations since the best %q: %w", text, err)
		}
	}
	for _, w := range m.Weights() {
		best = append(best, make([]float32, len(w)))
	}
	return best, score, stale, m.Fetch(f, "best", best)
}
