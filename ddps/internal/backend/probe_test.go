package backend

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/tensors"
)

func TestProbe(t *testing.T) {
	for _, spec := range []string{"go", "go:large", "auto"} {
		r, err := Probe(spec)
		if err != nil || r.Opened == "" || r.Device == "" || !(r.MaxError > 0 && r.MaxError < 1e-6) || r.First < r.Step || r.Step <= 0 {
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
	for want, out := range map[string][]*tensors.Tensor{"A·B − C is wrong by": rounded, "A·B − C is wrong by NaN": {nan.tensor()},
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

func TestCUDADir(t *testing.T) {
	for path, want := range map[string]bool{"/x/pjrt_c_api_cuda_plugin.so": true, "/opt/NVIDIA/x.so": true, "/x/pjrt_c_api_cpu_plugin.so": false} {
		if isCUDA(path) != want {
			t.Errorf("%s", path)
		}
	}
	home, beside := t.TempDir(), t.TempDir()
	plugin := filepath.Join(beside, "pjrt_c_api_cuda_plugin.so")
	t.Setenv("CUDA_PATH", "")
	t.Setenv("CUDA_HOME", home)
	flags := func(set string) string {
		t.Setenv("XLA_FLAGS", set)
		setCUDADir(plugin)
		return os.Getenv("XLA_FLAGS")
	}
	const flag = "--xla_gpu_cuda_data_dir="
	for set, want := range map[string]string{"": flag + "/usr/local/cuda", "--a=1": "--a=1 " + flag + "/usr/local/cuda", flag + "/mine": flag + "/mine"} {
		if got := flags(set); got != want {
			t.Errorf("%q: %q, want %q", set, got, want)
		}
	}
	for _, dir := range []string{filepath.Join(beside, "cu13"), home} { // the later goes first
		if err := os.MkdirAll(filepath.Join(dir, "nvvm", "libdevice"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got := flags(""); got != flag+dir {
			t.Errorf("%q, want %q", got, flag+dir)
		}
	}
}
