//go:build unix

package kernel

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// onShell queues a request; comm messages go to GoNB at once, as a running cell may wait for them.
func (k *kernel) onShell(m *jupyter.Message) {
	if !strings.HasPrefix(m.Kind(), "comm_") || m.Kind() == "comm_info_request" {
		if id := m.Header.Subshell; id != "" {
			if q := k.subs.get(id); q != nil {
				q.put(m)
				return
			}
			k.publish("status", m, map[string]any{"execution_state": "busy"})
			content := errorReply(fail(nameKernel, "there is no sub-shell "+id))
			k.reply(k.shell, strings.TrimSuffix(m.Kind(), "request")+"reply", m, content)
			k.publish("status", m, map[string]any{"execution_state": "idle"})
			return
		}
		k.queue.put(m)
		if m.Kind() == "execute_request" {
			k.controls.endCompiled()
		}
		return
	}
	id, target := k.comms.note(m)
	if k.widgets.Message(m) || k.controls.message(m) {
		return
	}
	g := k.compilerNow()
	switch {
	case target == "gonb_comm" && g != nil:
		g.Ask(k.sign.Seal(m))
	case m.Kind() != "comm_close": // nobody here to talk to
		k.closeChannel(id)
	}
}

// closeChannel tells pages that nobody listens to a channel.
func (k *kernel) closeChannel(id string) {
	m := jupyter.Compose(k.session, "comm_close", nil, map[string]any{"comm_id": id, "data": map[string]any{}})
	k.comms.note(m)
	k.rebroadcast(m)
}

// serve carries out the shell's requests one after the other.
func (k *kernel) serve() {
	for k.ctx.Err() == nil {
		r := k.queue.take()
		k.publish("status", r.Message, map[string]any{"execution_state": "busy"})
		k.handle(r)
		k.publish("status", r.Message, map[string]any{"execution_state": "idle"})
	}
}

// handle carries out one request.
func (k *kernel) handle(r *request) {
	m := r.Message
	var content any
	switch m.Kind() {
	case "execute_request":
		if r.aborted {
			k.reply(k.shell, "execute_reply", m, map[string]any{"status": "aborted", "execution_count": k.number()})
			return
		}
		k.execute(m)
		return
	case "kernel_info_request":
		content = k.info()
	case "is_complete_request":
		var ask struct {
			Code string `json:"code"`
		}
		if json.Unmarshal(m.Content, &ask) == nil {
			content = cells.IsComplete(ask.Code)
		}
	case "complete_request":
		content = k.complete(m)
	case "inspect_request":
		content = k.inspect(m)
	case "history_request":
		if list, err := k.history.Answer(m.Content); err == nil {
			content = map[string]any{"status": "ok", "history": list}
		}
	case "comm_info_request":
		var ask struct {
			Target string `json:"target_name"`
		}
		json.Unmarshal(m.Content, &ask)
		content = k.comms.info(ask.Target)
	case "connect_request":
		content = map[string]any{"status": "ok", "shell_port": k.conn.Shell, "iopub_port": k.conn.IOPub,
			"stdin_port":   k.conn.Stdin,
			"control_port": k.conn.Control, "hb_port": k.conn.Heartbeat}
	case "shutdown_request":
		k.shutdown(k.shell, m)
		return
	default:
		k.log.Printf("a request that is not known: %s", m.Kind())
		return
	}
	if content == nil {
		content = errorReply(fail(nameKernel, "the request makes no sense"))
	}
	k.reply(k.shell, strings.TrimSuffix(m.Kind(), "request")+"reply", m, content)
}

// onControl answers what cannot wait for a cell to end.
func (k *kernel) onControl(m *jupyter.Message) {
	k.publish("status", m, map[string]any{"execution_state": "busy"})
	defer k.publish("status", m, map[string]any{"execution_state": "idle"})
	switch m.Kind() {
	case "interrupt_request":
		k.interrupt()
		k.reply(k.control, "interrupt_reply", m, map[string]any{"status": "ok"})
	case "shutdown_request":
		k.shutdown(k.control, m)
	case "kernel_info_request":
		k.reply(k.control, "kernel_info_reply", m, k.info())
	case "debug_request":
		k.answerControl(m, k.debug(m))
	case "usage_request":
		k.reply(k.control, "usage_reply", m, k.meter.Reply(os.Getpid()))
	default:
		if content := k.onSubshell(m); content != nil {
			k.answerControl(m, content)
			return
		}
		k.log.Printf("a control request that is not known: %s", m.Kind())
		if strings.HasSuffix(m.Kind(), "_request") {
			k.answerControl(m, errorReply(fail(nameKernel, m.Kind()+" is not known here")))
		}
	}
}

// answerControl answers a request of the control socket; nil content says that it made no sense.
func (k *kernel) answerControl(m *jupyter.Message, content any) {
	if content == nil {
		content = errorReply(fail(nameKernel, "the request makes no sense"))
	}
	k.reply(k.control, strings.TrimSuffix(m.Kind(), "request")+"reply", m, content)
}

// shutdown answers and stops the kernel.
func (k *kernel) shutdown(s *jupyter.Socket, m *jupyter.Message) {
	var ask struct {
		Restart bool `json:"restart"`
	}
	json.Unmarshal(m.Content, &ask)
	content := map[string]any{"status": "ok", "restart": ask.Restart}
	k.controls.endAll()
	k.publish("shutdown_reply", m, content)
	k.reply(s, "shutdown_reply", m, content)
	k.stop()
}

// info is the content of kernel_info_reply.
func (k *kernel) info() map[string]any {
	banner := "DDPS " + k.Version + ", Go cells compiled by GoNB, %%live cells interpreted (" + runtime.Version() +
		"). %ddps help lists the magics."
	return map[string]any{
		"status": "ok", "protocol_version": jupyter.ProtocolVersion, "implementation": "ddps",
		"implementation_version": k.Version,
		"banner":                 banner, "debugger": true, "supported_features": []string{"debugger", // of variables alone
			"kernel subshells"},
		"language_info": map[string]any{"name": "go", "version": strings.TrimPrefix(runtime.Version(), "go"),
			"mimetype":       "text/x-go",
			"file_extension": ".go", "pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script"},
		"help_links": []map[string]string{
			{"text": "The Go language", "url": "https://go.dev/doc/"},
			{"text": "DDPS packages", "url": "https://pkg.go.dev/github.com/ddps-go/ddps"},
			{"text": "GoNB's magics", "url": "https://github.com/janpfeifer/gonb"},
		},
	}
}

// errorReply is a reply that tells a failure.
func errorReply(f *jupyter.Failure) map[string]any {
	return map[string]any{"status": "error", "ename": f.Name, "evalue": f.Value, "traceback": f.Traceback}
}
