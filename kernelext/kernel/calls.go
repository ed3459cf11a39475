//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
)

// call is a request that GoNB is at, and what it says about it.
type call struct {
	id     string
	events chan event
	done   chan struct{}
}

// event is what GoNB said: its reply, or something to broadcast.
type event struct {
	*message
	reply bool
}

// ask has GoNB carry out a request: each thing it broadcasts about it goes to show, and the reply is returned when
// all is said.
func (k *kernel) ask(ctx context.Context, g *compiler, m *message, show func(*message)) (*message, error) {
	c := &call{id: m.header.MsgID, events: make(chan event, 64), done: make(chan struct{})}
	k.mu.Lock()
	k.call = c
	k.mu.Unlock()
	defer func() {
		k.mu.Lock()
		k.call = nil
		k.mu.Unlock()
		close(c.done)
	}()
	if err := g.ask(k.sign.seal(m)); err != nil {
		return nil, err
	}
	var reply *message
	for idle := false; reply == nil || !idle; {
		select {
		case e := <-c.events:
			var status struct {
				State string `json:"execution_state"`
			}
			switch {
			case e.reply:
				reply = e.message
			case e.kind() != "status":
				show(e.message)
			case json.Unmarshal(e.content, &status) == nil:
				idle = status.State == "idle"
			}
		case <-g.gone:
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
	if c == nil || e.parentID() != c.id {
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
func (k *kernel) fromShell(m *message) {
	k.mu.Lock()
	if m.parentID() == k.late {
		k.late = ""
	}
	k.mu.Unlock()
	k.deliver(event{m, true})
}

// fromStdin hands GoNB's wish for input to the front end.
func (k *kernel) fromStdin(m *message) {
	if frames := k.sign.seal(m); len(m.ids) > 0 {
		k.stdin.to(string(frames[0]), frames[1:])
	}
}

// fromIOPub takes what GoNB broadcasts. The kernel tells itself when it is busy, what it runs and what failed.
func (k *kernel) fromIOPub(m *message) {
	switch m.kind() {
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
func (c *comms) note(m *message) (id, target string) {
	var content struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
	}
	if json.Unmarshal(m.content, &content) != nil {
		return "", ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.kind() == "comm_open" {
		c.target[content.ID] = content.Target
	}
	target = c.target[content.ID]
	if m.kind() == "comm_close" {
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
