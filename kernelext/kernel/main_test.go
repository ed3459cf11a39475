//go:build unix

package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// TestMain lets the test's program stand in for ddps: as shim, and as what %ddps runs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "shim":
			os.Exit(gonb.Shim(os.Args[2:]))
		case "ddps":
			os.Exit(fakeProgram(os.Args[2:]))
		case "front":
			os.Exit(front(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// fakeProgram answers as a program made with cobra would.
func fakeProgram(args []string) int {
	switch {
	case len(args) > 0 && args[0] == "__complete":
		fmt.Println("graph\tlayered graphs\ngreet\nkernel\n:4")
	case len(args) > 0 && args[0] == "bad":
		fmt.Fprintln(os.Stderr, "no such thing")
		return 3
	default:
		fmt.Println(strings.Join(args, "|"))
	}
	return 0
}

// fakeLive understands few words.
type fakeLive struct {
	mu     sync.Mutex
	resets int
}

type fakeError struct{ line int }

func (e fakeError) Error() string       { return fmt.Sprintf("line %d: it broke", e.line) }
func (e fakeError) Line() int           { return e.line }
func (e fakeError) Traceback() []string { return []string{"outer", "inner"} }

// errStuck is of a cell that an interrupt cannot end.
type errStuck struct{}

func (errStuck) Error() string      { return "it goes on" }
func (errStuck) StillRunning() bool { return true }

func (l *fakeLive) EvalCell(ctx context.Context, _ int, code string, out Output) error {
	for i, line := range strings.Split(code, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "%who", "%timeit", "%%time", "%%timeit":
			fmt.Fprintln(out.Stdout(), "magic", line)
		case "say":
			fmt.Fprintln(out.Stdout(), rest)
		case "warn":
			fmt.Fprintln(out.Stderr(), rest)
		case "many":
			for range 100_000 {
				fmt.Fprint(out.Stdout(), "äöü日本語")
			}
		case "show":
			out.Display(map[string]any{"image/svg+xml": "<svg/>"}, nil, "id", false)
			out.Display(map[string]any{"image/svg+xml": "<svg></svg>"}, nil, "id", true)
		case "result":
			out.Result(map[string]any{"text/plain": rest}, nil)
		case "controls": // what comes to the address is shown
			out.(kernelext.Page).Listen(rest, func(text string) {
				out.Display(map[string]any{"text/plain": rest + " hears " + text}, nil, "", false)
			})
		case "widgets":
			out.(kernelext.Page).Listen(rest, func(text string) {
				out.Display(map[string]any{"text/plain": rest + " hears " + text}, nil, "", false)
			})
			out.Display(map[string]any{kernelext.ControlsMIME: rest, kernelext.MIMEHTML: "<div></div>",
				kernelext.WidgetsMIME: `[{"kind": "slider", "name": "a", "max": 2, "step": 0.5, "state": "1", "send": "0"},
				{"kind": "select", "options": ["x", "y", "z"], "state": "0", "send": "1"},
				{"kind": "checkbox", "send": "2"}, {"kind": "button", "send": "3"}]`}, nil, "", false)
		case "ask":
			line, err := out.(kernelext.Input).ReadLine(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintln(out.Stdout(), "typed", line)
		case "break":
			return fakeError{i + 1}
		case "wait":
			<-ctx.Done()
			return errors.New("stopped")
		case "stick":
			<-ctx.Done()
			return errStuck{}
		}
	}
	return nil
}

func (l *fakeLive) Complete(code string, pos int) ([]kernelext.Candidate, int) {
	return []kernelext.Candidate{{Name: "sample", Kind: "variable", Type: "int"}, {Name: "say", Kind: "function",
			Type: "func(word string)"}},
		strings.LastIndexByte(code[:pos], ' ') + 1
}

func (l *fakeLive) Variables(ref int) []kernelext.Variable {
	if ref == 1 {
		return []kernelext.Variable{{Name: "[0]", Type: "int", Value: "5", Size: -1}}
	}
	return []kernelext.Variable{{Name: "list", Type: "[]int", Value: "[5]", Size: 1, Ref: 1}}
}

func (l *fakeLive) Inspect(code string, _ int) string {
	if strings.HasPrefix(code, "say") {
		return "say: says"
	}
	return ""
}

func (l *fakeLive) Members(name string) []string {
	return map[string][]string{"": {"fmt", "sort"}, "fmt": {"Print", "Println", "Sprint"}}[name]
}

func (l *fakeLive) Stop() {}

func (l *fakeLive) Reset() { l.mu.Lock(); l.resets++; l.mu.Unlock() }

// testKernel runs a kernel in this process, for a notebook in dir, and connects to it.
func testKernel(t *testing.T, dir string) *jupyter.Client { return loggedKernel(t, dir, &testLog{}) }

// loggedKernel is testKernel with its log.
func loggedKernel(t *testing.T, dir string, log *testLog) *jupyter.Client {
	t.Helper()
	sockets := shortFolder(t)
	conn := jupyter.Connection{Transport: "ipc", IP: filepath.Join(sockets, "s"), Shell: 1, Control: 2, Stdin: 3, IOPub: 4,
		Heartbeat: 5, Key: "secret"}
	file := filepath.Join(sockets, "kernel-1.json")
	if err := os.WriteFile(file, jupyter.ToJSON(conn), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	live := &fakeLive{}
	go func() {
		done <- Run(ctx, Config{Connection: file, Dir: dir, Program: []string{os.Args[0], "ddps"}, Shim: []string{os.Args[0],
			"shim"},
			Live: func(Output) (Live, error) { return live, nil }, Version: "test", Log: log,
			Magics: map[string]Magic{"mine": {"[WORD]  says it", func(_ context.Context, args []string, out Output) error {
				_, err := fmt.Fprintln(out.Stdout(), "mine", args)
				return err
			}}}})
	}()
	c, err := jupyter.Dial(conn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Cancel()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if _, err := c.Ask("kernel_info_request", map[string]any{}, 10*time.Second); err != nil {
		t.Fatal(err)
	}
	return c
}

// shortFolder is a temporary directory with a name short enough for sockets.
func shortFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// testLog keeps what a kernel logs.
type testLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *testLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *testLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
