package cells

import (
	"encoding/json"
	"path"
	"slices"
	"sync"
)

// History is what was run, by number, for this session. Sessions are not kept: the notebook is the record.
type History struct {
	mu      sync.Mutex
	entries []Entry
}

// Entry is a cell that was run and, if it had one, its value as text.
type Entry struct {
	Number int
	Code   string
	Output string
}

// session is the number of the session in answers about history.
const session = 1

// Add adds a cell that is being run.
func (h *History) Add(number int, code string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries = append(h.entries, Entry{Number: number, Code: code})
}

// All returns the cells that were run.
func (h *History) All() []Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.entries)
}

// Result notes the value of the newest cell.
func (h *History) Result(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.entries); n > 0 {
		h.entries[n-1].Output = text
	}
}

// historyRequest is the content of history_request.
type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"`
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"`
	N       *int   `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// Answer returns the entries asked for, oldest first: [session, number, code], or [session, number, [code, output]].
func (h *History) Answer(content []byte) ([][3]any, error) {
	var r historyRequest
	if err := json.Unmarshal(content, &r); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.entries
	switch r.Access {
	case "range":
		list = h.span(r)
	case "search":
		list = h.search(r)
	}
	if r.N != nil && r.Access != "range" {
		list = list[max(0, len(list)-max(0, *r.N)):]
	}
	out := make([][3]any, len(list))
	for i, e := range list {
		out[i] = [3]any{session, e.Number, e.Code}
		if r.Output {
			out[i][2] = [2]any{e.Code, e.Output}
		}
	}
	return out, nil
}

// span returns the entries numbered start ≤ n < stop, of this session: 1 or, counted from it, 0.
func (h *History) span(r historyRequest) []Entry {
	if r.Session != session && r.Session != 0 {
		return nil
	}
	var list []Entry
	for _, e := range h.entries {
		if e.Number >= r.Start && (r.Stop == nil || e.Number < *r.Stop) {
			list = append(list, e)
		}
	}
	return list
}

// search returns the entries whose code matches a pattern of * and ?; of equal ones the newest alone, if unique.
func (h *History) search(r historyRequest) []Entry {
	pattern := r.Pattern
	if pattern == "" {
		pattern = "*"
	}
	var list []Entry
	newest := map[string]int{}
	for i, e := range h.entries {
		newest[e.Code] = i
	}
	for i, e := range h.entries {
		if matches(pattern, e.Code) && (!r.Unique || newest[e.Code] == i) {
			list = append(list, e)
		}
	}
	return list
}

// matches is a glob over all characters, slashes and line ends too.
func matches(pattern, s string) bool {
	flat := func(s string) string {
		b := []byte(s)
		for i := range b {
			if b[i] == '/' {
				b[i] = 1
			}
		}
		return string(b)
	}
	ok, err := path.Match(flat(pattern), flat(s))
	return err == nil && ok
}
