//go:build unix

package kernel

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"time"
)

// parentTime is how often the kernel looks whether its parent lives.
const parentTime = 500 * time.Millisecond

// watchParent calls stop when the process that started the kernel is gone: its parent, or the one that Jupyter names
// in JPY_PARENT_PID.
func watchParent(ctx context.Context, stop func()) {
	parent := os.Getppid()
	jupyter, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || jupyter <= 1 || syscall.Kill(jupyter, 0) == syscall.ESRCH { // not named, or of another system
		jupyter = 0
	}
	tick := time.NewTicker(parentTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent || jupyter > 0 && syscall.Kill(jupyter, 0) == syscall.ESRCH {
				stop()
				return
			}
		}
	}
}
