//go:build unix

package kernel

import (
	"encoding/json"
	"io"
	"maps"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
	"github.com/ddps-go/ddps/kernelext/kernel/widgets"
)

// Compiled cells can say two more things in a bundle than GoNB's protocol has words for.
const (
	// ClearMIME is the type of a bundle that stands for clear_output; its content "wait" clears with the next output.
	ClearMIME = "application/vnd.ddps.clear"
	// ResultMIME is the type of a mark in a bundle that is the cell's value, execute_result; its content is ignored.
	ResultMIME = "application/vnd.ddps.result"
)

// screen is what a cell shows: the Output of live cells and magics, and the place where what GoNB broadcasts about a
// compiled cell passes.
type screen struct {
	k      *kernel
	parent *jupyter.Message
	typing bool   // the front end lets its user type
	silent bool   // nothing is shown
	mark   string // of a crash's text

	mu    sync.Mutex
	name  string // of the stream that text is for
	text  []byte
	timer *time.Timer

	end      *jupyter.Message // perhaps GoNB's word about the end of the program, held back
	crashing bool
	crash    strings.Builder
	said     string // the last line on stderr
}

// Streams of text are broadcast when they are this long, or after a while.
const (
	streamSize = 1 << 16
	streamTime = 20 * time.Millisecond
)

func newScreen(k *kernel, parent *jupyter.Message) *screen { return &screen{k: k, parent: parent} }

// stream is one of the two streams.
type stream struct {
	s    *screen
	name string
}

// Write gathers text.
func (w stream) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if w.s.name != w.name {
		w.s.flushLocked(true)
		w.s.name = w.name
	}
	w.s.text = append(w.s.text, p...)
	if len(w.s.text) >= streamSize {
		w.s.flushLocked(false)
	} else if w.s.timer == nil {
		w.s.timer = time.AfterFunc(streamTime, func() {
			w.s.mu.Lock()
			defer w.s.mu.Unlock()
			w.s.timer = nil
			w.s.flushLocked(false)
		})
	}
	return len(p), nil
}

// flushLocked broadcasts the text gathered; unless all of it, not the beginning of a character at its end.
func (s *screen) flushLocked(all bool) {
	n := len(s.text)
	for i := 1; !all && i < utf8.UTFMax && i <= len(s.text); i++ {
		if b := s.text[len(s.text)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(s.text[len(s.text)-i:]) {
				n -= i
			}
			break
		}
	}
	if n > 0 {
		s.publish("stream", s.parent, map[string]string{"name": s.name, "text": strings.ToValidUTF8(string(s.text[:n]),
			"\uFFFD")})
		s.text = append(s.text[:0], s.text[n:]...)
	}
}

func (s *screen) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.flushLocked(true)
}

// Stdout and Stderr are the cell's streams.
func (s *screen) Stdout() io.Writer { return stream{s, "stdout"} }

// Stderr is the other one.
func (s *screen) Stderr() io.Writer { return stream{s, "stderr"} }

// Listen has f told what the page sends to an address.
func (s *screen) Listen(address string, f func(text string)) (stop func()) {
	l := &listener{tell: f}
	if s.parent != nil {
		l.cell = s.parent.Cell()
	}
	return s.k.controls.listen(address, l)
}

// scripted puts the script into a bundle of controls.
func (s *screen) scripted(data map[string]any) map[string]any {
	address, ok := data[kernelext.ControlsMIME].(string)
	if !ok {
		return data
	}
	out := maps.Clone(data)
	delete(out, kernelext.ControlsMIME)
	delete(out, kernelext.WidgetsMIME)
	if view := s.widgets(address, data[kernelext.WidgetsMIME]); view != nil {
		out[widgets.MIMEView] = view
	}
	if text, ok := out[kernelext.MIMEHTML].(string); ok {
		out[kernelext.MIMEHTML] = text + s.k.controls.script(address, s.k.id)
	}
	return out
}

// widgets shows controls as widgets, where the front end has a page that may draw them.
func (s *screen) widgets(address string, specs any) map[string]any {
	var list []kernelext.ControlSpec
	text, _ := specs.(string)
	if s.parent == nil || s.parent.Cell() == "" || json.Unmarshal([]byte(text), &list) != nil || len(list) == 0 {
		return nil
	}
	return s.k.widgets.Show(s.parent, address, list)
}

// Display shows a bundle.
func (s *screen) Display(data, metadata map[string]any, id string, update bool) {
	kind := "display_data"
	if update && id != "" {
		kind = "update_display_data"
	}
	transient := map[string]any{}
	if id != "" {
		transient["display_id"] = id
	}
	s.show(kind, map[string]any{"data": some(s.scripted(data)), "metadata": some(metadata), "transient": transient})
}

// Result shows a bundle as the cell's value.
func (s *screen) Result(data, metadata map[string]any) {
	if text, ok := data["text/plain"].(string); ok {
		s.k.history.Result(text)
	}
	s.show("execute_result", map[string]any{"data": some(data), "metadata": some(metadata),
		"execution_count": s.k.number()})
}

// Clear clears the cell's output, with the next output if wait is set.
func (s *screen) Clear(wait bool) { s.show("clear_output", map[string]any{"wait": wait}) }

func (s *screen) show(kind string, content any) {
	s.flush()
	s.publish(kind, s.parent, content)
}

// publish broadcasts about the cell.
func (s *screen) publish(kind string, parent *jupyter.Message, content any) {
	if !s.silent {
		s.k.publish(kind, parent, content)
	}
}

func (s *screen) rebroadcast(m *jupyter.Message) {
	if !s.silent {
		s.k.rebroadcast(m)
	}
}

func some(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
