package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// BuildCommand builds this program with XLA, in the module's root.
const BuildCommand = "CGO_ENABLED=1 go build -tags xla -o out/ ./cmd/ddps"

// pathVariable lists the directories of plugins, and then no others are looked in.
const pathVariable = "PJRT_PLUGIN_LIBRARY_PATH"

// Find returns the file of the PJRT plugin called name ("cpu", "cuda"): pjrt_c_api_<name>_plugin.so or
// pjrt_plugin_<name>.so (.dylib on macOS) in the directories of PJRT_PLUGIN_LIBRARY_PATH, or where that is
// not set in ~/.local/lib/go-xla, /usr/local/lib/go-xla, their nvidia subdirectories and LD_LIBRARY_PATH.
func Find(name string) (string, error) {
	if name == "" || strings.ContainsAny(name, `/\,`) {
		return "", fmt.Errorf("bad plugin name %q: expected cpu, cuda or an absolute path", name)
	}
	dirs := searchDirs()
	for _, dir := range dirs {
		for _, pattern := range []string{"pjrt_c_api_%s_plugin", "pjrt_plugin_%s", "pjrt-plugin-%s"} {
			for _, ext := range []string{".so", ".dylib"} {
				path, err := filepath.Abs(filepath.Join(dir, fmt.Sprintf(pattern, name)+ext))
				if err != nil {
					continue
				}
				if _, err := os.Stat(path); err == nil {
					return path, nil
				}
			}
		}
	}
	advice := "nothing is downloaded unasked: ddps backend install xla:" + name
	if name != "cpu" && name != "cuda" {
		advice = "set " + pathVariable
	}
	return "", fmt.Errorf("no plugin %s in %s (%s)", fileName(name), strings.Join(dirs, ", "), advice)
}

func fileName(name string) string { return "pjrt_c_api_" + name + "_plugin.so" }

// DefaultDir is the directory of this user's plugins, ~/.local/lib/go-xla.
func DefaultDir() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home directory: %w", err)
	}
	return filepath.Join(home, ".local", "lib", "go-xla"), nil
}

// File returns where the plugin called name belongs in a directory of plugins. That of CUDA is one deeper, in
// nvidia: it looks for NVIDIA's libraries in ../nvidia, seen from itself, and go-xla for that directory too.
func File(dir, name string) string {
	if name == "cuda" {
		dir = filepath.Join(dir, "nvidia")
	}
	return filepath.Join(dir, fileName(name))
}

func searchDirs() []string {
	if list, set := os.LookupEnv(pathVariable); set {
		return nonEmpty(filepath.SplitList(list))
	}
	var dirs []string
	if dir, err := DefaultDir(); err == nil {
		dirs = append(dirs, dir)
	}
	dirs = append(dirs, "/usr/local/lib/go-xla")
	for _, dir := range dirs[:len(dirs):len(dirs)] {
		dirs = append(dirs, filepath.Join(dir, "nvidia"))
	}
	return append(dirs, nonEmpty(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")))...)
}

func nonEmpty(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
