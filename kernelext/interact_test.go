package kernelext

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// page is an Output with a browser behind it that a test plays.
type page struct {
	mu      sync.Mutex
	shown   []string // texts, and =text for what replaced another
	html    string
	tell    func(string)
	stopped bool
	said    chan string
}

func newPage() *page { return &page{said: make(chan string, 100)} }

func (p *page) Stdout() io.Writer                { return io.Discard }
func (p *page) Stderr() io.Writer                { return io.Discard }
func (p *page) Result(data, meta map[string]any) { p.Display(data, meta, "", false) }

func (p *page) Display(data, _ map[string]any, _ string, update bool) {
	p.mu.Lock()
	text := fmt.Sprint(data[MIMEText])
	if update {
		text = "=" + text
	}
	if s, ok := data[MIMEHTML].(string); ok && data[ControlsMIME] != nil {
		p.html = s
	}
	p.shown = append(p.shown, text)
	p.mu.Unlock()
	p.said <- text
}

func (p *page) Listen(_ string, f func(string)) func() {
	p.tell = f
	return func() { p.mu.Lock(); p.stopped = true; p.mu.Unlock() }
}

func (p *page) wait(t *testing.T, want string) {
	t.Helper()
	for {
		select {
		case s := <-p.said:
			if s == want {
				return
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q is not shown; %q are", want, p.shown)
		}
	}
}

var all = []Control{Slider{Name: "λ <", Max: 100, Value: 30}, Select{Name: "b", Options: []string{"x", "<y>"},
	Value: 1}, Checkbox{Name: "c", Value: true},
	Button{Name: "d"}, Text{Name: "e", Value: `"q"`}}

func tell(s State) any {
	return fmt.Sprintf("%g %d %v %d %s %g", s.Float(0), s.Int(1), s.On(2), s.Int(3), s.Text(4), s.Float(9))
}

// The result follows the controls, until the page is done with them.
func TestInteract(t *testing.T) {
	p := newPage()
	ended := make(chan error, 1)
	go func() { ended <- Interact(t.Context(), p, tell, all...) }()
	p.wait(t, `λ < = 30, b = 1, c = true, d = 0, e = "q"`)
	p.wait(t, `30 1 true 0 "q" 0`)
	for _, s := range []struct{ say, want string }{
		{PageReady, ""}, {"0=64.5", `=64.5 1 true 0 "q" 0`}, {"0=1000", `=100 1 true 0 "q" 0`},
		{"1=0", `=100 0 true 0 "q" 0`},
		{"1=7", `=100 1 true 0 "q" 0`}, {"2=false", `=100 1 false 0 "q" 0`}, {"3=2", `=100 1 false 2 "q" 0`},
		{"4=a=b\n", "=100 1 false 2 a=b\n 0"}, {"9=1", ""}, {"nonsense", ""}, {"0=NaN", "=30 1 false 2 a=b\n 0"},
	} {
		p.tell(s.say)
		if s.want != "" {
			p.wait(t, s.want)
		}
	}
	p.tell(PageDone)
	if err := <-ended; err != nil || !p.stopped {
		t.Error(err, p.stopped)
	}
	for _, part := range []string{"λ &lt;", "&lt;y&gt;", `value="&#34;q&#34;"`, `step="1"`, "Done"} {
		if !strings.Contains(p.html, part) {
			t.Errorf("%s lacks %s", p.html, part)
		}
	}
}

// Where no browser answers the first state is shown and all ends after a second, with a page or without.
func TestInteractAlone(t *testing.T) {
	var b bytes.Buffer
	for name, out := range map[string]Output{"page": newPage(), "plain": NewPlain(&b, &b)} {
		begin := time.Now()
		if err := Interact(t.Context(), out, tell, all...); err != nil || time.Since(begin) < answer/2 {
			t.Error(name, err, time.Since(begin))
		}
	}
	if want := "λ < = 30, b = 1, c = true, d = 0, e = \"q\"\n30 1 true 0 \"q\" 0\n"; b.String() != want {
		t.Errorf("%q", b.String())
	}
}

// A front end with a page may take longer to answer; the context ends the wait.
func TestInteractSlow(t *testing.T) {
	p := newPage()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Interact(ctx, p, tell, all...) }()
	p.wait(t, `30 1 true 0 "q" 0`)
	p.tell("")
	p.tell(PageWaits)
	select {
	case <-ended:
		t.Fatal("did not wait for the page")
	case <-time.After(answer * 3 / 2):
	}
	p.tell(PageReady)
	p.tell("0=1")
	p.wait(t, `=1 1 true 0 "q" 0`)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What comes while f draws is not lost: the latest of each control counts. A live cell's wait has no limit.
func TestInteractBusy(t *testing.T) {
	p, drawing, goOn := newPage(), make(chan bool), make(chan bool)
	in, err := Start(p, func(s State) any {
		if s.Float(0) == 1 {
			drawing <- true
			<-goOn
		}
		return tell(s)
	}, all...)
	if err != nil {
		t.Fatal(err)
	}
	guarded := 0
	in.Guard(func(f func()) { guarded++; f() })
	ended := make(chan error, 1)
	go func() { ended <- in.Serve(t.Context(), 0) }()
	p.tell("0=1")
	<-drawing
	for i := range 1000 {
		p.tell(fmt.Sprintf("0=%g", 2+float64(i)/1000))
	}
	p.tell("3=5")
	p.tell("0=7")
	close(goOn)
	p.wait(t, `=7 1 true 5 "q" 0`)
	p.tell(PageDone)
	if <-ended; guarded != 2 {
		t.Errorf("drawn %d times, not 2", guarded)
	}
}

func TestInteractFailures(t *testing.T) {
	p := newPage()
	if err := Interact(t.Context(), p, tell); err == nil {
		t.Error("no controls, no error")
	}
	broken := func(s State) any {
		if s.Float(0) > 50 {
			panic("too far")
		}
		return "fine"
	}
	if err := Interact(t.Context(), p, broken, Slider{Max: 100, Value: 60}); err == nil || !strings.Contains(err.Error(),
		"too far") || !p.stopped {
		t.Error(err, p.stopped)
	}
	p = newPage()
	ended := make(chan error, 1)
	go func() { ended <- Interact(t.Context(), p, broken, Slider{Max: 100}) }()
	p.wait(t, "fine")
	p.tell("0=60")
	p.wait(t, "=kernelext: interact: too far")
	p.tell("0=10")
	p.wait(t, "=fine")
	p.tell(PageDone)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
