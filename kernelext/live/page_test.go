package live_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live"
)

// page is a screen with a browser behind it.
type page struct {
	screen
	tell chan func(string)
}

func (p *page) Listen(_ string, f func(string)) (stop func()) {
	p.tell <- f
	return func() {}
}

// shows waits for what a page shows.
func (p *page) shows(t *testing.T, want string) {
	t.Helper()
	got := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if got += p.take(); strings.Contains(got, want) {
			return
		}
	}
	t.Fatalf("%q, not %q", got, want)
}

// What a page asks for after its cell runs with a context that has not ended, also after an interrupt, and can be
// stopped itself.
func TestPage(t *testing.T) {
	s := session(t)
	run := func(code string, out *page) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := s.Eval(ctx, code, out); err != nil {
			t.Fatal(err)
		}
	}
	p := &page{tell: make(chan func(string), 1)}
	run(`Interact(func(s State) any {
	if s.Float(0) > 6 {
		fmt.Println("spins")
	}
	for s.Float(0) > 6 {
	}
	return fmt.Sprint("at ", s.Float(0), context.Background().Err())
}, Slider{Name: "a", Max: 10, Value: 2})`, p)
	p.shows(t, "at 2 <nil>")
	tell := <-p.tell
	tell("0=3")
	p.shows(t, "at 3 <nil>")

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := s.Eval(ctx, "for {}", p); !errors.Is(err, live.ErrInterrupted) {
		t.Error(err)
	}
	tell("0=4")
	p.shows(t, "at 4 <nil>")

	tell("0=7") // without end
	p.shows(t, "spins")
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	s.Eval(ctx, "1", p) // waits, is interrupted, and so ends what it waits for
	run("x := 5", p)
	tell("0=8")
	p.shows(t, "spins")
	s.Stop()
	run("x = 6", p)
	tell("0=5")
	p.shows(t, "at 5 <nil>")
}
