package cli

import (
	"context"
	"io"
	"os"
	"time"
)

// context returns what ends the waiting for an output.
func (a *App) context() context.Context {
	if a.Context == nil {
		return context.Background()
	}
	return a.Context
}

// openDevice opens a device or a pipe, and waits until a pipe has a reader or ctx ends.
func openDevice(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	ch := make(chan opened, 1)
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		ch <- opened{f, err}
	}()
	select {
	case o := <-ch:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// lastWait is how long a write may take once its context has ended.
const lastWait = time.Second

// stoppable is a writer whose writes end with ctx where nobody reads. After that its buffers are still being written.
type stoppable struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	if s.ctx.Done() == nil {
		return s.w.Write(p)
	}
	type written struct {
		n   int
		err error
	}
	ch := make(chan written, 1)
	go func() {
		n, err := s.w.Write(p)
		ch <- written{n, err}
	}()
	select {
	case r := <-ch:
		return r.n, r.err
	case <-s.ctx.Done():
	}
	select {
	case r := <-ch:
		return r.n, r.err
	case <-time.After(lastWait):
		return 0, s.ctx.Err()
	}
}
