//go:build xla && cgo && ((linux && amd64) || darwin)

package backend

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/xla"
)

// linked tells whether this program can open XLA at all.
const linked = true

// load opens a plugin file that Check has passed. An absolute path keeps go-xla from searching and from
// installing; installation is turned off all the same.
func load(path string, shared bool) (backends.Backend, error) {
	xla.EnableAutoInstall(false)
	if name := strings.ToLower(filepath.Base(path)); strings.Contains(name, "cuda") {
		setCUDADir(path)
	}
	if shared { // the CPU's buffers are the host's own; GoMLX infers it from the bare name "cpu" only
		path += ",shared_buffers"
	}
	return xla.New(path)
}

// setCUDADir names CUDA's data directory to XLA unless XLA_FLAGS does: go-xla v0.1.4 would otherwise set a
// directory of its author's machine.
func setCUDADir(plugin string) {
	const flag = "--xla_gpu_cuda_data_dir="
	flags := os.Getenv("XLA_FLAGS")
	if strings.Contains(flags, flag) {
		return
	}
	for _, dir := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), filepath.Dir(plugin), "/usr/local/cuda"} {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "nvvm", "libdevice")); err == nil || dir == "/usr/local/cuda" {
			os.Setenv("XLA_FLAGS", strings.TrimSpace(flags+" "+flag+dir))
			return
		}
	}
}
