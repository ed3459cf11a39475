package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ddps-go/ddps/internal/atomicfile"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// Name is the kernel's name, jupyter console --kernel ddps, and the name of its directory.
const Name = "ddps"

// displayName is what menus show.
const displayName = "DDPS (Go)"

// Spec is a kernelspec, the file by which Jupyter finds a kernel.
type Spec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env,omitempty"`
	Metadata      map[string]any    `json:"metadata"`
}

// EnvGo is the variable, set in the kernelspec, that names the go command: servers started from a desktop have
// another PATH than terminals.
const EnvGo = "DDPS_GO"

// UserData is the directory in which Jupyter looks for a user's kernelspecs.
func UserData() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		return filepath.Join(os.Getenv("APPDATA"), "jupyter"), nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// SysPrefix is the prefix of the Python environment that is active: VIRTUAL_ENV or CONDA_PREFIX.
func SysPrefix() (string, error) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(name); dir != "" {
			return dir, nil
		}
	}
	return "", errors.New("no Python environment is active: neither VIRTUAL_ENV nor CONDA_PREFIX is set")
}

// PrefixData is the directory of kernelspecs' data under a prefix.
func PrefixData(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// specFolder is the kernelspec's directory under a data directory.
func specFolder(data string) string { return filepath.Join(data, "kernels", Name) }

// Install writes the kernelspec under a data directory and returns its directory. program is the command line prefix
// that runs a kernel, to which Jupyter adds the connection file; goTool is the go command, "" if there is none.
func Install(data string, program []string, goTool string) (string, error) {
	dir := specFolder(data)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("kernel: install: %w", err)
	}
	spec := Spec{Argv: append(program[:len(program):len(program)], "{connection_file}"), DisplayName: displayName,
		Language:      "go",
		InterruptMode: "message", Metadata: map[string]any{"debugger": true}}
	if goTool != "" {
		spec.Env = map[string]string{EnvGo: goTool}
	}
	files := map[string][]byte{"kernel.json": append(jupyter.ToJSON(spec), '\n'), "logo-svg.svg": logoSVG()}
	for size, name := range map[int]string{32: "logo-32x32.png", 64: "logo-64x64.png"} {
		files[name] = logoPNG(size)
	}
	for name, content := range files {
		if err := atomicfile.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return "", fmt.Errorf("kernel: install: %w", err)
		}
	}
	return dir, nil
}

// Uninstall removes the kernelspec under a data directory and returns its directory.
func Uninstall(data string) (string, error) {
	dir := specFolder(data)
	if _, err := os.Stat(filepath.Join(dir, "kernel.json")); errors.Is(err, fs.ErrNotExist) {
		return dir, fmt.Errorf("kernel: uninstall: there is none in %s", dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return dir, fmt.Errorf("kernel: uninstall: %w", err)
	}
	return dir, nil
}

// Fleeting reports whether a program lies where go run puts it, to be gone when it ends.
func Fleeting(program string) bool {
	return strings.Contains(filepath.ToSlash(program), "/go-build")
}
