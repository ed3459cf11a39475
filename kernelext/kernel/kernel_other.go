//go:build !unix

package kernel

import (
	"context"
	"errors"
)

// Run says that there is no kernel for this system: GoNB needs named pipes and process groups.
func Run(context.Context, Config) error {
	return errors.New("kernel: only on Linux, macOS and other Unix systems; on Windows, inside WSL")
}
