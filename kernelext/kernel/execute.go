//go:build unix

package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// running is the cell that is being run. An interrupt cancels it.
type running struct {
	cancel      context.CancelFunc
	interrupted bool
	compiled    bool   // GoNB is at it
	cell        string // the front end's name for it, "" if it has none
}

// execute runs a cell and answers.
func (k *kernel) execute(m *jupyter.Message) {
	var r jupyter.ExecuteRequest
	if err := json.Unmarshal(m.Content, &r); err != nil {
		k.reply(k.shell, "execute_reply", m, errorReply(fail(nameKernel, err.Error())))
		return
	}
	r = r.Whole()
	r.Code = cells.Clean(r.Code)
	if *r.StoreHistory {
		k.count.Add(1)
		k.history.Add(k.number(), r.Code)
	}
	ctx, cancel := context.WithCancel(k.ctx)
	defer cancel()
	now := &running{cancel: cancel, cell: m.Cell()}
	k.controls.endCell(now.cell)
	k.mu.Lock()
	os.Remove(k.scratch.Journal())
	k.running = now // an interrupt that comes after the next word finds it
	k.mu.Unlock()
	if !r.Silent {
		k.publish("execute_input", m, map[string]any{"code": r.Code, "execution_count": k.number()})
	}
	out := newScreen(k, m)
	out.typing, out.silent = r.AllowStdin, r.Silent
	payload, failed := k.runCell(ctx, m, r, out)
	out.flush()
	k.mu.Lock()
	k.running = nil
	if now.interrupted && (failed == nil || failed.Name != nameInterrupt) { // which says more
		failed = endFailure(gonb.Outcome{Stopped: true}, "")
	}
	k.mu.Unlock()
	k.answer(m, r, payload, failed, k.queue)
}

// answer replies to a cell that is over. One that failed takes those with it that wait.
func (k *kernel) answer(m *jupyter.Message, r jupyter.ExecuteRequest, payload []any, failed *jupyter.Failure,
	q *queue) {
	if failed == nil {
		k.reply(k.shell, "execute_reply", m, map[string]any{"status": "ok", "execution_count": k.number(), "payload": payload,
			"user_expressions": k.expressions(r.UserExpressions)})
		return
	}
	if !r.Silent {
		k.publish("error", m, failed)
	}
	if *r.StopOnError {
		q.abort()
	}
	content := errorReply(failed)
	content["execution_count"], content["payload"], content["user_expressions"] = k.number(), []any{}, map[string]any{}
	k.reply(k.shell, "execute_reply", m, content)
}

// runCell runs a cell: a question, a live cell, or lines %ddps and what is then left for the compiler.
func (k *kernel) runCell(ctx context.Context, m *jupyter.Message, r jupyter.ExecuteRequest, out *screen) (payload []any,
	failed *jupyter.Failure) {
	payload = []any{}
	c := cells.New(r.Code)
	c.TimeLive()
	switch line, i := c.First(); strings.TrimSpace(line) {
	case "%%time": // of a compiled cell; live ones time themselves
		c.Lines[i] = ""
		r.Code = strings.Join(c.Lines, "\n")
		begin := time.Now()
		payload, failed = k.runCell(ctx, m, r, out)
		fmt.Fprintln(out.Stdout(), time.Since(begin).Round(time.Millisecond))
		return payload, failed
	case "%%parameters": // for both kinds of cells
		c.Lines[i] = ""
		c = cells.New(strings.Join(c.Lines, "\n"))
		if failed = k.parameters(ctx, c, out); failed != nil || c.Blank() {
			return payload, failed
		}
		return payload, k.compiled(ctx, m, r, c, out)
	case "%%timeit":
		return payload, fail(nameMagic, fmt.Sprintf("line %d: %%%%timeit is for live cells: it stands below %%%%live", i+1))
	}
	if name, ok := c.Query(); ok {
		text, err := k.document(ctx, name)
		if err != nil {
			return payload, fail(nameMagic, err.Error())
		}
		return append(payload, map[string]any{"source": "page", "start": 0, "data": map[string]any{"text/plain": text}}), nil
	}
	if code, above, ok := c.Live(); ok {
		live, err := k.live()
		if err != nil {
			return payload, fail(nameLive, err.Error())
		}
		k.noteStale(out.Stderr())
		if err := live.EvalCell(ctx, k.number(), strings.Repeat("\n", above)+code, out); err != nil {
			return payload, liveFailure(err, k.number(), c)
		}
		k.noteSettings(code)
		return payload, nil
	}
	first, _ := c.First()
	if f := strings.Fields(first); len(f) == 0 || !cells.IsMagic(f[0]) {
		for i, line := range c.Lines {
			args, ok := cells.DDPS(line)
			if !ok {
				continue
			}
			if err := k.magic(ctx, args, out); err != nil {
				return payload, fail(nameMagic, "%ddps "+strings.Join(args, " ")+": "+err.Error())
			}
			c.Lines[i] = ""
		}
		if failed = k.set(c, out); failed != nil {
			return payload, failed
		}
		c = cells.New(strings.Join(c.Lines, "\n"))
	}
	if c.Blank() {
		return payload, nil
	}
	return payload, k.compiled(ctx, m, r, c, out)
}

// parameters declares a cell's variables in the live session.
func (k *kernel) parameters(ctx context.Context, c cells.Cell, out *screen) *jupyter.Failure {
	live, err := k.live()
	if err != nil {
		return fail(nameLive, err.Error())
	}
	if err := live.EvalCell(ctx, k.number(), c.Code, out); err != nil {
		return liveFailure(err, k.number(), c)
	}
	return nil
}

// current tells of the cell that runs: its name, whether its front end has a page, and whether others wait for its end.
// Front ends with a page name their cells; programs that run notebooks do not.
func (k *kernel) current() (cell string, page, others bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running != nil {
		cell = k.running.cell
	}
	return cell, cell != "", k.queue.waits()
}

// interrupt stops the cell that runs, if one does.
func (k *kernel) interrupt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running == nil {
		if live, err := k.live(); err == nil {
			live.Stop()
		}
		return
	}
	k.running.interrupted = true
	if err := (gonb.Outcome{What: "cell", Stopped: true}).Note(k.scratch.Journal()); err != nil &&
		!errors.Is(err, os.ErrNotExist) {
		k.log.Printf("interrupt: %v", err)
	}
	k.running.cancel()
	if !k.running.compiled || k.gonb == nil {
		return
	}
	select {
	case <-k.gonb.ready:
		if k.gonb.gonb != nil {
			k.gonb.gonb.Interrupt(k.scratch)
		}
	default:
	}
}
