//go:build unix && !openbsd

package ram

import "syscall"

// addressSpace returns the limit of the process's address space.
func addressSpace() (uint64, error) {
	var r syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_AS, &r)
	return uint64(r.Cur), err
}
