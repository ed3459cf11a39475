//go:build unix

package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-zeromq/zmq4"

	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// control sends a control request and returns the content of its reply.
func control(t *testing.T, c *jupyter.Client, kind string, ask any) map[string]any {
	t.Helper()
	id, err := c.Send(c.Control, kind, ask)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Collect(id, proctest.Patience)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return content(t, a.Reply)
}

// beside sends a request to a sub-shell.
func beside(t *testing.T, c *jupyter.Client, subshell, kind string, ask any) string {
	t.Helper()
	m := jupyter.Compose(c.Session, kind, nil, ask)
	frames := c.Sign.Seal(m.WithSubshell(subshell))
	if err := c.Shell.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		t.Fatal(err)
	}
	return m.Header.MsgID
}

// What is sent to a sub-shell does not wait for the cell that the shell runs.
func TestSubshells(t *testing.T) {
	c := testKernel(t, t.TempDir())
	info, err := c.Ask("kernel_info_request", map[string]any{}, proctest.Patience)
	if err != nil || !strings.Contains(fmt.Sprint(content(t, info.Reply)["supported_features"]), "kernel subshells") {
		t.Fatal(info, err)
	}
	id := control(t, c, "create_subshell_request", map[string]any{})["subshell_id"].(string)
	list := control(t, c, "list_subshell_request", map[string]any{})["subshell_id"].([]any)
	if !slices.Contains(list, any(id)) || len(list) != 1 {
		t.Error(list)
	}
	long := cellOf(t, c, "", "%%live\nwait")
	started := func() bool {
		return slices.ContainsFunc(c.Output, func(m *jupyter.Message) bool {
			return m.Kind() == "execute_input" && m.ParentID() == long
		})
	}
	if err := c.Wait(proctest.Patience, started); err != nil {
		t.Fatal(err)
	}
	a, err := c.Collect(beside(t, c, id, "complete_request", map[string]any{"code": "%dd", "cursor_pos": 3}),
		proctest.Patience)
	if err != nil || !strings.Contains(string(a.Reply.Content), "%ddps") {
		t.Fatal(a, err)
	}
	run := jupyter.ExecuteRequest{Code: "%ddps help"}.Whole()
	if a, err = c.Collect(beside(t, c, id, "execute_request", run), proctest.Patience); err != nil ||
		!strings.Contains(string(a.Reply.Content), `"ok"`) {
		t.Fatal(a, err)
	}
	run.Code = "fmt.Println(1)"
	if a, err = c.Collect(beside(t, c, id, "execute_request", run), proctest.Patience); err != nil ||
		!strings.Contains(string(a.Reply.Content), "compiled cells run in the shell") {
		t.Fatal(a, err)
	}
	if _, err := c.Send(c.Control, "interrupt_request", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Collect(long, proctest.Patience); err != nil {
		t.Fatal(err)
	}
	run.Code = "%%live\nresult beside"
	if a, err = c.Collect(beside(t, c, id, "execute_request", run), proctest.Patience); err != nil ||
		!slices.ContainsFunc(a.Output, func(m *jupyter.Message) bool { return m.Kind() == "execute_result" }) {
		t.Fatal(a, err)
	}
	if r := control(t, c, "delete_subshell_request", map[string]any{"subshell_id": id}); r["status"] != "ok" {
		t.Error(r)
	}
	if r := control(t, c, "delete_subshell_request", map[string]any{"subshell_id": id}); r["status"] != "error" {
		t.Error(r)
	}
	a, err = c.Collect(beside(t, c, id, "execute_request", run), proctest.Patience)
	if err != nil || !strings.Contains(string(a.Reply.Content), "no sub-shell") {
		t.Error(string(a.Reply.Content))
	}
}

// Expressions of a front end are evaluated in the live session when the cell is over; a silent cell shows nothing.
func TestExpressions(t *testing.T) {
	c := testKernel(t, t.TempDir())
	ask := jupyter.ExecuteRequest{Code: "%%live\nresult shown", Silent: true,
		UserExpressions: map[string]string{"a": "result of it", "b": "break"}}.Whole()
	a, err := c.Ask("execute_request", ask, proctest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Output) > 0 {
		t.Error("a silent cell shows", a.Output)
	}
	got := content(t, a.Reply)["user_expressions"].(map[string]any)
	text := fmt.Sprint(got["a"].(map[string]any)["data"])
	if !strings.Contains(text, "of it") || got["a"].(map[string]any)["status"] != "ok" ||
		got["b"].(map[string]any)["status"] != "error" {
		t.Error(got)
	}
}
