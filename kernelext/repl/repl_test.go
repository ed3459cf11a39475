//go:build unix

package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestMain is a session on a terminal where a test asks for one.
func TestMain(m *testing.M) {
	history := os.Getenv("DDPS_REPL_CHILD")
	if history == "" {
		os.Exit(m.Run())
	}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	if err := Interactive(context.Background(), Config{Out: os.Stdout, Err: os.Stderr, History: history,
		Interrupts: ch}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func piped(code string) (out, errs string, err error) {
	var o, e bytes.Buffer
	err = Pipe(context.Background(), Config{Out: &o, Err: &e}, strings.NewReader(code), "in")
	return o.String(), e.String(), err
}

func TestPipe(t *testing.T) {
	for code, want := range map[string]string{
		"1+1\n":         "2\n",
		"x := 3\nx * 2": "6\n",
		"func f(n int) int {\n\treturn n * n\n}\nf(5)\n": "25\n",
		"must(Toy(1)).NumEdges()\n":                      "74\n",
		"x := 1\n:names\n":                               "x\n",
		"x := 1\n:reset\nx := \"s\"\nx\n":                "s\n",
		"1\n:quit\n2\n":                                  "1\n",
		"done := true\nfmt.Println(1)\nif done { return }\nfmt.Println(2)\n": "1\n",
		"defer fmt.Println(2)\nfmt.Println(1)\n":                             "1\n2\n",
		"i := 0\nL:\nif i < 2 { i++; goto L }\ni\n":                          "2\n",
		"var fs []func() int\ni := 0\nL:\nj := i\nfs = append(fs, func() int { return j })\ni++\nif i < 3 { goto L }\n" +
			"fs[0]() + 10*fs[2]()\n": "20\n",
		"type A struct { b *B }\ntype B struct { n int }\nA{&B{3}}.b.n\n:names\n": "3\nA B\n",
		"func even(n int) bool { return n == 0 || odd(n-1) }\nfunc odd(n int) bool { return n != 0 && even(n-1) }\n" +
			"even(4)\n": "true\n",
		"type T int\nfunc (t T) F() int { return t.G() }\nfunc (t T) G() int { return 4 }\nT(0).F()\n": "4\n",
		"type L int\nconst ( Low L = iota; Mid )\n\nvar names = map[L]string{Low: `low`}\n// named\nfunc (l L) String() string {\n" +
			"\treturn names[l]\n}\n[]any{Low, names}\ntype M struct{ l L }\n:names\n": "[low map[low:low]]\nL Low M Mid names\n",
		"type T int\ntype T string\nT(`a`)\n": "a\n",
		"type T int\n":                        "",
		"type T int\nfunc (t T) F() int { return g() }\nx := T(1)\nfunc g() int { return 4 }\nx.F()\n": "4\n",
		"": "",
	} {
		out, errs, err := piped(code)
		if err != nil || out != want || errs != "" {
			t.Errorf("%q prints %q and %q, %v; want %q", code, out, errs, err, want)
		}
	}
}

func TestPipeErrors(t *testing.T) {
	for code, want := range map[string]string{
		"1\n\nundefinedName\n":                                  "in:3: undefined: undefinedName",
		"x := 1\nif x > 0 {\n\tpanic(\"no\")\n}\n":              "in:3: no",
		"must(Toy(1))\nfunc f() {":                              "in:2: ",
		"type T int\n\nfunc (t T) F() {}\n1\n\nundefinedName\n": "in:6: undefined: undefinedName",
		"type T int\n\nfunc (t T) F() { 1 }\n2\n":               "in:3: 1 (untyped int constant) is not used",
		"type T int\nvar x any = T(1)\nfunc (t T) F() {}\nx\n": "in:4: undefined: x (T was given a method in cell 3: values made " +
			"before have the type without it; run cell 2 again)",
		"1\nfunc f() int { return y }\nvar z = 1\n": "in:2: undefined: y",
		":nonsense\n":                 "in: no command :nonsense; :help lists them",
		":h\n":                        "in: no command :h; did you mean :help or :history?",
		":save x.gif\n":               "in: no figure has been shown yet",
		":help nothing\n":             "in: nothing is known about nothing",
		":run /nonexistent/file.go\n": "in: open /nonexistent/file.go",
	} {
		_, _, err := piped(code)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", code, err, want)
		}
	}
}

func TestHelp(t *testing.T) {
	out, _, err := piped(":help\n:help Toy\n")
	if err != nil || !strings.Contains(out, "g := must(Toy(1))") || !strings.Contains(out, ":history [TEXT]") ||
		!strings.Contains(out, "%timeit") || !strings.Contains(out, "func Toy(") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The lines of :help run.
func TestHelpExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	var code strings.Builder
	for line := range strings.Lines(examples) {
		if text, ok := strings.CutPrefix(line, "  "); ok {
			text, _, _ = strings.Cut(text, "   ") // what it does
			code.WriteString(strings.Replace(strings.TrimSpace(text), "Steps = 200", "Steps = 2", 1) + "\n")
		}
	}
	if _, errs, err := piped(code.String()); err != nil {
		t.Errorf("%v\n%s", err, errs)
	}
}

func TestFile(t *testing.T) {
	for code, want := range map[string]string{
		"#!/usr/bin/env -S ddps repl\nfmt.Println(7)\n":        "",
		"package main\n\nfunc main() {\n\tfmt.Println(7)\n}\n": "",
		"fmt.Println(7)\n\nfmt.Println(y)\n":                   ":3: undefined: y",
		// a name that is declared again is another one from there on, as at the prompt
		"func f() int {\n\treturn 3\n}\nx := f()\nfunc f() int { return 4 }\nfmt.Println(x + f())\n": "",
		"fmt.Println(7)\nfunc f() { return }\nfunc f() {}\nfmt.Println(y)\n":                         ":4: undefined: y",
		"func f() {\n\tvar x int\n\tvar x int\n}\n":                                                  ":3: x redeclared in this block\n\tprevious declaration at 1:2:6",
		"package main\nfunc f() {}\nfunc f() {}\nfunc main() {}\n":                                   ":3: f redeclared in this block",
	} {
		name := filepath.Join(t.TempDir(), "script.go")
		if err := os.WriteFile(name, []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		err := File(context.Background(), Config{Out: &out, Err: &errs}, name)
		var at *ScriptError
		if want == "" && (err != nil || out.String() != "7\n") || want != "" && (!errors.As(err, &at) ||
			err.Error() != name+want) {
			t.Errorf("%q prints %q, %v", code, out.String(), err)
		}
	}
	if err := File(context.Background(), Config{Out: io.Discard, Err: io.Discard}, "/nonexistent"); err == nil {
		t.Error("a file that is not there is no error")
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	code := fmt.Sprintf("must(Toy(1))\n:save %s/a.png\n:save %s/a.svg\n", dir, dir)
	if _, _, err := piped(code); err != nil {
		t.Fatal(err)
	}
	for name, start := range map[string]string{"a.png": "\x89PNG", "a.svg": "<?xml"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(b), start) {
			t.Errorf("%s: %v, %.20q", name, err, b)
		}
	}
}

// Code reads what comes next in the script, as a program reads standard input.
func TestPipeInput(t *testing.T) {
	for code, want := range map[string]string{
		"var n int\nfmt.Scan(&n)\n21\n2 * n\n":                                                        "42\n",
		"var a, b int\nfmt.Scan(&a, &b)\n1\n2\na + b\n":                                               "3\n",
		"var s string\nfmt.Scanln(&s)\nword\ns\n":                                                     "word\n",
		"in := bufio.NewReader(os.Stdin)\nline, err := in.ReadString('\\n')\na b\nline\nerr == nil\n": "a b\ntrue\n",
		"sc := bufio.NewScanner(os.Stdin)\nfor sc.Scan() { fmt.Println(len(sc.Text())) }\nab\n\nabc":  "2\n0\n3\n",
		"b, _ := io.ReadAll(os.Stdin)\nfmt.Print(len(b))\n":                                           "",
	} {
		out, errs, err := piped(code)
		if err != nil || out != want || errs != "" {
			t.Errorf("%q prints %q and %q, %v; want %q", code, out, errs, err, want)
		}
	}
	if _, _, err := piped("x := 0\nfmt.Scan(&x)\nword\n"); err == nil || err.Error() != "in:2: expected integer" {
		t.Error(err)
	}
	if _, _, err := piped("x := 0\nfmt.Scan(&x)\n"); err == nil || err.Error() != "in:2: unexpected newline" &&
		err.Error() != "in:2: EOF" {
		t.Error(err)
	}
}

// A file's code reads standard input.
func TestFileInput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "script.go")
	code := "var who string\nvar n int\nfmt.Print(`who? `)\nfmt.Scan(&who, &n)\nfmt.Println(who, n+1)\n"
	if err := os.WriteFile(name, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := File(context.Background(), Config{Out: &out, Err: io.Discard, In: strings.NewReader("Ann\n41\n")},
		name); err != nil || out.String() != "who? Ann 42\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// terminal is a session on a terminal of its own.
type terminal struct {
	t    *testing.T
	pty  *os.File
	cmd  *exec.Cmd
	mu   sync.Mutex
	text strings.Builder
	from int // what has been waited for ends here
}

func newTerminal(t *testing.T, history string) *terminal {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DDPS_REPL_CHILD="+history, "TERM=xterm", "COLORTERM=truecolor", "NO_COLOR=")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	tm := &terminal{t: t, pty: f, cmd: cmd}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); f.Close() })
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := f.Read(b)
			tm.mu.Lock()
			tm.text.Write(b[:n])
			tm.mu.Unlock()
			if bytes.Contains(b[:n], []byte("\x1b[6n")) { // where is the cursor?
				io.WriteString(f, "\x1b[1;1R")
			}
			if err != nil {
				return
			}
		}
	}()
	return tm
}

