//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// inspect is the content of inspect_reply.
func (k *kernel) inspect(m *jupyter.Message) any {
	r, at, line, ok := readAssist(m)
	if !ok {
		return nil
	}
	answer := func(text string) any {
		data := map[string]any{}
		if text != "" {
			data["text/plain"] = text
		}
		return map[string]any{"status": "ok", "found": text != "", "data": data, "metadata": map[string]any{}}
	}
	code, _, isLive := cells.New(r.Code).Live()
	switch {
	case strings.HasPrefix(line, "%ddps") || strings.HasPrefix(line, "%%live"):
		return answer(helpText + k.magicHelp())
	case isLive:
		above := len(r.Code) - len(code)
		live, err := k.live()
		if err != nil || at < above {
			return answer("")
		}
		return answer(live.Inspect(code, at-above))
	}
	if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
		return answer("")
	}
	name := cells.NameAt(r.Code, at)
	if text := k.history.Declared(cells.New(r.Code))[name]; text != "" {
		return answer(text)
	}
	if strings.Contains(name, ".") { // go doc knows it, and knows it at once
		if text, err := k.document(k.ctx, name); err == nil {
			return answer(text)
		}
	}
	if data, ok := k.forward(m, r)["data"].(map[string]any); ok {
		if text, ok := data["text/markdown"].(string); ok && text != "" {
			return answer(fences.ReplaceAllString(text, ""))
		}
	}
	return answer("")
}

// fences are the lines that mark code in Markdown.
var fences = regexp.MustCompile("(?m)^```.*\n?")

// goplsTime is how long after its start GoNB first looks whether gopls is there: after twelve seconds. What is asked
// before waits until then, and all cells behind it.
const goplsTime = 13 * time.Second

// forward has GoNB answer, if it can now; nil if not: it starts, or still thinks about what was asked before.
func (k *kernel) forward(m *jupyter.Message, r assistRequest) map[string]any {
	g := k.compilerNow()
	if g == nil || !g.Alive() || time.Since(g.Began) < goplsTime {
		return nil
	}
	k.mu.Lock()
	busy := k.late != ""
	k.mu.Unlock()
	if busy {
		return nil
	}
	ctx, cancel := context.WithTimeout(k.ctx, assistTime)
	defer cancel()
	send := *m
	send.Content = jupyter.ToJSON(r)
	reply, err := k.ask(ctx, g, &send, func(*jupyter.Message) {})
	if errors.Is(err, context.DeadlineExceeded) {
		k.mu.Lock()
		k.late = m.Header.MsgID
		k.mu.Unlock()
	}
	if err != nil {
		return nil
	}
	var content map[string]any
	if json.Unmarshal(reply.Content, &content) != nil {
		return nil
	}
	return content
}
