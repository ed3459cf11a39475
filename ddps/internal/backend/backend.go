// Package backend opens the GoMLX backend that networks are trained on. It never downloads anything (package
// plugin does), never reads GOMLX_BACKEND (the choice is an argument) and never panics: what is wrong with a
// plugin is an error.
//
// The Go backend is always there. XLA is linked only with cgo and the build tag xla:
//
//	CGO_ENABLED=1 go build -tags xla ./...
package backend

import (
	"fmt"
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
		err = fmt.Errorf("unknown backend %q: expected go, go:large, xla:cpu, xla:cuda, xla:/path/to/plugin.so or auto", spec)
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
		if !Linked {
			break // the same reason for every plugin
		}
	}
	b, note, err := openGo()
	return b, note + " (" + strings.Join(why, "; ") + ")", err
}

// openXLA opens XLA with a plugin's name or its file's absolute path.
func openXLA(plugin string) (b backends.Backend, note string, err error) {
	if !Linked {
		return nil, "", fmt.Errorf("xla:%s: XLA is not in this program: build it with %s "+
			"(linux/amd64 or darwin), or use the go backend", plugin, BuildCommand)
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
	if isCUDA(path) {
		setCUDADir(path)
	}
	if b, err = load(path, plugin == "cpu"); err != nil {
		return nil, "", fmt.Errorf("xla:%s: %w", plugin, err)
	}
	return b, "XLA, " + b.Description(), nil
}
