package setup

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed" // the tools' go.mod and go.sum
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// The tools have a module of their own, with their own pins: gopls would raise half of this module's. To change a
// pin: go get -modfile=tools/tools.mod -tool MODULE@VERSION. gopls v0.24 wants Go 1.27.
var (
	//go:embed tools/tools.mod
	toolsMod []byte
	//go:embed tools/tools.sum
	toolsSum []byte
)

// toolPackages are the tools.
var toolPackages = []string{"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports",
	"golang.org/x/tools/gopls"}

// ToolFolder is where Setup puts the tools: in the user's cache, by what they are built from.
func ToolFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(slices.Concat(toolsMod, toolsSum, []byte(runtime.Version())))
	return filepath.Join(cache, "ddps", "kernel", hex.EncodeToString(sum[:6])), nil
}

// Setup builds the pinned tools, unless they are there. It needs the network, or a module cache that has them.
func Setup(ctx context.Context, goTool string, note io.Writer) error {
	if goTool == "" {
		if goTool = FindGo(); goTool == "" {
			return errors.New("kernel: set-up: there is no go command; install Go 1.26 from https://go.dev/dl")
		}
	}
	bin, err := ToolFolder()
	if err != nil {
		return fmt.Errorf("kernel: set-up: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
		return fmt.Errorf("kernel: set-up: %w", err)
	}
	lock := flock.New(bin + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("kernel: set-up: %w", err)
	}
	defer lock.Unlock()
	if haveTools(bin) {
		return nil
	}
	fmt.Fprintf(note, "building GoNB, goimports and gopls; this takes minutes, once\n")
	work, err := os.MkdirTemp(filepath.Dir(bin), "build-")
	if err != nil {
		return fmt.Errorf("kernel: set-up: %w", err)
	}
	defer os.RemoveAll(work)
	if err := buildTools(ctx, goTool, work); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(work, "bin"), bin); err != nil {
		return fmt.Errorf("kernel: set-up: %w", err)
	}
	return nil
}

func haveTools(bin string) bool {
	return !slices.ContainsFunc(toolPackages,
		func(p string) bool { return !isProgram(filepath.Join(bin, filepath.Base(p))) })
}

// buildTools builds the tools into work/bin.
func buildTools(ctx context.Context, goTool, work string) error {
	for name, data := range map[string][]byte{"go.mod": toolsMod, "go.sum": toolsSum} {
		if err := os.WriteFile(filepath.Join(work, name), data, 0o644); err != nil {
			return fmt.Errorf("kernel: set-up: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, goTool, append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o",
		filepath.Join(work, "bin") + "/"}, toolPackages...)...)
	cmd.Dir = work
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); name != "GOFLAGS" && name != "GOWORK" {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("kernel: set-up: building the tools: %w\n%s", err, bytes.TrimSpace(text))
	}
	return nil
}
