package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// sum is what a file must be.
type sum struct {
	sha256 string // in hexadecimal
	size   int64  // in bytes
}

// Wheel is a wheel of the Python package index that holds a PJRT plugin, pinned by its sums.
type Wheel struct {
	Plugin  string // "cpu" or "cuda"
	System  string // GOOS/GOARCH
	Package string // its name on the index
	Version string // of the package
	File    string // the wheel's name
	API     string // the plugin's version of the PJRT API (go-xla v0.1.4 is written for 0.83)
	wheel   sum
	member  string // the plugin's name in the wheel
	plugin  sum
}

// String is the package and its version.
func (w Wheel) String() string { return w.Package + " " + w.Version }

// pinned are the wheels that this program installs. The first holds the build manual-2026-06-23T00-20-00Z of
// zml/pjrt-artifacts, the second is the JAX team's; both are Apache-2.0.
func pinned() []Wheel {
	return []Wheel{{
		Plugin: "cpu", System: "linux/amd64", Package: "fastatomstruct-xla-cpu", Version: "2026.6.23", API: "0.106",
		File:   "fastatomstruct_xla_cpu-2026.6.23-py3-none-manylinux_2_27_x86_64.whl",
		wheel:  sum{"88b1c430b341b4bea40a37420311c9c75db6e22b46d2ff95b6986577bee6afe9", 63_200_622},
		member: "fastatomstruct_xla_cpu/libpjrt_cpu.so",
		plugin: sum{"0a0fe56ca17be9efc7b942e89e534e5e0ad4a0f1e369b66d27b62184509015b9", 273_768_800},
	}, {
		Plugin: "cuda", System: "linux/amd64", Package: "jax-cuda13-pjrt", Version: "0.10.2", API: "0.112",
		File:   "jax_cuda13_pjrt-0.10.2-py3-none-manylinux_2_27_x86_64.whl",
		wheel:  sum{"a97e9cabe0e21d8dbcc70bd909ca1c34cd546d3ce2d94b4cd907a8d4f6179f6a", 124_395_292},
		member: "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
		plugin: sum{"4443b8c89bd43923dcb895efc95058c65682de1724ec5a66854a96d4731e4228", 401_479_448},
	}}
}

// releaseURL is where go-xla's own installer (v0.1.4) has the CPU plugin from, built for the very API that go-xla
// is written for; "" for a system that it is not built for. The release states no sums.
func releaseURL(system string) string {
	asset := map[string]string{"linux/amd64": "linux_amd64", "darwin/arm64": "darwin_arm64"}[system]
	if asset == "" {
		return ""
	}
	return "https://github.com/gomlx/pjrt-cpu-binaries/releases/download/v0.83.3/pjrt_cpu_" + asset + ".tar.gz"
}

// Known returns the wheel whose plugin the file at path is, byte for byte. It reads the file only if the size is
// that of one.
func Known(path string) (Wheel, bool) { return known(path, pinned()) }

func known(path string, wheels []Wheel) (Wheel, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return Wheel{}, false
	}
	for _, w := range wheels {
		if w.plugin.size != info.Size() {
			continue
		}
		if got, err := sumOf(path); err == nil && got == w.plugin {
			return w, true
		}
	}
	return Wheel{}, false
}

func sumOf(path string) (sum, error) {
	f, err := os.Open(path)
	if err != nil {
		return sum{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return sum{hex.EncodeToString(h.Sum(nil)), n}, err
}

// check compares what came with what must come.
func (s sum) check(got sum, what string) error {
	if got.size != s.size {
		return fmt.Errorf("%s has %d bytes, not the %d that this program expects: not installed", what, got.size, s.size)
	}
	if got.sha256 != s.sha256 {
		return fmt.Errorf("%s has the sha256 %s, not %s, which this program expects: not installed", what, got.sha256,
			s.sha256)
	}
	return nil
}
