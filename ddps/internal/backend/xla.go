//go:build xla && cgo && ((linux && amd64) || darwin)

package backend

import (
	"github.com/gomlx/go-xla/pkg/pjrt"
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/xla"
)

// Linked reports whether this program can open XLA at all.
const Linked = true

// load opens a plugin file that Check has passed. An absolute path keeps go-xla from searching and from
// installing; installation is turned off all the same.
func load(path string, shared bool) (backends.Backend, error) {
	xla.EnableAutoInstall(false)
	if shared { // the CPU's buffers are the host's own; GoMLX infers it from the bare name "cpu" only
		path += ",shared_buffers"
	}
	return xla.New(path)
}

// pluginAPI loads a plugin file that Check has passed, and returns its version of the PJRT API.
func pluginAPI(path string) (major, minor int, err error) {
	p, err := pjrt.GetPlugin(path)
	if err != nil {
		return 0, 0, err
	}
	major, minor = p.Version()
	return major, minor, nil
}
