//go:build linux || darwin

package kernelcmd

import "syscall"

// diskFree returns the bytes that a user may still write where dir is.
func diskFree(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}
