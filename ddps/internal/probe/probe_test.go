package probe

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/backend"
)

func TestProbe(t *testing.T) {
	for _, spec := range []string{"go", "go:large", "auto"} {
		r, err := Probe(spec)
		if err != nil || r.Opened == "" || r.Device == "" || !(r.MaxError > 0 && r.MaxError < 1e-6) || r.First <= 0 ||
			r.Step <= 0 {
			t.Errorf("%s: %+v, error %v", spec, r, err)
		}
	}
	if _, err := Probe("xla:/no/such.so"); err == nil || !strings.Contains(err.Error(), "xla:/no/such.so") {
		t.Errorf("error %v", err)
	}
}

// Wrong numbers, a wrong shape and NaN are found, and so is a device that multiplies in TF32 (10 bits of mantissa).
func TestProbeFinds(t *testing.T) {
	x, y, z := waves(probeM, probeK, 0.7), waves(probeK, probeN, 1.1), waves(probeM, probeN, 1.9)
	step := func(x, y matrix) []*tensors.Tensor {
		r := x.times(y).minus(z)
		return []*tensors.Tensor{r.tensor(), r.times(y.transposed()).tensor(), x.transposed().times(r).tensor()}
	}
	if err := new(Report).compare(step(x, y), x, y, z); err != nil {
		t.Error(err)
	}
	tf32 := func(m matrix) matrix {
		for i, v := range m.at {
			m.at[i] = float64(math.Float32frombits(math.Float32bits(float32(v)) &^ 0x1fff))
		}
		return m
	}
	rounded := step(tf32(waves(probeM, probeK, 0.7)), tf32(waves(probeK, probeN, 1.1)))
	nan, off := waves(probeM, probeN, 0), step(x, y)
	nan.at[7] = math.NaN()
	off[2] = off[0]
	for want, out := range map[string][]*tensors.Tensor{"A·B − C is wrong by": rounded, "A·B − C is wrong by NaN": {
		nan.tensor()},
		"the gradient in B: has shape": off} {
		if err := new(Report).compare(out, x, y, z); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The products of the yardstick itself.
func TestMatrix(t *testing.T) {
	m := matrix{2, 3, []float64{1, 2, 3, 4, 5, 6}}
	p := m.times(m.transposed())
	for i, want := range []float64{14, 32, 32, 77} {
		if p.at[i] != want {
			t.Errorf("%v", p.at)
		}
	}
	if d := p.minus(p); d.at[3] != 0 || d.rows != 2 {
		t.Errorf("%v", d)
	}
}

// On XLA, where it is linked and a plugin is there; DDPS_TEST_XLA=1 says that both are.
func TestProbeXLA(t *testing.T) {
	path, err := backend.Find("cpu")
	if !backend.Linked || err != nil {
		if os.Getenv("DDPS_TEST_XLA") == "1" {
			t.Fatalf("DDPS_TEST_XLA=1, but linked: %v, plugin: %v", backend.Linked, err)
		}
		t.Skip("no XLA here")
	}
	for _, spec := range []string{"xla:cpu", "xla:" + path, "auto"} {
		r, err := Probe(spec)
		if err != nil || !strings.Contains(r.Opened, path) || !(r.MaxError > 0 && r.MaxError < 1e-6) {
			t.Errorf("%s: %+v, error %v", spec, r, err)
		}
	}
}
