//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// subshells are queues of requests beside the shell's (Jupyter enhancement proposal 91): what a front end sends to one
// does not wait for the cells of the shell. They share the live session, in which cells take turns.
type subshells struct {
	mu   sync.Mutex
	list map[string]*queue
}

// get returns the queue of a sub-shell, nil if there is none.
func (s *subshells) get(id string) *queue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[id]
}

// onSubshell answers a control request about sub-shells; nil if it is about something else.
func (k *kernel) onSubshell(m *jupyter.Message) any {
	k.subs.mu.Lock()
	defer k.subs.mu.Unlock()
	switch m.Kind() {
	case "create_subshell_request":
		id, q := jupyter.NewID(), newQueue()
		if k.subs.list == nil {
			k.subs.list = map[string]*queue{}
		}
		k.subs.list[id] = q
		go k.serveSubshell(q)
		return map[string]any{"status": "ok", "subshell_id": id}
	case "list_subshell_request":
		ids := make([]string, 0, len(k.subs.list))
		for id := range k.subs.list {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return map[string]any{"status": "ok", "subshell_id": ids}
	case "delete_subshell_request":
		var ask struct {
			ID string `json:"subshell_id"`
		}
		json.Unmarshal(m.Content, &ask)
		q := k.subs.list[ask.ID]
		if q == nil {
			return errorReply(fail(nameKernel, "there is no sub-shell "+ask.ID))
		}
		delete(k.subs.list, ask.ID)
		q.put(nil)
		return map[string]any{"status": "ok"}
	}
	return nil
}

// serveSubshell carries out the requests of one sub-shell, until it is deleted.
func (k *kernel) serveSubshell(q *queue) {
	for k.ctx.Err() == nil {
		r := q.take()
		if r.Message == nil {
			return
		}
		k.publish("status", r.Message, map[string]any{"execution_state": "busy"})
		switch {
		case r.Kind() == "execute_request" && !r.aborted:
			k.executeBeside(r.Message, q)
		default:
			k.handle(r)
		}
		k.publish("status", r.Message, map[string]any{"execution_state": "idle"})
	}
}

// executeBeside runs a cell of a sub-shell: a live one, when it is its turn, or lines %ddps. It has no number.
func (k *kernel) executeBeside(m *jupyter.Message, q *queue) {
	var r jupyter.ExecuteRequest
	if err := json.Unmarshal(m.Content, &r); err != nil {
		k.reply(k.shell, "execute_reply", m, errorReply(fail(nameKernel, err.Error())))
		return
	}
	r = r.Whole()
	r.Code = cells.Clean(r.Code)
	if !r.Silent {
		k.publish("execute_input", m, map[string]any{"code": r.Code, "execution_count": k.number()})
	}
	out := newScreen(k, m)
	out.silent = r.Silent
	failed := k.runBeside(r.Code, out)
	out.flush()
	k.answer(m, r, []any{}, failed, q)
}

func (k *kernel) runBeside(code string, out *screen) *jupyter.Failure {
	c := cells.New(code)
	if live, above, ok := c.Live(); ok {
		s, err := k.live()
		if err != nil {
			return fail(nameLive, err.Error())
		}
		if err := s.EvalCell(k.ctx, 0, strings.Repeat("\n", above)+live, out); err != nil {
			return liveFailure(err, 0, c)
		}
		return nil
	}
	for i, line := range c.Lines {
		args, ok := cells.DDPS(line)
		if !ok {
			continue
		}
		if err := k.magic(k.ctx, args, out); err != nil {
			return fail(nameMagic, "%ddps "+strings.Join(args, " ")+": "+err.Error())
		}
		c.Lines[i] = ""
	}
	if !cells.New(strings.Join(c.Lines, "\n")).Blank() {
		return fail(nameMagic, "sub-shells run live cells and %ddps commands; compiled cells run in the shell")
	}
	return nil
}

// expressions evaluates those of a front end in the live session, when a cell is over.
func (k *kernel) expressions(ask map[string]string) map[string]any {
	all := map[string]any{}
	for name, code := range ask {
		live, err := k.live()
		if err != nil {
			all[name] = errorReply(fail(nameLive, err.Error()))
			continue
		}
		out := &capture{}
		if err := live.EvalCell(context.WithoutCancel(k.ctx), 0, code, out); err != nil {
			all[name] = errorReply(liveFailure(err, 0, cells.New(code)))
			continue
		}
		all[name] = map[string]any{"status": "ok", "data": some(out.data), "metadata": some(out.metadata)}
	}
	return all
}
