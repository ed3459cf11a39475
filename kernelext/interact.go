package kernelext

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How long Interact waits.
const (
	answer = time.Second      // for a browser to answer
	slow   = 15 * time.Second // the same, where the front end is one that has a page
	idle   = 5 * time.Minute  // for the next change, in a compiled cell
)

// Interact shows controls and below them what f makes of their state, and anew, in place, as they change:
//
//	kernelext.Interact(ctx, out, func(s kernelext.State) any { return curve(s.Float(0)) },
//		kernelext.Slider{Name: "λ", Min: 0, Max: 100, Value: 30})
//
// f returns anything that Show can show. Where no browser answers within a second, as in a run without a head, the
// first state is what there is to see. A compiled cell must run to answer; so Interact returns, with nil, when its
// button Done is pressed, other cells wait, nothing has changed for five minutes, or ctx ends. The error is that f
// panicked in its first state, or there is no control.
func Interact(ctx context.Context, out Output, f func(State) any, controls ...Control) error {
	in, err := start(out, f, controls, done)
	if err != nil {
		return err
	}
	defer in.Close()
	return in.Serve(ctx, idle)
}

// Interaction is an Interact on its way.
type Interaction struct {
	f        func(State) any
	controls []Control
	state    State
	result   *Place
	inbox    *inbox
	guard    func(func()) // in which f is called after its first state; nil: as is
	stop     func()
}

// Start shows controls and their first state, and begins to listen.
func Start(out Output, f func(State) any, controls ...Control) (*Interaction, error) {
	return start(out, f, controls)
}

// start is Start with more elements behind the controls.
func start(out Output, f func(State) any, controls []Control, more ...string) (*Interaction, error) {
	if len(controls) == 0 {
		return nil, fmt.Errorf("kernelext: interact: no controls")
	}
	address := NewID()
	in := &Interaction{f: f, controls: controls, result: NewPlace(out), inbox: newInbox(), stop: func() {}}
	var text, elements []string
	var specs []ControlSpec
	for i, c := range controls {
		first := c.first()
		in.state.values = append(in.state.values, first)
		text = append(text, c.label()+" = "+first)
		elements = append(elements, c.html(i, first))
		spec := c.spec()
		spec.State, spec.Send = first, strconv.Itoa(i)
		specs = append(specs, spec)
	}
	bundle := map[string]any{MIMEText: strings.Join(text, ", ")}
	if page, ok := out.(Page); ok {
		in.stop = page.Listen(address, in.inbox.put)
		if elements = append(elements, more...); len(more) > 0 {
			specs = append(specs, ControlSpec{Kind: "button", Name: "Done", Send: PageDone})
		}
		text, err := json.Marshal(specs)
		if err != nil {
			return nil, fmt.Errorf("kernelext: interact: %w", err)
		}
		bundle[ControlsMIME], bundle[WidgetsMIME] = address, string(text)
	}
	bundle[MIMEHTML] = fmt.Sprintf(
		`<div id="ddps-%s" style="display: flex; flex-wrap: wrap; align-items: center; gap: 0.5em 1.5em">%s</div>`,
		address, strings.Join(elements, "\n"))
	out.Display(bundle, nil, "", false)
	if err := in.draw(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// Guard has f called inside run from now on. Call it before Serve.
func (in *Interaction) Guard(run func(f func())) { in.guard = run }

// Close ends the listening.
func (in *Interaction) Close() { in.stop() }

// Serve draws anew as the page changes, until it is done, ctx ends, nothing has changed for so long as idle, or no
// browser answers within a second. If idle is 0 it waits for ever, for the browser too.
func (in *Interaction) Serve(ctx context.Context, idle time.Duration) error {
	limit := min(idle, answer)
	for {
		var timeout <-chan time.Time
		if limit > 0 {
			timeout = time.After(limit)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-timeout:
			return nil
		case <-in.inbox.more:
		}
		changed := false
		for _, text := range in.inbox.take() {
			switch text {
			case "":
			case PageDone:
				return nil
			case PageWaits:
				limit = min(idle, slow)
			default:
				limit = idle
				changed = in.take(text) || changed
			}
		}
		if changed {
			in.redraw()
		}
	}
}

// take takes in "2=0.5", that control 2 stands at 0.5, and reports whether that is new.
func (in *Interaction) take(text string) bool {
	n, value, ok := strings.Cut(text, "=")
	i, err := strconv.Atoi(n)
	if !ok || err != nil || i < 0 || i >= len(in.controls) {
		return false // PageReady
	}
	value = in.controls[i].check(value)
	changed := value != in.state.values[i]
	in.state.values = append([]string(nil), in.state.values...) // f may have kept the old one
	in.state.values[i] = value
	return changed
}

func (in *Interaction) redraw() {
	draw := func() {
		if err := in.draw(); err != nil {
			in.result.Show(err)
		}
	}
	if in.guard == nil {
		draw()
		return
	}
	in.guard(draw)
}

func (in *Interaction) draw() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kernelext: interact: %v", r)
		}
	}()
	in.result.Show(in.f(in.state))
	return nil
}

// inbox gathers texts while f draws: of each control the latest is what counts.
type inbox struct {
	more chan struct{} // holds one while there is something

	mu    sync.Mutex
	texts []string
}

func newInbox() *inbox { return &inbox{more: make(chan struct{}, 1)} }

// put adds a text, in place of one about the same control.
func (b *inbox) put(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	about, _, _ := strings.Cut(text, "=")
	kept := b.texts[:0]
	for _, t := range b.texts {
		if a, _, ok := strings.Cut(t, "="); !ok || a != about {
			kept = append(kept, t)
		}
	}
	b.texts = append(kept, text)
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// take returns all texts and forgets them.
func (b *inbox) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	texts := b.texts
	b.texts = nil
	return texts
}
