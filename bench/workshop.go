package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ddps-go/ddps/ddps/model"
)

// keepMemory has glibc keep what is given back, as this program's XLA does by itself: PyTorch trains a few percent
// faster.
var keepMemory = []string{"MALLOC_ARENA_MAX=1", "MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=2147483647",
	"MALLOC_TOP_PAD_=67108864"}

// newWorkshop builds the engines in dir; before is the directory of an earlier revision's programs, or "". What cannot
// be built is noted as lacking; only the native engine must be there.
func newWorkshop(ctx context.Context, dir, before string, say func(format string, args ...any)) (*workshop, error) {
	w := &workshop{dir: dir, before: before, lacking: map[string]string{}, absent: absent(model.Vectors(), before),
		env: append([]string{"GOMLX_NO_AUTO_INSTALL=1"}, keepMemory...)}
	if err := os.MkdirAll(filepath.Join(dir, "cases"), 0o777); err != nil {
		return nil, err
	}
	say("building the engines")
	if err := w.build(ctx, "bench-native", "bench", ".", "CGO_ENABLED=0"); err != nil {
		return nil, err
	}
	if err := w.build(ctx, "ddps", ".", "./cmd/ddps", "CGO_ENABLED=0"); err != nil {
		return nil, err
	}
	if err := w.xla(ctx); err != nil {
		w.lacking[engineXLA] = err.Error()
	}
	say("setting up PyTorch, once: gigabytes")
	if err := w.run(ctx, nil, filepath.Join("bench", "torch", "setup.sh"), filepath.Join(dir, "torch")); err != nil {
		for _, engine := range torches {
			w.lacking[engine] = err.Error()
		}
	}
	if _, err := exec.LookPath("g++"); err != nil {
		w.lacking[engineCompiled] = "torch.compile needs a C++ compiler, and there is no g++"
	}
	for engine, why := range w.lacking {
		say("without %s: %s", engine, why)
	}
	return w, ctx.Err()
}

// absent lists the engines that have nothing to show where the native one uses kind.
func absent(kind, before string) map[string]bool {
	return map[string]bool{engineAVX2: kind != "AVX-512", engineNarrow: kind != "AVX-512", enginePlain: kind == "plain Go",
		engineBefore: before == ""}
}

// build builds a program under a name, of a package of the module in a directory.
func (w *workshop) build(ctx context.Context, name, module, pkg string, env ...string) error {
	args := []string{"build", "-C", module, "-o", filepath.Join(w.dir, name)}
	if name == "bench-xla" {
		args = append(args, "-tags", "xla")
	}
	return w.run(ctx, env, "go", append(args, pkg)...)
}

// xla builds the program with XLA, and sees that there is a plugin: that of the environment, else one of the package
// index, as ddps backend install gets it.
func (w *workshop) xla(ctx context.Context) error {
	if err := w.build(ctx, "bench-xla", "bench", ".", "CGO_ENABLED=1"); err != nil {
		return err
	}
	if os.Getenv("PJRT_PLUGIN_LIBRARY_PATH") != "" {
		return nil
	}
	plugins := filepath.Join(w.dir, "xla")
	w.env = append(w.env, "PJRT_PLUGIN_LIBRARY_PATH="+plugins)
	if _, err := os.Stat(filepath.Join(plugins, "pjrt_c_api_cpu_plugin.so")); err == nil {
		return nil
	}
	return w.run(ctx, nil, filepath.Join(w.dir, "ddps"), "backend", "install", "xla:cpu", "--quiet", "--dir", plugins)
}

// run runs a command; the error has the last line that it wrote.
func (w *workshop) run(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Errorf("%s: %s", name, last)
	}
	return errors.Join(fmt.Errorf("%s failed", name), err)
}
