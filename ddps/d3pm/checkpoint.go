package d3pm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
)

// modelFormat and modelVersion stand in the metadata of every file of weights. A model's file holds its graph,
// settings, chain and weights, and so is all that sampling needs; a checkpoint holds the training's state too.
const (
	modelFormat  = "ddps-model"
	modelVersion = "1"
)

// Fingerprint identifies a graph's layers and edges, names and all else apart: 16 hexadecimal digits.
func Fingerprint(g *ddps.LayeredGraph) string {
	h := sha256.New()
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		fmt.Fprintln(h, "layer", hi-lo)
		for v := lo; v < hi; v++ {
			fmt.Fprintln(h, g.From(v))
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// file returns what a model's file holds, with the given weights.
func (m *Model) file(weights [][]float32) (*safetensors.File, error) {
	var graph bytes.Buffer
	if _, err := m.Graph.WriteTo(&graph); err != nil {
		return nil, err
	}
	cfg, err := json.Marshal(m.Config)
	if err != nil {
		return nil, err
	}
	f := &safetensors.File{Meta: map[string]string{safetensors.Format: modelFormat, safetensors.Version: modelVersion, "config": string(cfg),
		"graph": graph.String(), "fingerprint": Fingerprint(m.Graph)}}
	f.Tensors = append(f.Tensors, safetensors.Tensor{Name: "chain", Shape: []int{len(m.Chain.P)}, F64: m.Chain.P})
	if !m.Config.Mixture.Simple() {
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: "mixture.weight", Shape: []int{len(m.Mixture.Weight)}, F64: m.Mixture.Weight},
			safetensors.Tensor{Name: "mixture", Shape: []int{len(m.Mixture.Lift.Edge), len(m.Mixture.Weight)}, F64: m.Mixture.P})
	}
	m.store(f, "param", weights)
	return f, nil
}

// store adds arrays shaped as the parameters, under a prefix.
func (m *Model) store(f *safetensors.File, prefix string, arrays [][]float32) {
	for i, a := range arrays {
		p := m.Net.Params()[i]
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: prefix + "." + p.Name, Shape: p.Shape, F32: a})
	}
}

// fetch reads arrays shaped as the parameters into dst.
func (m *Model) fetch(f *safetensors.File, prefix string, dst [][]float32) error {
	for i, d := range dst {
		name := prefix + "." + m.Net.Params()[i].Name
		t, err := f.Find(name, len(d))
		if err != nil {
			return err
		}
		if t.F32 == nil && len(d) > 0 {
			return fmt.Errorf("array %q is not float32", name)
		}
		copy(d, t.F32)
	}
	return nil
}

// weights returns the live arrays of the network, none if there is no network.
func (m *Model) weights() [][]float32 {
	var w [][]float32
	if m.Net != nil {
		for _, p := range m.Net.Params() {
			w = append(w, p.Data)
		}
	}
	return w
}

// read reads a file of weights and checks that it is whole.
func read(r io.Reader) (*safetensors.File, error) {
	return safetensors.ReadSealed(r, "model", modelFormat, modelVersion)
}

// Save writes the model, in the safetensors format. The same model gives the same bytes.
func (m *Model) Save(w io.Writer) error {
	f, err := m.file(m.weights())
	if err != nil {
		return fmt.Errorf("d3pm: save: %w", err)
	}
	return safetensors.WriteSealed(w, f)
}

// Load reads a model from its file, or from a checkpoint, whose best averaged weights it takes. The error says what
// is missing or damaged.
func Load(r io.Reader) (*Model, error) {
	f, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("d3pm: load: %w", err)
	}
	m, err := fromFile(f)
	if err != nil {
		return nil, fmt.Errorf("d3pm: load: %w", err)
	}
	prefix := "param"
	if _, ok := f.Meta["step"]; ok {
		prefix = "ema"
	}
	if _, ok := f.Meta["best"]; ok {
		prefix = "best"
	}
	if err := m.fetch(f, prefix, m.weights()); err != nil {
		return nil, fmt.Errorf("d3pm: load: %w", err)
	}
	return m, nil
}

// fromFile makes the model that f describes, with fresh weights.
func fromFile(f *safetensors.File) (*Model, error) {
	g, err := ddps.ReadGraph(bytes.NewReader([]byte(f.Meta["graph"])))
	if err != nil {
		return nil, err
	}
	cfg := ModelConfig{Mixture: single()} // files from before mixtures
	if err := json.Unmarshal([]byte(f.Meta["config"]), &cfg); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	t, err := f.Find("chain", g.NumEdges())
	if err != nil {
		return nil, err
	}
	c, err := chain.New(g, t.F64)
	if err != nil {
		return nil, err
	}
	mix, err := fetchMixture(f, c, cfg.Mixture)
	if err != nil {
		return nil, err
	}
	return NewModelOn(c, mix, cfg, 0)
}