func (tm *terminal) typed(s string) {
	tm.t.Helper()
	if _, err := io.WriteString(tm.pty, s); err != nil {
		tm.t.Fatal(err)
	}
}

// wait waits until want has come since the last wait.
func (tm *terminal) wait(want string) {
	tm.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		tm.mu.Lock()
		all := tm.text.String()
		tm.mu.Unlock()
		if i := strings.Index(all[tm.from:], want); i >= 0 {
			tm.from += i + len(want)
			return
		}
	}
	tm.mu.Lock()
	defer tm.mu.Unlock()
	tm.t.Fatalf("no %q in %q", want, tm.text.String()[tm.from:])
}

// prompt waits until a line can be typed: the editor drops what comes while it asks where the cursor is.
func (tm *terminal) prompt() {
	tm.t.Helper()
	tm.wait("ddps>")
	tm.wait("\x1b[?25h") // the cursor shows again
	time.Sleep(100 * time.Millisecond)
}

// Code reads what is typed while it runs; what an interrupt stops takes nothing of what is typed later.
func TestTerminalInput(t *testing.T) {
	tm := newTerminal(t, filepath.Join(t.TempDir(), "history"))
	tm.prompt()
	tm.typed("var s string; fmt.Print(`na`, `me? `); fmt.Scanln(&s)\r")
	tm.wait("name? ")
	tm.typed("Ann\n")
	tm.prompt()
	tm.typed("fmt.Println(`is`, s)\r")
	tm.wait("is Ann")
	tm.prompt()
	tm.typed("fmt.Print(`go on`, `? `); fmt.Scanln(&s)\r")
	tm.wait("go on? ")
	tm.cmd.Process.Signal(os.Interrupt)
	tm.wait("interrupted")
	tm.prompt()
	tm.typed("fmt.Println(20+3, s)\r")
	tm.wait("23 Ann")
}

