//go:build unix

package kernel

import (
	"encoding/json"
	"runtime"
	"strings"
)

// onShell queues a request; comm messages go to GoNB at once, as a running cell may wait for them.
func (k *kernel) onShell(m *message) {
	if !strings.HasPrefix(m.kind(), "comm_") || m.kind() == "comm_info_request" {
		k.queue.put(m)
		if m.kind() == "execute_request" {
			k.controls.endCompiled()
		}
		return
	}
	id, target := k.comms.note(m)
	if k.controls.message(m) {
		return
	}
	g := k.compilerNow()
	switch {
	case target == "gonb_comm" && g != nil:
		g.ask(k.sign.seal(m))
	case m.kind() != "comm_close": // nobody here to talk to
		k.closeChannel(id)
	}
}

// closeChannel tells pages that nobody listens to a channel.
func (k *kernel) closeChannel(id string) {
	m := compose(k.session, "comm_close", nil, map[string]any{"comm_id": id, "data": map[string]any{}})
	k.comms.note(m)
	k.rebroadcast(m)
}

// serve carries out the shell's requests one after the other.
func (k *kernel) serve() {
	for k.ctx.Err() == nil {
		r := k.queue.take()
		k.publish("status", r.message, map[string]any{"execution_state": "busy"})
		k.handle(r)
		k.publish("status", r.message, map[string]any{"execution_state": "idle"})
	}
}

// handle carries out one request.
func (k *kernel) handle(r *request) {
	m := r.message
	var content any
	switch m.kind() {
	case "execute_request":
		if r.aborted {
			k.reply(k.shell, "execute_reply", m, map[string]any{"status": "aborted", "execution_count": k.count})
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
		if json.Unmarshal(m.content, &ask) == nil {
			content = isComplete(ask.Code)
		}
	case "complete_request":
		content = k.complete(m)
	case "inspect_request":
		content = k.inspect(m)
	case "history_request":
		if list, err := k.history.answer(m.content); err == nil {
			content = map[string]any{"status": "ok", "history": list}
		}
	case "comm_info_request":
		var ask struct {
			Target string `json:"target_name"`
		}
		json.Unmarshal(m.content, &ask)
		content = k.comms.info(ask.Target)
	case "connect_request":
		content = map[string]any{"status": "ok", "shell_port": k.conn.Shell, "iopub_port": k.conn.IOPub, "stdin_port": k.conn.Stdin,
			"control_port": k.conn.Control, "hb_port": k.conn.Heartbeat}
	case "shutdown_request":
		k.shutdown(k.shell, m)
		return
	default:
		k.log.Printf("a request that is not known: %s", m.kind())
		return
	}
	if content == nil {
		content = errorReply(fail(nameKernel, "the request makes no sense"))
	}
	k.reply(k.shell, strings.TrimSuffix(m.kind(), "request")+"reply", m, content)
}

// onControl answers what cannot wait for a cell to end.
func (k *kernel) onControl(m *message) {
	k.publish("status", m, map[string]any{"execution_state": "busy"})
	defer k.publish("status", m, map[string]any{"execution_state": "idle"})
	switch m.kind() {
	case "interrupt_request":
		k.interrupt()
		k.reply(k.control, "interrupt_reply", m, map[string]any{"status": "ok"})
	case "shutdown_request":
		k.shutdown(k.control, m)
	case "kernel_info_request":
		k.reply(k.control, "kernel_info_reply", m, k.info())
	default:
		k.log.Printf("a control request that is not known: %s", m.kind())
	}
}

// shutdown answers and stops the kernel.
func (k *kernel) shutdown(s *socket, m *message) {
	var ask struct {
		Restart bool `json:"restart"`
	}
	json.Unmarshal(m.content, &ask)
	content := map[string]any{"status": "ok", "restart": ask.Restart}
	k.controls.endAll()
	k.publish("shutdown_reply", m, content)
	k.reply(s, "shutdown_reply", m, content)
	k.stop()
}

// info is the content of kernel_info_reply.
func (k *kernel) info() map[string]any {
	banner := "DDPS " + k.Version + ", Go cells compiled by GoNB, %%live cells interpreted (" + runtime.Version() + "). %ddps help lists the magics."
	return map[string]any{
		"status": "ok", "protocol_version": protocolVersion, "implementation": "ddps", "implementation_version": k.Version,
		"banner": banner, "debugger": false,
		"language_info": map[string]any{"name": "go", "version": strings.TrimPrefix(runtime.Version(), "go"), "mimetype": "text/x-go",
			"file_extension": ".go", "pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script"},
		"help_links": []map[string]string{
			{"text": "The Go language", "url": "https://go.dev/doc/"},
			{"text": "DDPS packages", "url": "https://pkg.go.dev/github.com/ddps-go/ddps"},
			{"text": "GoNB's magics", "url": "https://github.com/janpfeifer/gonb"},
		},
	}
}

// errorReply is a reply that tells a failure.
func errorReply(f *failure) map[string]any {
	return map[string]any{"status": "error", "ename": f.Name, "evalue": f.Value, "traceback": f.Traceback}
}
