// Package backend opens the GoMLX backend that networks are trained on. It never downloads anything, never
// reads GOMLX_BACKEND (the choice is an argument) and never panics: what is wrong with a plugin is an error.
//
// The Go backend is always there. XLA is linked only with cgo and the build tag xla:
//
//	CGO_ENABLED=1 go build -tags xla ./...
package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
)

// Open opens the backend that spec names:
//
//	"" or "go"        GoMLX's Go backend, one operation after the other (its default mode can deadlock)
//	"go:large"        the same with its blocked matrix product for every size: it uses all cores and is up to 1.5
//	                  times faster where batches are of 32 and more, slower where they are small or many
//	"xla:cpu"         XLA with the PJRT plugin of that name, found as Find says; "xla:cuda" alike
//	"xla:/abs/x.so"   XLA with this plugin file
//	"auto"            XLA on CUDA, else XLA on the CPU, else Go: the first that can be opened
//
// The error says what is missing: XLA not linked, no such plugin, a file that is no plugin.
func Open(spec string) (backends.Backend, error) {
	b, _, err := OpenNoted(spec)
	return b, err
}

// OpenNoted is Open with a note that says in one line what was opened and, for "auto", why nothing better.
func OpenNoted(spec string) (b backends.Backend, note string, err error) {
	switch kind, rest, _ := strings.Cut(spec, ":"); {
	case spec == "" || spec == "go":
		b, note, err = openGo()
	case spec == "go:large":
		b, err = simplego.New("ops_sequential,dotgeneral_large")
		note = "Go backend, operations in sequence, blocked products"
	case spec == "auto":
		b, note, err = openAuto()
	case kind == "xla":
		b, note, err = openXLA(rest)
	default:
		err = fmt.Errorf("unknown backend %q: want go, go:large, xla:cpu, xla:cuda, xla:/path/to/plugin.so or auto", spec)
	}
	if err != nil {
		return nil, "", fmt.Errorf("backend: %w", err)
	}
	return b, note, nil
}

func openGo() (backends.Backend, string, error) {
	b, err := simplego.New("ops_sequential")
	return b, "Go backend, operations in sequence", err
}

func openAuto() (backends.Backend, string, error) {
	var why []string
	for _, name := range []string{"cuda", "cpu"} {
		b, note, err := openXLA(name)
		if err == nil {
			return b, note, nil
		}
		why = append(why, err.Error())
		if !linked {
			break // the same reason for every plugin
		}
	}
	b, note, err := openGo()
	return b, note + " (" + strings.Join(why, "; ") + ")", err
}

// openXLA opens XLA with a plugin's name or its file's absolute path.
func openXLA(plugin string) (b backends.Backend, note string, err error) {
	if !linked {
		return nil, "", fmt.Errorf("xla:%s: XLA is not in this program: build it with CGO_ENABLED=1 go build -tags xla "+
			"(linux/amd64 or darwin), or use the go backend", plugin)
	}
	path := plugin
	if !filepath.IsAbs(path) {
		if path, err = Find(plugin); err != nil {
			return nil, "", fmt.Errorf("xla:%s: %w", plugin, err)
		}
	}
	if err := Check(path); err != nil {
		return nil, "", fmt.Errorf("xla:%s: %w", plugin, err)
	}
	defer func() {
		if r := recover(); r != nil {
			b, note, err = nil, "", fmt.Errorf("xla:%s: the plugin %s failed: %v", plugin, path, r)
		}
	}()
	if b, err = load(path, plugin == "cpu"); err != nil {
		return nil, "", fmt.Errorf("xla:%s: %w", plugin, err)
	}
	return b, "XLA, " + b.Description(), nil
}

// Find returns the file of the PJRT plugin called name ("cpu", "cuda"): pjrt_c_api_<name>_plugin.so or
// pjrt_plugin_<name>.so (.dylib on macOS) in the directories of PJRT_PLUGIN_LIBRARY_PATH, or where that is
// not set in ~/.local/lib/go-xla, /usr/local/lib/go-xla, their nvidia subdirectories and LD_LIBRARY_PATH.
func Find(name string) (string, error) {
	if name == "" || strings.ContainsAny(name, `/\,`) {
		return "", fmt.Errorf("bad plugin name %q: want cpu, cuda or an absolute path", name)
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
	return "", fmt.Errorf("no plugin pjrt_c_api_%s_plugin.so in %s (nothing is downloaded; set PJRT_PLUGIN_LIBRARY_PATH)",
		name, strings.Join(dirs, ", "))
}

func searchDirs() []string {
	if list, set := os.LookupEnv("PJRT_PLUGIN_LIBRARY_PATH"); set {
		return nonEmpty(filepath.SplitList(list))
	}
	var dirs []string
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".local", "lib", "go-xla"))
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
