//go:build !xla || !cgo || !((linux && amd64) || darwin)

package backend

import (
	"errors"

	"github.com/gomlx/gomlx/backends"
)

// Linked reports whether this program can open XLA at all.
const Linked = false

var errNotLinked = errors.New("XLA is not in this program")

func load(string, bool) (backends.Backend, error) { return nil, errNotLinked }

func pluginAPI(string) (major, minor int, err error) { return 0, 0, errNotLinked }
