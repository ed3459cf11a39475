//go:build !linux && !darwin

package kernelcmd

import "errors"

func diskFree(string) (uint64, error) { return 0, errors.New("not known on this system") }
