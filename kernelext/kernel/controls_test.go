//go:build unix

package kernel

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// tells plays a page: opens a channel to an address and says something on it.
func tells(t *testing.T, c *jupyter.Client, kind, channel string, data map[string]any) {
	t.Helper()
	if _, err := c.Send(c.Shell, kind, map[string]any{"comm_id": channel, "target_name": controlsTarget,
		"data": data}); err != nil {
		t.Fatal(err)
	}
}

// closed waits for the kernel to close a channel.
func closed(t *testing.T, c *jupyter.Client, channel string) {
	t.Helper()
	err := c.Wait(proctest.Patience, func() bool {
		for _, m := range c.Output {
			if m.Kind() == "comm_close" && strings.Contains(string(m.Content), `"`+channel+`"`) {
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatalf("channel %s stays open", channel)
	}
}

// shows waits for a display whose content holds a text, and returns it.
func shows(t *testing.T, c *jupyter.Client, part string) map[string]any {
	t.Helper()
	var found *jupyter.Message
	err := c.Wait(proctest.Patience, func() bool {
		for _, m := range c.Output {
			if strings.HasSuffix(m.Kind(), "display_data") && strings.Contains(string(m.Content), part) {
				found = m
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatalf("%q is not shown", part)
	}
	return content(t, found)
}

// cellOf sends a cell that has a name.
func cellOf(t *testing.T, c *jupyter.Client, name, code string) string {
	t.Helper()
	m := jupyter.Compose(c.Session, "execute_request", nil, jupyter.ExecuteRequest{Code: code}.Whole())
	m.Metadata = []byte(fmt.Sprintf(`{"cellId": %q}`, name))
	if err := c.Shell.SendMulti(zmq4.NewMsgFrom(c.Sign.Seal(m)...)); err != nil {
		t.Fatal(err)
	}
	return m.Header.MsgID
}

// The controls of a live cell follow the page while other cells run, and until their own is run again.
func TestLiveControls(t *testing.T) {
	c := testKernel(t, t.TempDir())
	if _, err := c.Collect(cellOf(t, c, "a", "%%live\ncontrols one"), proctest.Patience); err != nil {
		t.Fatal(err)
	}
	tells(t, c, "comm_open", "ch1", map[string]any{"address": "one"})
	shows(t, c, "one hears ready")
	tells(t, c, "comm_msg", "ch1", map[string]any{"text": "0=1"})
	shows(t, c, "one hears 0=1")
	tells(t, c, "comm_open", "ch2", map[string]any{"address": "nobody"})
	closed(t, c, "ch2")
	tells(t, c, "comm_msg", "ch3", map[string]any{"text": "0=1"}) // of a kernel before a restart
	closed(t, c, "ch3")
	id := cellOf(t, c, "b", "%%live\nwait")
	tells(t, c, "comm_msg", "ch1", map[string]any{"text": "0=2"})
	shows(t, c, "one hears 0=2")
	begun := func() bool {
		return slices.ContainsFunc(c.Output, func(m *jupyter.Message) bool {
			return m.Kind() == "execute_input" &&
				m.ParentID() == id
		})
	}
	if err := c.Wait(proctest.Patience, begun); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send(c.Control, "interrupt_request", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Collect(id, proctest.Patience); err != nil {
		t.Fatal(err)
	}
	if a, err := c.Ask("comm_info_request", map[string]any{"target_name": controlsTarget},
		proctest.Patience); err != nil ||
		len(content(t, a.Reply)["comms"].(map[string]any)) != 1 {
		t.Error(string(a.Reply.Content), err)
	}
	again := cellOf(t, c, "a", "%%live\ncontrols two")
	closed(t, c, "ch1")
	shows(t, c, "one hears done")
	if _, err := c.Collect(again, proctest.Patience); err != nil {
		t.Fatal(err)
	}
	tells(t, c, "comm_open", "ch4", map[string]any{"address": "two"})
	shows(t, c, "two hears ready")
	tells(t, c, "comm_close", "ch4", nil) // the page went
	tells(t, c, "comm_open", "ch5", map[string]any{"address": "two"})
	if _, err := c.Send(c.Control, "shutdown_request", map[string]any{"restart": true}); err != nil {
		t.Fatal(err)
	}
	closed(t, c, "ch5")
}

// The bundle of controls gets the script, and loses the mark.
func TestControlsScript(t *testing.T) {
	k := &kernel{id: "kernel-id"}
	s := &screen{k: k}
	data := map[string]any{kernelext.MIMEHTML: "<div></div>", kernelext.ControlsMIME: "an-address"}
	got := s.scripted(data)
	text := got[kernelext.MIMEHTML].(string)
	if !strings.HasPrefix(text, "<div></div><script>") ||
		!strings.HasSuffix(text, `("an-address", "kernel-id")</script>`) || len(got) != 1 || len(data) != 2 {
		t.Error(got)
	}
	if strings.Count(text, "</script>") != 1 {
		t.Error("the script ends itself")
	}
	k.id = ""
	if got := s.scripted(data); got[kernelext.MIMEHTML] != "<div></div>" {
		t.Error(got)
	}
}

// The controls of a compiled cell come over the socket, and yield to cells that wait.
func TestCompiledControls(t *testing.T) {
	path := shortFolder(t) + "/controls"
	closed := make(chan string, 9)
	c := newControls(func(channel string) { closed <- channel }, t.Logf)
	cell, page, others := "a", true, false
	if err := c.serve(path, func() (string, bool, bool) { return cell, page, others }); err != nil {
		t.Fatal(err)
	}
	defer c.stop()
	t.Setenv(kernelext.EnvControls, path)
	listen := func(address string) (heard chan string, stop func()) {
		heard = make(chan string, 99)
		return heard, kernelext.ListenToKernel(address, func(text string) { heard <- text })
	}
	hears := func(heard chan string, want string) {
		t.Helper()
		select {
		case got := <-heard:
			if got != want {
				t.Errorf("%q, not %q", got, want)
			}
		case <-time.After(proctest.Patience):
			t.Fatalf("nothing, not %q", want)
		}
	}
	say := func(kind, content string) bool {
		return c.message(&jupyter.Message{Header: jupyter.Header{MsgType: kind}, Content: []byte(content)})
	}
	heard, stop := listen("one")
	hears(heard, kernelext.PageWaits)
	if !say("comm_open", `{"comm_id": "x", "target_name": "ddps", "data": {"address": "one"}}`) ||
		say("comm_msg", `{"comm_id": "y"}`) || say("comm_open", `{`) {
		t.Error("what is about controls and what is not")
	}
	hears(heard, kernelext.PageReady)
	text := "0=\"quoted\"\nand on"
	say("comm_msg", string(jupyter.ToJSON(map[string]any{"comm_id": "x", "data": map[string]string{"text": text}})))
	hears(heard, text)
	c.endLive()
	c.endCell("b")
	c.endCell("")
	c.endCompiled()
	hears(heard, kernelext.PageDone)
	hears(closed, "x")
	stop()

	page = false
	heard, stop = listen("two")
	hears(heard, "")
	say("comm_open", `{"comm_id": "z", "target_name": "ddps", "data": {"address": "two"}}`)
	hears(heard, kernelext.PageReady)
	stop() // the cell ends
	hears(closed, "z")

	others = true
	heard, stop = listen("three")
	hears(heard, "")
	hears(heard, kernelext.PageDone)
	stop()

	os.Remove(path)
	if heard, stop := listen("four"); len(heard) > 0 {
		t.Error("heard without a kernel")
	} else {
		stop()
	}
}

// Controls are widgets where the front end has a page: their models open, follow the page, and end with the cell.
func TestWidgets(t *testing.T) {
	c := testKernel(t, t.TempDir())
	if _, err := c.Send(c.Shell, "comm_open", map[string]any{"comm_id": "asks", "target_name": "jupyter.widget.control",
		"data": map[string]any{}}); err != nil {
		t.Fatal(err)
	}
	ran, err := c.Collect(cellOf(t, c, "a", "%%live\nwidgets one"), proctest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]string{} // name → channel
	var shown map[string]any
	for _, m := range ran.Output {
		if m.Kind() == "display_data" {
			shown, _ = content(t, m)["data"].(map[string]any)["application/vnd.jupyter.widget-view+json"].(map[string]any)
		}
		if m.Kind() != "comm_open" {
			continue
		}
		open := content(t, m)
		state := open["data"].(map[string]any)["state"].(map[string]any)
		models[state["_model_name"].(string)] = open["comm_id"].(string)
		if !strings.Contains(string(m.Metadata), `"2.1.0"`) {
			t.Errorf("no version of the protocol: %s", m.Metadata)
		}
	}
	if len(models) != 10 || shown["model_id"] != models["HBoxModel"] {
		t.Fatal(models, shown)
	}
	say := func(model string, data map[string]any) {
		t.Helper()
		id, err := c.Send(c.Shell, "comm_msg", map[string]any{"comm_id": models[model], "data": data})
		if err != nil {
			t.Fatal(err)
		}
		err = c.Wait(proctest.Patience, func() bool { // or the page sends no more
			return slices.ContainsFunc(c.Output, func(m *jupyter.Message) bool {
				return m.Kind() == "status" && m.ParentID() == id && strings.Contains(string(m.Content), "idle")
			})
		})
		if err != nil {
			t.Fatalf("%s: the kernel is not idle again", model)
		}
	}
	update := func(name string, value any) map[string]any {
		return map[string]any{"method": "update", "state": map[string]any{name: value}}
	}
	say("FloatSliderModel", update("value", 1.5))
	shows(t, c, "one hears 0=1.5")
	say("DropdownModel", update("index", 2))
	shows(t, c, "one hears 1=2")
	say("CheckboxModel", update("value", true))
	shows(t, c, "one hears 2=true")
	for range 2 {
		say("ButtonModel", map[string]any{"method": "custom", "content": map[string]any{"event": "click"}})
	}
	shows(t, c, "one hears 3=2")
	models["asks"] = "asks"
	say("asks", map[string]any{"method": "request_states"})
	err = c.Wait(proctest.Patience, func() bool {
		return slices.ContainsFunc(c.Output, func(m *jupyter.Message) bool {
			return strings.Contains(string(m.Content), "update_states") && strings.Contains(string(m.Content), `"value":1.5`)
		})
	})
	if err != nil {
		t.Error("a page that is loaded again hears nothing of the models")
	}
	if _, err := c.Collect(cellOf(t, c, "a", "%%live\n1"), proctest.Patience); err != nil {
		t.Fatal(err)
	}
	err = c.Wait(proctest.Patience, func() bool {
		return slices.ContainsFunc(c.Output, func(m *jupyter.Message) bool {
			return m.Kind() == "comm_msg" && strings.Contains(string(m.Content), `"disabled":true`) &&
				strings.Contains(string(m.Content), models["FloatSliderModel"])
		})
	})
	if err != nil {
		t.Error("the controls of a cell that ran again are not disabled")
	}
}
