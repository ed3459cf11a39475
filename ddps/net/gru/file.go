package gru

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// The metadata of a file.
const (
	format, version = "ddps-gru", "1"
	graphKey        = "graph"
	hiddenKey       = "hidden"
	embedKey        = "embed"
	startKey        = "start"
	tiltKey         = "tilt"
	relationKey     = "relations"
	networksKey     = "networks"
	neverKey        = "never_twice"
)

// Write writes the model without its graph as a safetensors file; half stores the weights as float16, rounded to eleven
// bits, in half the space. The error says so if a weight is beyond float16's range.
func (m *GRU) Write(w io.Writer, half bool) error {
	f := &safetensors.File{Meta: map[string]string{safetensors.Format: format, safetensors.Version: version,
		graphKey: m.layout.fingerprint(), hiddenKey: strconv.Itoa(m.shape.Hidden), embedKey: strconv.Itoa(m.shape.Embed),
		startKey:    strconv.FormatBool(m.shape.Start),
		relationKey: strconv.FormatBool(m.shape.Relations), networksKey: strconv.Itoa(len(m.nets)),
		neverKey: strconv.FormatBool(m.neverTwice)}}
	if !m.tilt.zero() {
		tilt, err := json.Marshal(m.tilt)
		if err != nil {
			return fmt.Errorf("gru: %w", err)
		}
		f.Meta[tiltKey] = string(tilt)
	}
	for i, n := range m.nets {
		for _, p := range n.params {
			f.Tensors = append(f.Tensors,
				safetensors.Tensor{Name: arrayName(i, p), Shape: p.Shape, F32: p.Data, Half: half})
		}
	}
	if err := safetensors.WriteSealed(w, f); err != nil {
		return fmt.Errorf("gru: %w", err)
	}
	return nil
}

// arrayName is what the parameter of a network is called in a file.
func arrayName(network int, p engine.Param) string { return fmt.Sprintf("%d.%s", network, p.Name) }

// Read reads what Write wrote, for the graph g. The error says what is wrong: no such file, damaged, made for another
// graph, a weight that is missing or not finite.
func Read(r io.Reader, g *ddps.LayeredGraph) (*GRU, error) {
	m, err := read(r, newLayout(g))
	if err != nil {
		return nil, fmt.Errorf("gru: %w", err)
	}
	return m, nil
}

func read(r io.Reader, y *layout) (*GRU, error) {
	f, err := safetensors.ReadSealed(r, "GRU", format, version)
	if err != nil {
		return nil, err
	}
	if f.Meta[graphKey] != y.fingerprint() {
		return nil, fmt.Errorf("the network was trained on another graph")
	}
	s, networks := Shape{Start: f.Meta[startKey] == "true", Relations: f.Meta[relationKey] == "true"}, 0
	for _, x := range []struct {
		key string
		to  *int
		by  int
	}{{hiddenKey, &s.Hidden, vec.Lanes}, {embedKey, &s.Embed, vec.Lanes}, {networksKey, &networks, 1}} {
		if *x.to, err = strconv.Atoi(f.Meta[x.key]); err != nil || *x.to <= 0 || *x.to > 4096 || *x.to%x.by != 0 {
			return nil, fmt.Errorf("%s is %q", x.key, f.Meta[x.key])
		}
	}
	var nets []*tables
	for i := range networks {
		n := newNetwork(y, s)
		for j, p := range n.params {
			t, err := f.Find(arrayName(i, p), len(p.Data))
			if err != nil {
				return nil, err
			}
			if len(t.F32) != len(p.Data) || !slices.Equal(t.Shape, p.Shape) {
				return nil, fmt.Errorf("array %q is of another shape or type", t.Name)
			}
			if slices.ContainsFunc(t.F32, func(x float32) bool { return math.IsNaN(float64(x - x)) }) {
				return nil, fmt.Errorf("array %q has numbers that are not finite", t.Name)
			}
			copy(n.data(j), t.F32)
		}
		nets = append(nets, newTables(n))
	}
	m := newGRU(y, s, nets)
	if text := f.Meta[tiltKey]; text != "" {
		var t Tilt
		if err := json.Unmarshal([]byte(text), &t); err != nil || !t.finite() {
			return nil, fmt.Errorf("%s is %q", tiltKey, text)
		}
		m = m.Tilted(t)
	}
	if f.Meta[neverKey] == "true" {
		m = m.NeverTwice()
	}
	return m, nil
}

// fingerprint is the SHA-256 of what a network depends on: layers, places and edges.
func (y *layout) fingerprint() string {
	h := sha256.New()
	put := func(x int) { h.Write(binary.LittleEndian.AppendUint64(nil, uint64(x))) }
	for l := range y.g.NumLayers() {
		_, hi := y.g.Layer(l)
		put(hi)
	}
	for v, p := range y.place {
		put(int(p))
		put(y.g.Degree(v))
		for _, w := range y.g.From(v) {
			put(w)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
