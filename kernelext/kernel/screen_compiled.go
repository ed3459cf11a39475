//go:build unix

package kernel

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// endText is how GoNB tells the end of a program, a message of its own on stderr.
var endText = regexp.MustCompile(`^(\^C\n)?(exit status \d+|signal: [a-z ()]+)\n$`)

// take passes on what GoNB broadcasts about the cell, but keeps the text of a crash, and what may be GoNB's word
// about the program's end, which comes last.
func (s *screen) take(m *jupyter.Message) {
	if m.Kind() == "stream" {
		var text struct{ Name, Text string }
		if json.Unmarshal(m.Content, &text) == nil && text.Name == "stderr" {
			s.stderr(m, text.Text)
			return
		}
	}
	s.release()
	if m.Kind() == "display_data" || m.Kind() == "update_display_data" {
		s.bundle(m)
		return
	}
	s.rebroadcast(m)
}

// stderr passes on a piece of stderr.
func (s *screen) stderr(m *jupyter.Message, text string) {
	s.release()
	if endText.MatchString(text) {
		s.end = m
		return
	}
	if s.crashing {
		s.crash.WriteString(text)
		return
	}
	if before, after, found := strings.Cut(text, s.mark); found && s.mark != "" {
		s.crashing = true
		s.crash.WriteString(after)
		if before != "" {
			s.publish("stream", s.parent, map[string]string{"name": "stderr", "text": before})
			s.say(before)
		}
		return
	}
	s.say(text)
	s.rebroadcast(m)
}

// say notes the last line on stderr.
func (s *screen) say(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		s.said = last
	}
}

// release lets go of what was not the end; the end of a line that failed is left to the failure.
func (s *screen) release() {
	if s.end != nil {
		if len(gonb.ReadLedger(s.k.scratch.Journal())) == 0 {
			s.rebroadcast(s.end)
		}
		s.end = nil
	}
}

// endLine returns GoNB's word about the end, or what looks like it, and forgets it.
func (s *screen) endLine() string {
	if s.end == nil {
		return ""
	}
	var text struct{ Text string }
	json.Unmarshal(s.end.Content, &text)
	s.end = nil
	return text.Text
}

// giveEnd shows what only looked like an end.
func (s *screen) giveEnd(text string) {
	if text != "" {
		s.publish("stream", s.parent, map[string]string{"name": "stderr", "text": text})
	}
}

// bundle passes on a bundle, or does what its special types ask for.
func (s *screen) bundle(m *jupyter.Message) {
	var b struct {
		Data      map[string]any `json:"data"`
		Metadata  map[string]any `json:"metadata"`
		Transient map[string]any `json:"transient"`
	}
	if json.Unmarshal(m.Content, &b) != nil {
		s.rebroadcast(m)
		return
	}
	if how, ok := b.Data[ClearMIME]; ok {
		s.Clear(how == "wait")
		return
	}
	if _, ok := b.Data[ResultMIME]; ok {
		delete(b.Data, ResultMIME)
		s.Result(b.Data, b.Metadata)
		return
	}
	b.Data = s.scripted(b.Data)
	if text, add := plain(b.Data); add { // a terminal shows it
		b.Data["text/plain"] = text
	}
	// of this kernel's session: JupyterLab drops those of another while channels open
	s.publish(m.Kind(), s.parent, map[string]any{"data": b.Data, "metadata": some(b.Metadata),
		"transient": some(b.Transient)})
}

// plain returns the plain text for a bundle that lacks it, if it has another text.
func plain(data map[string]any) (string, bool) {
	if _, has := data["text/plain"]; has {
		return "", false
	}
	if text, ok := data["text/markdown"].(string); ok {
		return text, true
	}
	_, ok := data["text/html"].(string)
	return "(HTML)", ok
}
