//go:build !xla || !cgo || !((linux && amd64) || darwin)

package backend

import (
	"errors"

	"github.com/gomlx/gomlx/backends"
)

// linked tells whether this program can open XLA at all.
const linked = false

func load(string, bool) (backends.Backend, error) {
	return nil, errors.New("XLA is not in this program")
}
