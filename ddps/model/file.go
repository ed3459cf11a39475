package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// modelFormat and modelVersion are in the metadata of every file of weights. A model's file holds its graph,
// settings, chain and weights, and so is all that sampling needs; a checkpoint holds the training's state too.
const (
	modelFormat         = "ddps-model"
	modelVersion        = "1"
	stackVersion        = "2" // of a stack
	stackVisitedVersion = "3" // of one with a context model that discounts visited places
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

// File returns what a model's file holds, with the given weights.
func (m *Model) File(weights [][]float32) (*safetensors.File, error) {
	var graph bytes.Buffer
	if _, err := m.Graph.WriteTo(&graph); err != nil {
		return nil, err
	}
	cfg, err := json.Marshal(m.Config)
	if err != nil {
		return nil, err
	}
	f := &safetensors.File{Meta: map[string]string{safetensors.Format: modelFormat, safetensors.Version: modelVersion,
		"config": string(cfg),
		"graph":  graph.String(), "fingerprint": Fingerprint(m.Graph)}}
	f.Tensors = append(f.Tensors, safetensors.Tensor{Name: "chain", Shape: []int{len(m.Chain.P)}, F64: m.Chain.P})
	if m.Stack != nil {
		return f, storeStack(f, m.Stack, m.Config.Stack.Half)
	}
	if !m.Config.Mixture.Simple() {
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: "mixture.weight", Shape: []int{len(m.Mixture.Weight)},
			F64: m.Mixture.Weight},
			safetensors.Tensor{Name: "mixture", Shape: []int{len(m.Mixture.Product.Edge), len(m.Mixture.Weight)},
				F64: m.Mixture.P})
	}
	m.Store(f, "param", weights)
	return f, nil
}

// Store adds arrays shaped as the parameters, under a prefix.
func (m *Model) Store(f *safetensors.File, prefix string, arrays [][]float32) {
	for i, a := range arrays {
		p := m.Net.Params()[i]
		f.Tensors = append(f.Tensors, safetensors.Tensor{Name: prefix + "." + p.Name, Shape: p.Shape, F32: a})
	}
}

// Fetch reads arrays shaped as the parameters into dst.
func (m *Model) Fetch(f *safetensors.File, prefix string, dst [][]float32) error {
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

// Weights returns the live arrays of the network, none if there is no network.
func (m *Model) Weights() [][]float32 {
	var w [][]float32
	if m.Net != nil {
		for _, p := range m.Net.Params() {
			w = append(w, p.Data)
		}
	}
	return w
}

// ReadFile reads a file of weights and checks that it is whole.
func ReadFile(r io.Reader) (*safetensors.File, error) {
	return safetensors.ReadSealed(r, "model", modelFormat, modelVersion, stackVersion, stackVisitedVersion)
}

// Save writes the model, in the safetensors format. The same model gives the same bytes.
func (m *Model) Save(w io.Writer) error {
	f, err := m.File(m.Weights())
	if err != nil {
		return fmt.Errorf("model: save: %w", err)
	}
	return safetensors.WriteSealed(w, f)
}

// Load reads a model from its file, or from a checkpoint, whose best averaged weights it takes. The error says what
// is missing or damaged.
func Load(r io.Reader) (*Model, error) {
	f, err := ReadFile(r)
	if err != nil {
		return nil, fmt.Errorf("model: load: %w", err)
	}
	m, err := FromFile(f)
	if err != nil {
		return nil, fmt.Errorf("model: load: %w", err)
	}
	prefix := "param"
	if _, ok := f.Meta["step"]; ok {
		prefix = "ema"
	}
	if _, ok := f.Meta["best"]; ok {
		prefix = "best"
	}
	if err := m.Fetch(f, prefix, m.Weights()); err != nil {
		return nil, fmt.Errorf("model: load: %w", err)
	}
	return m, nil
}

// FromFile makes the model that f describes, with fresh weights.
func FromFile(f *safetensors.File) (*Model, error) {
	g, err := ddps.ReadGraph(bytes.NewReader([]byte(f.Meta["graph"])))
	if err != nil {
		return nil, err
	}
	cfg := Config{Mixture: single()} // files from before mixtures
	if err := json.Unmarshal([]byte(f.Meta["config"]), &cfg); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if err := CheckNetwork(cfg.Network); err != nil {
		return nil, err
	}
	t, err := f.Find("chain", g.NumEdges())
	if err != nil {
		return nil, err
	}
	c, err := chain.New(g, t.F64)
	if err != nil {
		return nil, err
	}
	if cfg.Stacked() {
		s, err := fetchStack(f, g)
		if err != nil {
			return nil, err
		}
		return NewStack(c, s, cfg)
	}
	mix, err := fetchMixture(f, c, cfg.Mixture)
	if err != nil {
		return nil, err
	}
	return NewOn(c, mix, cfg, 0)
}

// fetchMixture returns the mixture of these settings that f holds.
func fetchMixture(f *safetensors.File, c *chain.Chain, cfg mixture.Config) (*mixture.Mixture, error) {
	if err := cfg.Check(c.Graph); err != nil {
		return nil, err
	}
	if cfg.Simple() {
		return mixture.Of(c.Distribution()), nil
	}
	lift := cfg.Product(c.Graph)
	weight, err := f.Find("mixture.weight", cfg.Classes)
	if err != nil {
		return nil, err
	}
	p, err := f.Find("mixture", cfg.Classes*len(lift.Edge))
	if err != nil {
		return nil, err
	}
	return mixture.New(lift, weight.F64, p.F64)
}