// fetchMixture returns the mixture of these settings that f holds.
func fetchMixture(f *safetensors.File, c *chain.Chain, cfg chain.MixtureConfig) (*chain.Mixture, error) {
	if err := cfg.Check(c.Graph); err != nil {
		return nil, err
	}
	if cfg.Simple() {
		return c.Law().Single(), nil
	}
	lift := cfg.Lift(c.Graph)
	weight, err := f.Find("mixture.weight", cfg.Classes)
	if err != nil {
		return nil, err
	}
	p, err := f.Find("mixture", cfg.Classes*len(lift.Edge))
	if err != nil {
		return nil, err
	}
	return chain.NewMixture(lift, weight.F64, p.F64)
}

// Save writes a checkpoint: the model, its averaged weights, the optimiser and where the random numbers are,
// which is all that going on needs.
func (t *Trainer) Save(w io.Writer) error {
	f, err := t.model.file(t.model.weights())
	if err != nil {
		return fmt.Errorf("d3pm: checkpoint: %w", err)
	}
	train, err := json.Marshal(t.cfg)
	if err != nil {
		return fmt.Errorf("d3pm: checkpoint: %w", err)
	}
	f.Meta["step"], f.Meta["train"] = strconv.Itoa(t.step), string(train)
	t.model.store(f, "ema", t.opt.Mean)
	t.model.store(f, "adam.m", t.opt.M)
	t.model.store(f, "adam.v", t.opt.V)
	if t.best != nil {
		f.Meta["best"], f.Meta["stale"] = strconv.FormatFloat(t.score, 'g', -1, 64), strconv.Itoa(t.stale)
		t.model.store(f, "best", t.best)
	}
	return safetensors.WriteSealed(w, f)
}

// Restore sets the trainer to where a checkpoint was, after which Run goes on as if it had never stopped. It is
// an error if the checkpoint is damaged, or is of another graph, chain, model or training configuration; the trainer
// is then as before. A checkpoint of a shorter run, else the same, is taken: the learning rate goes on as that of the
// longer one, higher than where the shorter one was, and patience begins anew.
func (t *Trainer) Restore(r io.Reader) error {
	f, err := read(r)
	if err != nil {
		return fmt.Errorf("d3pm: resume: %w", err)
	}
	if err := t.restore(f); err != nil {
		return fmt.Errorf("d3pm: resume: %w", err)
	}
	return nil
}

func (t *Trainer) restore(f *safetensors.File) error {
	old, err := fromFile(f)
	if err != nil {
		return err
	}
	want, err := t.model.file(nil)
	if err != nil {
		return err
	}
	if f.Meta["fingerprint"] != want.Meta["fingerprint"] || Fingerprint(old.Graph) != f.Meta["fingerprint"] {
		return fmt.Errorf("the checkpoint is of another graph (%s, this one is %s)", f.Meta["fingerprint"], want.Meta["fingerprint"])
	}
	if f.Meta["config"] != want.Meta["config"] {
		return fmt.Errorf("the checkpoint is of another model: %s, this one is %s", f.Meta["config"], want.Meta["config"])
	}
	for e, p := range old.Chain.P {
		if math.Abs(p-t.model.Chain.P[e]) > 1e-9 { // a processor may round in its own way
			return errors.New("the checkpoint is of another chain: it was trained on other paths")
		}
	}
	for i, p := range old.Mixture.P {
		if math.Abs(p-t.model.Mixture.P[i]) > 1e-4 { // so is a search for a maximum
			return errors.New("the checkpoint is of another mixture of chains: it was trained on other paths")
		}
	}
	var cfg TrainConfig
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
func (t *Trainer) adopt(f *safetensors.File, old *Model, step int) error {
	opt := engine.NewOptimizer(t.cfg.Optim, old.Net.Params())
	for _, part := range []struct {
		prefix string
		dst    [][]float32
	}{{"param", old.weights()}, {"ema", opt.Mean}, {"adam.m", opt.M}, {"adam.v", opt.V}} {
		if err := old.fetch(f, part.prefix, part.dst); err != nil {
			return err
		}
	}
	best, score, stale, err := old.fetchBest(f)
	if err != nil {
		return err
	}
	for i, w := range t.model.weights() {
		copy(w, old.weights()[i])
	}
	copy(t.model.Chain.P, old.Chain.P)
	copy(t.model.Mixture.P, old.Mixture.P)
	copy(t.model.Mixture.Weight, old.Mixture.Weight)
	if exact, ok := t.model.exact.(*chain.MixtureDenoiser); ok {
		exact.Refill(t.model.Mixture)
	}
	t.opt, t.step, t.best, t.score, t.stale = opt, step, best, score, stale
	return nil
}

// fetchBest returns the best weights of a checkpoint, their held-out score and the evaluations since, nil if it has none.
func (m *Model) fetchBest(f *safetensors.File) (best [][]float32, score float64, stale int, err error) {
	text, ok := f.Meta["best"]
	if !ok {
		return nil, 0, 0, nil
	}
	if score, err = strconv.ParseFloat(text, 64); err != nil {
		return nil, 0, 0, fmt.Errorf("held-out score %q: %w", text, err)
	}
	if text, ok := f.Meta["stale"]; ok {
		if stale, err = strconv.Atoi(text); err != nil {
			return nil, 0, 0, fmt.Errorf("evaluations since the best %q: %w", text, err)
		}
	}
	for _, w := range m.weights() {
		best = append(best, make([]float32, len(w)))
	}
	return best, score, stale, m.fetch(f, "best", best)
}
