//go:build unix

package kernel

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/cells"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

var testProgram = notebook{number: func(n int) int { return n + 1 }, program: `package main

import "fmt"

func bad(x int) int {
	return 10 / x
}

func main() {
	bad(0)
}
`, cells: []cells.Entry{{Number: 1, Code: "func bad(x int) int {\n\treturn 1\n}"},
	{Number: 2, Code: "\nfunc bad(x int) int {\n\treturn 10 / x\n}"}}}

func TestCrash(t *testing.T) {
	f := testProgram.crash("panic: runtime error: integer divide by zero\n\ngoroutine 1 [running]:\nmain.bad(...)\n\t " +
		"\x1b[7m[[ Cell Line 0 ]]\x1b[0m /t/gonb_1/main.go:6\n" +
		"main.main()\n\t \x1b[7m[[ Cell [2] Line 4 ]]\x1b[0m /t/gonb_1/main.go:10 +0x1d\n")
	if f.Name != namePanic || f.Value != "runtime error: integer divide by zero (cell [2], line 3)" {
		t.Errorf("%+v", f)
	}
	if last := f.Traceback[len(f.Traceback)-1]; last != "\t cell [3], line 4" {
		t.Errorf("%q", last)
	}
	if f := testProgram.crash("fatal error: all goroutines are asleep - deadlock!\n"); f.Name != nameFatal ||
		!strings.HasPrefix(f.Value, "all goroutines") {
		t.Errorf("%+v", f)
	}
	if got := testProgram.find(99) + testProgram.find(3) + (notebook{program: "%"}).find(1); got != "" {
		t.Errorf("found %q", got)
	}
}

func TestCompileError(t *testing.T) {
	f := testProgram.compile(jupyter.Failure{Name: "ERROR",
		Value: "# gonb_1\n./main.go:6:9: undefined: y\n\nexit status 1", Traceback: []string{"\x1b[31m# gonb_1\x1b[0m",
			"\treturn y\n\x1b[31mundefined: y\x1b[0m", "", "exit status 1"}})
	if f.Value != "cell [2], line 3: undefined: y" || len(f.Traceback) != 2 {
		t.Errorf("%+v", f)
	}
	f = testProgram.compile(jupyter.Failure{Name: "ERROR", Value: "x/main.go:3:1: expected declaration, found x",
		Traceback: []string{"Cell[4]: Line 1\nx\n\x1b[31mexpected declaration, found x\x1b[0m"}})
	if f.Value != "cell [5], line 1: expected declaration, found x" || !strings.Contains(f.Traceback[len(f.Traceback)-1],
		"%%live") {
		t.Errorf("%+v", f)
	}
	f = testProgram.compile(jupyter.Failure{Name: "ERROR", Value: "# gonb_1\n./main.go:5:2: declared and not used: " +
		"x\n./main.go:6:9: undefined: y\n", Traceback: []string{"# gonb_1",
		"func main() { // generated\n\tx := 1\ndeclared and not used: x", "\tflag.Parse()\n\treturn y\nundefined: y"}})
	if f.Value != "cell [2], line 3: undefined: y" || len(f.Traceback) != 3 ||
		f.Traceback[1] != "cell [2], line 3: undefined: y\n    return 10 / x" ||
		strings.Contains(strings.Join(f.Traceback, "\n"), "generated") || !strings.HasSuffix(f.Traceback[2],
		"declared and not used: x\n    func bad(x int) int {") {
		t.Errorf("%q", f.Traceback)
	}
	if f = testProgram.compile(jupyter.Failure{Name: "ERROR", Value: "failed to run \"go\": nothing",
		Traceback: nil}); f.Value != "nothing" {
		t.Errorf("%+v", f)
	}
}

func BenchmarkPass(b *testing.B) {
	s := jupyter.NewSigner("key")
	m := jupyter.Compose("s", "stream", nil, map[string]any{"name": "stdout", "text": strings.Repeat("x", 1<<15)})
	frames := s.Seal(m)
	b.SetBytes(1 << 15)
	for b.Loop() {
		m, _, err := jupyter.Split(frames)
		if err != nil {
			b.Fatal(err)
		}
		s.Seal(m)
	}
}