// Code that gofmt wrote arrives as it is when it is pasted: tabs complete nothing, lines do not run one by one.
func TestPaste(t *testing.T) {
	history := filepath.Join(t.TempDir(), "history")
	tm := newTerminal(t, history)
	tm.wait("\x1b[?2004h") // pastes are to be marked
	tm.prompt()
	const code = "func grow(n int) int {\n\ttotal := 0 // mat\n\tfor i := range n {\n\t\tif i%2 == 0 {\n\t\t\ttotal += " +
		"i\n\t\t}\n\t}\n\n\ts := `a\n\tb`\n\treturn total + len(s)\n}"
	tm.typed("\x1b[200~" + code + "\x1b[201~")
	time.Sleep(200 * time.Millisecond)
	tm.typed("\r")
	tm.prompt()
	tm.typed("fmt.Println(`got`, grow(10))\r")
	tm.wait("got 24")
	tm.prompt()
	// not marked
	tm.typed(strings.ReplaceAll("func low(n int) int {\n\tif n > 9 {\n\t\treturn n\n\t}\n\treturn -n\n}", "\n", "\r") +
		"\r")
	tm.prompt()
	tm.typed("fmt.Println(`low`, low(3))\r")
	tm.wait("low -3")
	tm.prompt()
	tm.typed("\x1b[200~x := 4\rfmt.Println(`sum`, x+1)\x1b[201~\r") // terminals send returns for ends of lines
	tm.wait("sum 5")
	tm.prompt()
	tm.typed("\x04")
	if err := tm.cmd.Wait(); err != nil {
		t.Error(err)
	}
	h, err := openHistory(history)
	if err != nil || h.Len() != 5 || h.lines[0] != code {
		t.Errorf("%v, %q", err, h.lines)
	}
}

// A session on a terminal: values, several lines, an error, an endless loop stopped, a figure, history across runs.
func TestTerminal(t *testing.T) {
	history := filepath.Join(t.TempDir(), "sub", "history")
	tm := newTerminal(t, history)
	tm.prompt()
	tm.typed("20 + 22\r")
	tm.wait("42")
	tm.prompt()
	tm.typed("y := 5\r")
	tm.prompt()
	tm.typed("undefinedName\r")
	tm.wait("undefined: undefinedName")
	tm.prompt()
	tm.typed("for { y++ }\r")
	time.Sleep(500 * time.Millisecond) // it runs by now, or will see the interrupt all the same
	tm.cmd.Process.Signal(os.Interrupt)
	tm.wait("interrupted")
	tm.prompt()
	tm.typed("fmt.Println(\"alive\", y > 5)\r")
	tm.wait("alive true")
	tm.prompt()
	tm.typed("must(Toy(1))\r")
	tm.wait("▀")
	tm.prompt()
	tm.typed("\x04")
	if err := tm.cmd.Wait(); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(history)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history's file: %v, %v", info, err)
	}
	again := newTerminal(t, history)
	again.prompt()
	again.typed(":history alive\r")
	again.wait(`Println("alive", y > 5)`)
}
