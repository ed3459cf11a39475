//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// call is a request that GoNB is at, and what it says about it.
type call struct {
	id     string
	events chan event
	done   chan struct{}
}

var errAsked = errors.New("the compiler is at another request")

// event is what GoNB said: its reply, or something to broadcast.
type event struct {
	*jupyter.Message
	reply bool
}

// ask has GoNB carry out a request: each thing it broadcasts about it goes to show, and the reply is returned when
// all is said.
func (k *kernel) ask(ctx context.Context, g *gonb.Compiler, m *jupyter.Message, show func(*jupyter.Message)) (
	*jupyter.Message, error) {
	if !k.asking.TryLock() { // a sub-shell's question while a cell runs
		return nil, errAsked
	}
	defer k.asking.Unlock()
	c := &call{id: m.Header.MsgID, events: make(chan event, 64), done: make(chan struct{})}
	k.mu.Lock()
	k.call = c
	k.mu.Unlock()
	defer func() {
		k.mu.Lock()
		k.call = nil
		k.mu.Unlock()
		close(c.done)
	}()
	if err := g.Ask(k.sign.Seal(m)); err != nil {
		return nil, err
	}
	var reply *jupyter.Message
	for idle := false; reply == nil || !idle; {
		select {
		case e := <-c.events:
			var status struct {
				State string `json:"execution_state"`
			}
			switch {
			case e.reply:
				reply = e.Message
			case e.Kind() != "status":
				show(e.Message)
			case json.Unmarshal(e.Content, &status) == nil:
				idle = status.State == "idle"
			}
		case <-g.Gone:
			return nil, errNoCompiler
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return reply, nil
}

// deliver gives an event to the call that it belongs to, if that is still on.
func (k *kernel) deliver(e event) bool {
	k.mu.Lock()
	c := k.call
	k.mu.Unlock()
	if c == nil || e.ParentID() != c.id {
		return false
	}
	select {
	case c.events <- e:
		return true
	case <-c.done:
		return false
	}
}

// fromShell takes GoNB's replies.
func (k *kernel) fromShell(m *jupyter.Message) {
	k.mu.Lock()
	if m.ParentID() == k.late {
		k.late = ""
	}
	k.mu.Unlock()
	k.deliver(event{m, true})
}

// fromStdin hands GoNB's wish for input to the front end.
func (k *kernel) fromStdin(m *jupyter.Message) {
	if frames := k.sign.Seal(m); len(m.Ids) > 0 {
		k.stdin.To(string(frames[0]), frames[1:])
	}
}

// fromIOPub takes what GoNB broadcasts. The kernel tells itself when it is busy, what it runs and what failed.
func (k *kernel) fromIOPub(m *jupyter.Message) {
	switch m.Kind() {
	case "status":
		k.deliver(event{m, false})
	case "execute_input", "error":
	case "comm_open", "comm_msg", "comm_close":
		k.comms.note(m)
		k.rebroadcast(m)
	default:
		if !k.deliver(event{m, false}) {
			k.rebroadcast(m) // late: from a pipe that GoNB read when the cell was over
		}
	}
}

// comms are the open channels between front ends and widgets, by id, with what each is for.
type comms struct {
	mu     sync.Mutex
	target map[string]string
}

// note follows a comm message, and returns its channel and what that is for, "" if it is not open.
func (c *comms) note(m *jupyter.Message) (id, target string) {
	var content struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
	}
	if json.Unmarshal(m.Content, &content) != nil {
		return "", ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Kind() == "comm_open" {
		c.target[content.ID] = content.Target
	}
	target = c.target[content.ID]
	if m.Kind() == "comm_close" {
		delete(c.target, content.ID)
	}
	return content.ID, target
}

// info is the content of comm_info_reply, of one target or, if that is "", of all.
func (c *comms) info(target string) map[string]any {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := maps.Clone(c.target)
	list := map[string]any{}
	for id, t := range open {
		if target == "" || t == target {
			list[id] = map[string]string{"target_name": t}
		}
	}
	return map[string]any{"status": "ok", "comms": list}
}
