package cli

import (
	"sync"
	"time"
)

// firstNote is when work without steps to count is first noted.
const firstNote = 5 * time.Second

// Working notes how long work has taken whose steps cannot be counted: after 5 s, and then whenever it has taken twice
// as long, until end is called. Nothing else may write to a.Stderr in between.
func (a *App) Working(what string) (end func()) { return a.working(what, firstNote) }

func (a *App) working(what string, first time.Duration) (end func()) {
	stop := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		begun := time.Now()
		for wait := first; ; wait = 2 * wait {
			select {
			case <-stop:
				return
			case <-time.After(time.Until(begun.Add(wait))):
				a.Notef("%s: %s so far", what, wait)
			}
		}
	})
	return sync.OnceFunc(func() {
		close(stop)
		done.Wait()
	})
}
