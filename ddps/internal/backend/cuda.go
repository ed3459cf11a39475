package backend

import (
	"os"
	"path/filepath"
	"strings"
)

// isCUDA reports whether go-xla v0.1.4 takes the plugin at path for CUDA's (it looks at the whole path).
func isCUDA(path string) bool {
	path = strings.ToLower(path)
	return strings.Contains(path, "cuda") || strings.Contains(path, "nvidia")
}

// setCUDADir names CUDA's data directory (libdevice, ptxas) to XLA, unless XLA_FLAGS does: go-xla v0.1.4 would
// otherwise set a directory in its author's home, which hides CUDA wherever it is. It must run before the plugin
// is loaded, which reads XLA_FLAGS once.
func setCUDADir(plugin string) {
	const flag = "--xla_gpu_cuda_data_dir="
	flags := os.Getenv("XLA_FLAGS")
	if strings.Contains(flags, flag) {
		return
	}
	os.Setenv("XLA_FLAGS", strings.TrimSpace(flags+" "+flag+cudaDir(plugin)))
}

// cudaDir is the first of CUDA_HOME, CUDA_PATH, what is beside the plugin as in NVIDIA's wheels, and
// /usr/local/cuda that holds libdevice; /usr/local/cuda where none does.
func cudaDir(plugin string) string {
	const system = "/usr/local/cuda"
	beside := filepath.Dir(plugin)
	for _, dir := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), filepath.Join(beside, "cu13"),
		filepath.Join(beside, "cuda_nvcc"), beside} {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "nvvm", "libdevice")); err == nil {
			return dir
		}
	}
	return system
}
