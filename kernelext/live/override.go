package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traefik/yaegi/interp"

	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// override puts in the tables what cells must see differently from programs: streams, what ends a program, what runs
// functions beside the cell and would end it by their panics, what waits, and the facade's functions that belong to this
// session.
func (s *Session) override(t interp.Exports) {
	stdout, stderr := s.out.Stdout(), s.out.Stderr()
	t["os/os"]["Stdout"] = reflect.ValueOf(&stdout).Elem()
	t["os/os"]["Stderr"] = reflect.ValueOf(&stderr).Elem()
	t["os/os"]["Exit"] = reflect.ValueOf(func(code int) { panic(fmt.Errorf("os.Exit(%d): a live cell does not end the session", code)) })
	t["runtime/runtime"]["Goexit"] = reflect.ValueOf(func() { panic(errors.New("runtime.Goexit: a live cell ends by itself")) })
	t["log/log"]["Logger"] = reflect.ValueOf((*logger)(nil))
	t["log/log"]["New"] = reflect.ValueOf(func(w io.Writer, prefix string, flag int) *logger { return &logger{log.New(w, prefix, flag)} })
	t["log/log"]["Default"] = reflect.ValueOf(func() *logger { return &logger{log.New(stderr, "", log.LstdFlags)} })
	t["sync/sync"]["WaitGroup"] = reflect.ValueOf((*waitGroup)(nil))
	t["time/time"]["AfterFunc"] = reflect.ValueOf(func(d time.Duration, f func()) *time.Timer {
		return time.AfterFunc(d, func() { s.background(f) })
	})
	t["context/context"]["AfterFunc"] = reflect.ValueOf(func(ctx context.Context, f func()) func() bool {
		return context.AfterFunc(ctx, func() { s.background(f) })
	})
	t["time/time"]["Sleep"] = reflect.ValueOf(s.sleep)
	t["context/context"]["Background"] = reflect.ValueOf(s.Context)
	t["context/context"]["TODO"] = reflect.ValueOf(s.Context)
	l := reflect.ValueOf(lab.New(s.Context, s.out, s.exclusive))
	table := t[labPath+"/lab"]
	for i := range l.NumMethod() {
		table[l.Type().Method(i).Name] = l.Method(i)
	}
	delete(table, "New")
}

// logger is a log.Logger that does not end the process.
type logger struct{ *log.Logger }

// Fatal panics, as Panic does.
func (l *logger) Fatal(v ...any) { l.Panic(v...) }

// Fatalf panics, as Panicf does.
func (l *logger) Fatalf(format string, v ...any) { l.Panicf(format, v...) }

// Fatalln panics, as Panicln does.
func (l *logger) Fatalln(v ...any) { l.Panicln(v...) }

// waitGroup is a sync.WaitGroup whose Wait panics with what a function panicked with that Go began.
type waitGroup struct {
	sync.WaitGroup
	value atomic.Pointer[any]
}

// Go runs f beside the cell.
func (w *waitGroup) Go(f func()) {
	w.WaitGroup.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				w.value.CompareAndSwap(nil, &r)
			}
		}()
		f()
	})
}

// Wait waits for all that Go began and Add counted.
func (w *waitGroup) Wait() {
	w.WaitGroup.Wait()
	if r := w.value.Swap(nil); r != nil {
		panic(*r)
	}
}

func after(d time.Duration) <-chan time.Time { return time.After(d) }
