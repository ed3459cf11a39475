//go:build unix

package repl

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// readable waits until f can be read or ctx ends, so that no read is left behind which takes what is typed next.
func readable(ctx context.Context, f *os.File) error {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	for ctx.Err() == nil {
		n, err := unix.Poll(fds, 50)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		if n > 0 {
			return nil
		}
	}
	return ctx.Err()
}
