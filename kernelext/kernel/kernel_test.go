//go:build unix

package kernel

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/ddps-go/ddps/kernelext/kernel/internal/proctest"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// content reads a message's content.
func content(t *testing.T, m *jupyter.Message) map[string]any {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(m.Content, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// kinds lists the types of messages.
func kinds(list []*jupyter.Message) string {
	var s []string
	for _, m := range list {
		s = append(s, m.Kind())
	}
	return strings.Join(s, " ")
}

// text joins what was written to a stream.
func text(t *testing.T, list []*jupyter.Message, name string) string {
	t.Helper()
	var b strings.Builder
	for _, m := range list {
		if c := content(t, m); m.Kind() == "stream" && c["name"] == name {
			b.WriteString(c["text"].(string))
		}
	}
	return b.String()
}

func TestLiveCells(t *testing.T) {
	c := testKernel(t, t.TempDir())
	r, err := c.Run("%%live\nsay hello\nwarn hm\nshow\nresult 2", proctest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	if got := kinds(r.Output); got != "execute_input stream stream display_data update_display_data execute_result" {
		t.Error(got)
	}
	if got := text(t, r.Output, "stdout"); got != "hello\n" {
		t.Errorf("%q", got)
	}
	last := content(t, r.Output[5])
	if last["execution_count"] != 1.0 || last["data"].(map[string]any)["text/plain"] != "2" {
		t.Error(last)
	}
	if r, err = c.Run("%%live\nmany", proctest.Patience); err != nil || text(t, r.Output, "stdout") != strings.Repeat(
		"äöü日本語", 100_000) {
		t.Error("long output is damaged", err)
	}
	r, err = c.Run("\n%%live\nsay x\nbreak", proctest.Patience)
	if err == nil || err.Error() != "LiveError: cell [3], line 4: it broke" {
		t.Error(err)
	}
	if got := kinds(r.Output); got != "execute_input stream error" {
		t.Error(got)
	}
	if trace := content(t, r.Reply)["traceback"].([]any); len(trace) != 3 || trace[2] != "inner" {
		t.Error(trace)
	}
}

// A live cell reads what is typed, where the front end lets its user type; an interrupt ends the wait.
func TestLiveInput(t *testing.T) {
	c := testKernel(t, t.TempDir())
	lines := []string{"one", "two words"}
	c.Type = func() string {
		if len(lines) == 0 { // nobody types any more
			select {}
		}
		line := lines[0]
		lines = lines[1:]
		return line
	}
	r, err := c.Ask("execute_request", jupyter.ExecuteRequest{Code: "%%live\nsay first\nask\nask",
		AllowStdin: true}.Whole(), proctest.Patience)
	if got := text(t, r.Output, "stdout"); err != nil || got != "first\ntyped one\ntyped two words\n" {
		t.Errorf("%v, %q", err, got)
	}
	if _, err := c.Run("%%live\nask", proctest.Patience); err == nil || err.Error() != "LiveError: "+errNoInput.Error() {
		t.Error(err)
	}
	if got := interrupted(t, c, jupyter.ExecuteRequest{Code: "%%live\nsay begun\nask", AllowStdin: true}); got["ename"] !=
		nameInterrupt {
		t.Error(got)
	}
}

// interrupted runs a cell, interrupts it once it has printed, and returns the content of the reply.
func interrupted(t *testing.T, c *jupyter.Client, r jupyter.ExecuteRequest) map[string]any {
	t.Helper()
	c.Output = nil
	id, err := c.Send(c.Shell, "execute_request", r.Whole())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(proctest.Patience, func() bool { return strings.Contains(kinds(c.Output), "stream") }); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send(c.Control, "interrupt_request", map[string]any{}); err != nil {
		t.Fatal(err)
	}
	reply, err := c.Collect(id, proctest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	return content(t, reply.Reply)
}

// An interrupt says whether the cell ended.
func TestInterruptSaysWhatIs(t *testing.T) {
	c := testKernel(t, t.TempDir())
	for word, want := range map[string]string{"wait": "the cell was stopped", "stick": "it goes on"} {
		got := interrupted(t, c, jupyter.ExecuteRequest{Code: "%%live\nsay begun\n" + word})
		if got["ename"] != nameInterrupt || got["evalue"] != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

// Source of the program's own module that changes is spoken of once; that of other modules is not.
func TestStale(t *testing.T) {
	for module, want := range map[string][]int{"github.com/ddps-go/ddps": {1, 0, 1}, "example.com/other": {0, 0, 0}} {
		dir := t.TempDir()
		write := func(name, text string, age time.Duration) {
			if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			at := time.Now().Add(age)
			if err := os.Chtimes(dir+"/"+name, at, at); err != nil {
				t.Fatal(err)
			}
		}
		write("go.mod", "module "+module+"\n", 0)
		write("a.go", "package a\n", time.Hour)
		write("a_test.go", "package a\n", 3*time.Hour)
		k := &kernel{Config: Config{Dir: dir, Program: []string{os.Args[0]}}}
		for i, n := range want {
			if i == 2 {
				write("b.go", "package a\n", 2*time.Hour)
			}
			var b strings.Builder
			k.stale.looked = time.Time{}
			k.noteStale(&b)
			if got := strings.Count(b.String(), "is newer than the kernel's program"); got != n || n > 0 &&
				!strings.Contains(b.String(), []string{"note: a.go", "", "note: b.go"}[i]) {
				t.Errorf("%s, %d: %q", module, i, b.String())
			}
		}
	}
}

func TestMagics(t *testing.T) {
	c := testKernel(t, t.TempDir())
	for _, test := range []struct{ code, out, err string }{
		{"%ddps graph info 'two words'", "graph|info|two words\n", ""},
		{"%ddps mine a b", "mine [a b]\n", ""},
		{"%ddps version\n%ddps mine", "--version\nmine []\n", ""},
		{"%ddps bad", "", "MagicError: %ddps bad: exit status 3"},
		{"%ddps kernel run", "", "MagicError: %ddps kernel run: is for a terminal"},
		{"%%parameters\nbreak", "", "LiveError: cell [6], line 2: it broke"},
		{"%%parameters\nsay x", "x\n", "KernelError"},
		{"%%timeit\nf()", "", "MagicError: line 1: %%timeit is for live cells"},
		{"%%live\nsay %ddps mine", "%ddps mine\n", ""},
		{"  \n", "", ""},
		{"%%\nfmt.Println()", "", "KernelError"},
	} {
		r, err := c.Run(test.code, proctest.Patience)
		if got := text(t, r.Output, "stdout"); got != test.out {
			t.Errorf("%q says %q", test.code, got)
		}
		if (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%q: %v", test.code, err)
		}
	}
	for code, want := range map[string]string{"%%time\n%ddps mine x": `^mine \[x\]\n[0-9.]+[mµ]?s\n$`,
		"\n%%time\n%%live\nsay x": `^magic %%time\nx\n$`,
		"%%timeit\n%%live\nsay x": `^magic %%timeit\nx\n$`,
		"%timeit f()":             `^magic %timeit f\(\)\n$`,
		"%who":                    `^magic %who\n$`} {
		if r, err := c.Run(code, proctest.Patience); err != nil || !regexp.MustCompile(want).MatchString(text(t, r.Output,
			"stdout")) {
			t.Errorf("%q: %v, %q", code, err, text(t, r.Output, "stdout"))
		}
	}
	if r, err := c.Run("%ddps help", proctest.Patience); err != nil || !strings.Contains(text(t, r.Output, "stdout"),
		"mine              [WORD]  says it") {
		t.Error("help", err)
	}
	if r, err := c.Run("%ddps clear", proctest.Patience); err != nil || kinds(r.Output) != "execute_input clear_output" {
		t.Error("clear", err)
	}
	if r, err := c.Run("?say", proctest.Patience); err != nil || !strings.Contains(string(r.Reply.Content),
		`"source":"page"`) ||
		!strings.Contains(string(r.Reply.Content), "say: says") {
		t.Error("?say", err)
	}
	if _, err := c.Run("?no.SuchThing", proctest.Patience); err == nil {
		t.Error("?no.SuchThing is known")
	}
	_, err := c.Run("var x = 1", proctest.Patience)
	if err == nil || !strings.Contains(err.Error(), "go mod init") && !strings.Contains(err.Error(),
		"ddps kernel install") &&
		!strings.Contains(err.Error(), "go.dev/dl") {
		t.Errorf("outside a module: %v", err)
	}
}

func TestAssist(t *testing.T) {
	c := testKernel(t, t.TempDir())
	for _, test := range []struct {
		code string
		pos  int // characters; -1 is the end
		want string
	}{
		{"%ddps gr", -1, "[graph greet] 6 8"},
		{"%ddps m", -1, "[mine] 6 7"},
		{"%ddps k", -1, "[] 6 7"},
		{"%noa", -1, "[%noautoget] 0 4"},
		{"%%live\nä sa", -1, "[sample say] 9 11"},
		{"%%live\nä sa", 3, "[%%live] 0 3"},
		{"é\n%noa\nx", 6, "[%noautoget] 2 6"},
		{"fmt.Pr", -1, "[Print Println] 4 6"},
		{"import f \"fmt\"\n%%\nf.S", -1, "[Sprint] 20 21"},
		{"%%\nétage := 1\nét", -1, "[étage] 14 16"},
	} {
		ask := map[string]any{"code": test.code}
		if test.pos >= 0 {
			ask["cursor_pos"] = test.pos
		}
		r, err := c.Ask("complete_request", ask, proctest.Patience)
		if err != nil {
			t.Fatal(err)
		}
		a := content(t, r.Reply)
		if got := fmt.Sprint(a["matches"], " ", a["cursor_start"], " ", a["cursor_end"]); got != test.want {
			t.Errorf("%q: %s, not %s", test.code, got, test.want)
		}
	}
	for code, found := range map[string]bool{"%ddps": true, "%%live\nsay": true, "%%live\nother": false,
		"unknownName": false} {
		r, err := c.Ask("inspect_request", map[string]any{"code": code, "cursor_pos": len(code)}, proctest.Patience)
		if err != nil {
			t.Fatal(err)
		}
		if content(t, r.Reply)["found"] != found {
			t.Errorf("inspect %q: %s", code, r.Reply.Content)
		}
	}
}

// The variable view of a front end: all variables, then the parts of one.
func TestDebug(t *testing.T) {
	c := testKernel(t, t.TempDir())
	ask := func(kind string, what map[string]any) map[string]any {
		t.Helper()
		id, err := c.Send(c.Control, kind, what)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Collect(id, proctest.Patience)
		if err != nil {
			t.Fatal(err)
		}
		return content(t, r.Reply)
	}
	debug := func(command string, args map[string]any) map[string]any {
		t.Helper()
		return ask("debug_request", map[string]any{"type": "request", "seq": 7, "command": command, "arguments": args})
	}
	body := func(a map[string]any) map[string]any { return a["body"].(map[string]any) }
	if a := debug("debugInfo", nil); a["success"] != true || body(a)["isStarted"] != false || a["request_seq"] != 7.0 {
		t.Error(a)
	}
	for _, command := range []string{"initialize", "attach", "configurationDone", "setExceptionBreakpoints", "dumpCell",
		"threads"} {
		if a := debug(command, nil); a["success"] != true || a["command"] != command {
			t.Error(a)
		}
	}
	list := body(debug("inspectVariables", nil))["variables"].([]any)
	v := list[0].(map[string]any)
	if len(list) != 1 || v["name"] != "list" || v["type"] != "[]int" || v["value"] != "[5]" ||
		v["indexedVariables"] != 1.0 {
		t.Error(list)
	}
	parts := body(debug("variables", map[string]any{"variablesReference": v["variablesReference"]}))["variables"].([]any)
	if part := parts[0].(map[string]any); len(parts) != 1 || part["name"] != "[0]" || part["variablesReference"] != 0.0 {
		t.Error(parts)
	}
	if a := debug("richInspectVariables", map[string]any{"variableName": "say"}); body(a)["data"].(map[string]any)["text/plain"] != "say: says" {
		t.Error(a)
	}
	if a := debug("setBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"line": 3}}}); body(
		a)["breakpoints"].([]any)[0].(map[string]any)["verified"] != false {
		t.Error(a)
	}
	if a := debug("stepIn", nil); a["success"] != false || a["message"] != noDebugger {
		t.Error(a)
	}
	if a := debug("debugInfo", nil); body(a)["isStarted"] != true {
		t.Error(a)
	}
	debug("disconnect", nil)
	if a := debug("debugInfo", nil); body(a)["isStarted"] != false {
		t.Error(a)
	}
	usage := ask("usage_request", nil)
	if usage["pid"] != float64(os.Getpid()) || usage["kernel_memory"].(float64) < 1<<20 ||
		usage["cpu_count"].(float64) < 1 {
		t.Error(usage)
	}
	if a := ask("no_such_request", nil); a["status"] != "error" {
		t.Error(a)
	}
}

// Completions of live cells say what each candidate is.
func TestTypedCompletion(t *testing.T) {
	c := testKernel(t, t.TempDir())
	r, err := c.Ask("complete_request", map[string]any{"code": "%%live\nsa"}, proctest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	list := content(t, r.Reply)["metadata"].(map[string]any)[typesKey].([]any)
	if got := fmt.Sprint(list); got != "[map[end:9 signature:int start:7 text:sample type:instance] map[end:9 "+
		"signature:(word string) start:7 text:say type:function]]" {
		t.Error(got)
	}
}

func TestStopOnError(t *testing.T) {
	c := testKernel(t, t.TempDir())
	for _, stop := range []bool{true, false} {
		var ids []string
		for _, code := range []string{"%%live\nwait", "%%live\nsay x", "%%live\nsay y"} {
			id, err := c.Send(c.Shell, "execute_request", map[string]any{"code": code, "stop_on_error": stop})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		time.Sleep(time.Second) // all have come in
		if _, err := c.Send(c.Control, "interrupt_request", map[string]any{}); err != nil {
			t.Fatal(err)
		}
		want := []string{"error", "aborted", "aborted"}
		if !stop {
			want = []string{"error", "ok", "ok"}
		}
		for i, id := range ids {
			r, err := c.Collect(id, proctest.Patience)
			if err != nil {
				t.Fatal(err)
			}
			a := content(t, r.Reply)
			if a["status"] != want[i] {
				t.Errorf("stop %v, cell %d: %v", stop, i, a["status"])
			}
			if i == 0 && a["ename"] != nameInterrupt {
				t.Error(a["ename"])
			}
		}
	}
}

func TestRequests(t *testing.T) {
	c := testKernel(t, t.TempDir())
	ask := func(kind string, what map[string]any) map[string]any {
		t.Helper()
		r, err := c.Ask(kind, what, proctest.Patience)
		if err != nil {
			t.Fatal(kind, err)
		}
		return content(t, r.Reply)
	}
	info := ask("kernel_info_request", nil)
	if info["protocol_version"] != "5.5" || fmt.Sprint(info["supported_features"]) != "[debugger kernel subshells]" ||
		info["language_info"].(map[string]any)["name"] != "go" || info["banner"] == "" {
		t.Error(info)
	}
	if a := ask("is_complete_request", map[string]any{"code": "func f() {"}); a["status"] != "incomplete" ||
		a["indent"] != "\t" {
		t.Error(a)
	}
	c.Run("%%live\nsay x", proctest.Patience)
	if h := ask("history_request", map[string]any{"hist_access_type": "tail", "n": 3})["history"].([]any); len(h) != 1 {
		t.Error(h)
	}
	if _, err := c.Send(c.Shell, "comm_open", map[string]any{"comm_id": "1", "target_name": "nobody"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(proctest.Patience, func() bool {
		return strings.Contains(kinds(c.Output),
			"comm_close")
	}); err != nil {
		t.Error("a comm for nobody stays open")
	}
	if a := ask("comm_info_request", nil); len(a["comms"].(map[string]any)) != 0 {
		t.Error(a)
	}
	if a := ask("history_request", map[string]any{"n": "three"}); a["status"] != "error" {
		t.Error(a)
	}
	if a := ask("connect_request", nil); a["shell_port"] != 1.0 {
		t.Error(a)
	}
	id, _ := c.Send(c.Control, "kernel_info_request", map[string]any{})
	if _, err := c.Collect(id, proctest.Patience); err != nil {
		t.Error("control does not answer")
	}
	if err := c.Wait(proctest.Patience, func() bool {
		return strings.Contains(kinds(c.Output),
			"iopub_welcome")
	}); err != nil {
		t.Error("no welcome on iopub")
	}
	beat := zmq4.NewReq(t.Context())
	defer beat.Close()
	if err := beat.Dial("ipc://" + c.Conn.IP + "-5"); err != nil {
		t.Fatal(err)
	}
	if err := beat.Send(zmq4.NewMsgString("ping")); err != nil {
		t.Fatal(err)
	}
	if m, err := beat.Recv(); err != nil || string(m.Frames[0]) != "ping" {
		t.Error("the heart does not beat", err)
	}
}

// What is not rightly signed is dropped and logged, and what was seen before; the kernel lives on.
func TestForged(t *testing.T) {
	var log testLog
	c := loggedKernel(t, t.TempDir(), &log)
	send := func(frames [][]byte) {
		if err := c.Shell.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
			t.Fatal(err)
		}
	}
	m := jupyter.Compose(c.Session, "execute_request", nil, jupyter.ExecuteRequest{Code: "%%live\nsay once"}.Whole())
	frames := c.Sign.Seal(m)
	with := func(i int, b string) [][]byte {
		f := append([][]byte{}, frames...)
		f[i] = []byte(b)
		return f
	}
	send(with(1, strings.Repeat("0", 64)))                         // another signature
	send(with(1, ""))                                              // none
	send(with(5, strings.Replace(string(m.Content), "o", "0", 1))) // another content
	send(frames[:4])                                               // too short
	send([][]byte{[]byte("nonsense")})
	send(with(0, "no delimiter"))
	send(frames) // right
	send(frames) // a replay
	if _, err := c.Collect(m.Header.MsgID, proctest.Patience); err != nil {
		t.Fatal(err)
	}
	r, err := c.Run("%%live\nsay twice", proctest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	if n := content(t, r.Reply)["execution_count"]; n != 2.0 {
		t.Errorf("%v cells were run, not 2", n)
	}
	for why, times := range map[error]int{jupyter.ErrSignature: 2, jupyter.ErrUnsigned: 1, jupyter.ErrReplay: 1,
		jupyter.ErrShort: 3} {
		if n := strings.Count(log.String(), "dropped a message on shell: "+why.Error()); n != times {
			t.Errorf("%d messages, not %d, were dropped for this: %v\n%s", n, times, why, log.String())
		}
	}
}

func TestShutdown(t *testing.T) {
	c := testKernel(t, t.TempDir())
	id, err := c.Send(c.Control, "shutdown_request", map[string]any{"restart": true})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Wait(proctest.Patience, func() bool {
		return c.Replies[id] != nil && strings.Contains(kinds(c.Output),
			"shutdown_reply")
	})
	if err != nil || content(t, c.Replies[id])["restart"] != true {
		t.Error("no answer to shutdown", err)
	}
}

func TestBadConnection(t *testing.T) {
	for name, text := range map[string]string{"json": "{", "scheme": `{"signature_scheme":"hmac-md5"}`,
		"transport": `{"transport":"pigeon"}`} {
		file := t.TempDir() + "/c.json"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Run(t.Context(), Config{Connection: file, Log: &testLog{}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, c := range []struct {
		c    jupyter.Connection
		want string
	}{{jupyter.Connection{}, "127.0.0.1:5"}, {jupyter.Connection{IP: "*", Transport: "tcp"}, ":5"},
		{jupyter.Connection{IP: "::1"}, "[::1]:5"},
		{jupyter.Connection{IP: "a/b", Transport: "ipc"}, "a/b-5"}} {
		if _, got, err := c.c.Address(5); err != nil || got != c.want {
			t.Errorf("%+v: %s, %v", c.c, got, err)
		}
	}
}
