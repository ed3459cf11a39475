//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// assistRequest is the content of complete_request and inspect_request. Positions count characters.
type assistRequest struct {
	Code   string `json:"code"`
	Cursor *int   `json:"cursor_pos"`
	Detail int    `json:"detail_level"`
}

// readAssist reads one; at is the cursor's byte, and line what stands before it on its line.
func readAssist(m *jupyter.Message) (r assistRequest, at int, line string, ok bool) {
	if json.Unmarshal(m.Content, &r) != nil {
		return r, 0, "", false
	}
	at = len(r.Code)
	if r.Cursor != nil {
		n := 0
		for i := range r.Code {
			if n == max(0, *r.Cursor) {
				at = i
				break
			}
			n++
		}
	}
	n := utf8.RuneCountInString(r.Code[:at])
	r.Cursor = &n
	line = r.Code[strings.LastIndexByte(r.Code[:at], '\n')+1 : at]
	return r, at, line, true
}

// assistTime is how long GoNB may think about a completion or an explanation; front ends do not wait longer.
const assistTime = 5 * time.Second

// complete is the content of complete_reply: for magics from here, for live cells from the session, else from gopls.
func (k *kernel) complete(m *jupyter.Message) any {
	r, at, line, ok := readAssist(m)
	if !ok {
		return nil
	}
	answer := func(names []string, start int) any {
		if names == nil {
			names = []string{}
		}
		return map[string]any{"status": "ok", "matches": names, "cursor_start": utf8.RuneCountInString(r.Code[:start]),
			"cursor_end": *r.Cursor, "metadata": map[string]any{}}
	}
	code, _, isLive := cells.New(r.Code).Live()
	switch {
	case strings.HasPrefix(line, "%"):
		word := line[strings.LastIndexAny(line, " \t")+1:]
		return answer(k.completeMagic(line), at-len(word))
	case isLive:
		above := len(r.Code) - len(code)
		live, err := k.live()
		if err != nil || at < above {
			return answer(nil, at)
		}
		list, start := live.Complete(code, at-above)
		names := make([]string, len(list))
		for i, c := range list {
			names[i] = c.Name
		}
		reply := answer(names, start+above).(map[string]any)
		reply["metadata"] = map[string]any{typesKey: typed(list, reply["cursor_start"], reply["cursor_end"])}
		return reply
	}
	reply := k.forward(m, r)
	if matches, ok := reply["matches"].([]any); ok && len(matches) > 0 {
		return reply
	}
	names, start := k.history.Names(r.Code, at, k.members)
	part := answer(names, start).(map[string]any)
	part["metadata"] = map[string]any{withoutGopls: reply == nil}
	return part
}

// typesKey is where front ends look for what the candidates of a completion are.
const typesKey = "_jupyter_types_experimental"

// typed describes candidates as front ends do, which know kinds by Jedi's names.
func typed(list []kernelext.Candidate, start, end any) []map[string]any {
	kinds := map[string]string{"variable": "instance", "field": "property", "type": "class", "constant": "statement",
		"package": "module", "method": "function"}
	out := make([]map[string]any, len(list))
	for i, c := range list {
		kind := c.Kind
		if k := kinds[kind]; k != "" {
			kind = k
		}
		out[i] = map[string]any{"text": c.Name, "type": kind, "start": start, "end": end, "signature": strings.TrimPrefix(
			c.Type, "func")}
	}
	return out
}

// members is Live's, nothing where there is none.
func (k *kernel) members(name string) []string {
	live, err := k.live()
	if err != nil {
		return nil
	}
	return live.Members(name)
}

// completeMagic returns what may stand for the last word of a line that begins with %.
func (k *kernel) completeMagic(line string) []string {
	var all []string
	args, isDDPS := cells.DDPS(line)
	word := line[strings.LastIndexAny(line, " \t")+1:]
	switch {
	case !strings.ContainsAny(line, " \t"):
		all = append(all, "%ddps", "%%live", "%%", "%%time", "%%timeit", "%%parameters", "%who")
		all = append(all, cells.Magics()...)
		for _, name := range cells.LineMagics() {
			all = append(all, "%"+name)
		}
	case isDDPS:
		if word == "" {
			args = append(args, "")
		}
		if len(args) == 1 {
			all = append([]string{"help", "version", "runs", "clear"}, sortedKeys(k.Magics)...)
		}
		all = append(all, k.completeProgram(args)...)
	}
	var list []string
	seen := map[string]bool{"kernel": true, "repl": true, "completion": true} // for a terminal
	for _, name := range all {
		if strings.HasPrefix(name, word) && !seen[name] {
			list, seen[name] = append(list, name), true
		}
	}
	return list
}

// completeProgram asks the program, which completes for shells with its command __complete: a word a line with its
// description behind a tab, and a last line of a colon and a number.
func (k *kernel) completeProgram(args []string) []string {
	ctx, cancel := context.WithTimeout(k.ctx, assistTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, k.Program[0], append(append(k.Program[1:len(k.Program):len(k.Program)], "__complete"),
		args...)...)
	cmd.Dir = k.Dir
	text, err := cmd.Output()
	if err != nil {
		return nil
	}
	var words []string
	for _, row := range strings.Split(string(text), "\n") {
		if word, _, _ := strings.Cut(row, "\t"); word != "" && !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}
