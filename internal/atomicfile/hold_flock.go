//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"os"
	"syscall"
)

// hold locks a new file for as long as it is open, however the process ends, and reports whether it could: another that
// has the lock is about to sweep it. Where the file system has no locks the file counts as held: sweep cannot lock it
// either.
func hold(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}

// sweep removes a file if no process holds it.
func sweep(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && at(f) && os.Remove(path) == nil
}

// rename gives the file its name while it is held, and closes it.
func (t *File) rename() error {
	if err := os.Rename(t.Name(), t.path); err != nil {
		return err
	}
	t.closed = true
	return t.Close()
}
