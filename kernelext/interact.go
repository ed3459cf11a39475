package kernelext

import (
	"context"
	_ "embed"
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"
)

//go:embed interact.js
var script string

// How long Interact waits.
const (
	answer = time.Second     // for a browser to answer at all
	idle   = 5 * time.Minute // for the next change, in a compiled cell
)

// Interact shows controls and below them what f makes of their state, and anew, in place, as they change:
//
//	kernelext.Interact(ctx, out, func(s kernelext.State) any { return curve(s.Float(0)) },
//		kernelext.Slider{Name: "λ", Min: 0, Max: 100, Value: 30})
//
// f returns anything that Show can show. Where no browser answers within a second, as in a run without a head, the
// first state is what there is to see. Otherwise Interact returns when its button Done is pressed, nothing has
// changed for five minutes, or ctx ends, with nil: a compiled cell must run to answer, but blocks those behind it no
// longer than that. The error is that f panicked in its first state, or there is no control.
func Interact(ctx context.Context, out Output, f func(State) any, controls ...Control) error {
	in, err := Start(out, f, controls...)
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
	changes  chan string
	guard    func(func()) // in which f is called after its first state; nil: as is
	stop     func()
}

// Start shows controls and their first state, and begins to listen.
func Start(out Output, f func(State) any, controls ...Control) (*Interaction, error) {
	if len(controls) == 0 {
		return nil, fmt.Errorf("kernelext: interact: no controls")
	}
	id := "/ddps/" + NewID()
	in := &Interaction{f: f, controls: controls, result: NewPlace(out), changes: make(chan string, 64), stop: func() {}}
	var text, elements []string
	for i, c := range controls {
		first := c.first()
		in.state.values = append(in.state.values, first)
		text = append(text, c.label()+" = "+first)
		elements = append(elements, c.html(i, first))
	}
	page, isPage := out.(Page)
	if isPage {
		page.Open()
		in.stop = page.Listen(id, func(text string) {
			select {
			case in.changes <- text:
			default: // the page sends faster than f draws; a later change tells all
			}
		})
		elements = append(elements, `<button type="button" data-ddps="done">Done</button>`,
			"<script>"+strings.ReplaceAll(script, "{{address}}", id)+"</script>")
	}
	out.Display(map[string]any{MIMEText: strings.Join(text, ", "),
		MIMEHTML: fmt.Sprintf(`<div id="%s">%s</div>`, html.EscapeString(id), strings.Join(elements, " "))}, nil, "", false)
	return in, in.draw()
}

// Guard has f called inside run from now on. Call it before Serve.
func (in *Interaction) Guard(run func(f func())) { in.guard = run }

// Close ends the listening.
func (in *Interaction) Close() { in.stop() }

// Serve draws anew as the page changes, until its button Done is pressed, nothing has changed for so long as idle
// (0: for ever), ctx ends, or no browser answers within a second.
func (in *Interaction) Serve(ctx context.Context, idle time.Duration) error {
	limit := answer
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
		case text := <-in.changes:
			limit = idle
			changed, done := in.take(text), text == "done"
			for more := true; more && !done; { // the latest state is what counts
				select {
				case text = <-in.changes:
					changed, done = in.take(text) || changed, text == "done"
				default:
					more = false
				}
			}
			if done {
				return nil
			}
			if changed {
				in.redraw()
			}
		}
	}
}

// take takes in "2=0.5", that control 2 stands at 0.5, and tells whether that is new.
func (in *Interaction) take(text string) bool {
	n, value, ok := strings.Cut(text, "=")
	i, err := strconv.Atoi(n)
	if !ok || err != nil || i < 0 || i >= len(in.controls) {
		return false // "ready", "done"
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
