package backend

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCUDADir(t *testing.T) {
	for path, want := range map[string]bool{"/x/pjrt_c_api_cuda_plugin.so": true, "/opt/NVIDIA/x.so": true,
		"/x/pjrt_c_api_cpu_plugin.so": false} {
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
	for set, want := range map[string]string{"": flag + "/usr/local/cuda", "--a=1": "--a=1 " + flag + "/usr/local/cuda",
		flag + "/mine": flag + "/mine"} {
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
