package markov

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// A model is read as it was written, to the last bit.
func TestFile(t *testing.T) {
	g := grid(t, 5, 3)
	for _, cfg := range configs() {
		m := fitted(t, g, cfg)
		var b bytes.Buffer
		if err := m.Write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := Read(bytes.NewReader(b.Bytes()), g)
		if err != nil {
			t.Fatal(err)
		}
		_, p := all(t, m)
		_, q := all(t, got)
		if !slices.Equal(p, q) || got.Config() != cfg {
			t.Errorf("%v: read as %v, with other probabilities", cfg, got.Config())
		}
	}
}

// What is cut off, of another graph or longer is refused; no byte that changes makes Read panic.
func TestFileErrors(t *testing.T) {
	g := grid(t, 4, 2)
	m := fitted(t, g, Config{Order: 1, MinCount: 1, Ridge: 1})
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	for n := 0; n < len(data); n += 1 + len(data)/300 {
		if _, err := Read(bytes.NewReader(data[:n]), g); err == nil {
			t.Fatalf("the first %d of %d bytes are read", n, len(data))
		}
	}
	if _, err := Read(bytes.NewReader(append(slices.Clone(data), 0)), g); err == nil {
		t.Error("a byte more is read")
	}
	if _, err := Read(bytes.NewReader(data), grid(t, 6, 3)); err == nil {
		t.Error("a model of another graph is read")
	}
	for i := range uint64(400) {
		rng, bad := ddps.Rand(3, i), slices.Clone(data)
		bad[rng.IntN(len(bad))] = byte(rng.Uint32())
		if m, err := Read(bytes.NewReader(bad), g); err == nil {
			all(t, m)
		}
	}
}
