//go:build unix

package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

func TestIsComplete(t *testing.T) {
	for _, c := range []struct{ code, want, indent string }{
		{"", complete, ""}, {"\n  ", complete, ""}, {"x := 3", complete, ""}, {"1 + 1", complete, ""},
		{"func f() {}", complete, ""},
		{"type T struct {\n\tA int\n}", complete, ""}, {"import \"fmt\"\n%%\nfmt.Println()", complete, ""},
		{"%%\nx++", complete, ""}, {"return", complete, ""}, {"%%live\nfunc f() int { return 1 }\nf()", complete, ""},
		{"%%live\nx := 1\nx", complete, ""}, {"%%live", incomplete, ""}, {"%%", incomplete, ""},
		{"func f() {}\n%%", incomplete, ""},
		{"%%bash", incomplete, ""}, {"%%live\n", complete, ""}, {"%%\n", complete, ""}, {"%ddps", complete, ""},
		{"%ddps help", complete, ""}, {"!ls (", complete, ""}, {"%%bash\nif true", complete, ""},
		{"?fmt", complete, ""}, {"fmt.Println?", complete, ""}, {"//gonb:%%\nf()", complete, ""}, {"s := \"(\"", complete,
			""},
		{"// (", complete, ""}, {"go f()", complete, ""}, {"for {\n\tbreak\n}", complete, ""},
		{"func f() {", incomplete, "\t"}, {"f(g(", incomplete, "\t\t"}, {"x := 1 +", incomplete, ""}, {"a = `raw", incomplete,
			""},
		{"/* c", incomplete, ""}, {"import (", incomplete, "\t"}, {"%%\nfor {\n\tif x {", incomplete, "\t\t"},
		{"f(1,", incomplete, "\t"},
		{"x =", incomplete, ""}, {"!ls \\", incomplete, ""}, {"%%live\nfunc f() {", incomplete, "\t"}, {"x.", incomplete, ""},
		{"var", incomplete, ""}, {"for i := range", incomplete, ""},
		{"}", invalid, ""}, {"f(]", invalid, ""}, {"func 3() {}", invalid, ""}, {"x := := 1", invalid, ""},
		{"\"abc", invalid, ""},
		{"func f() {\n%%\n}", invalid, ""}, {"if x", invalid, ""},
	} {
		if got := isComplete(c.code); got.Status != c.want || got.Indent != c.indent {
			t.Errorf("%q is %q with indent %q, not %q and %q", c.code, got.Status, got.Indent, c.want, c.indent)
		}
	}
}

func FuzzIsComplete(f *testing.F) {
	for _, s := range []string{"func f() {", "%%live\nfunc", "%%\n`", "?x", "!a\\", "//gonb:%%", "/*", "'\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if s := isComplete(code).Status; s != complete && s != incomplete && s != invalid {
			t.Errorf("%q is %q", code, s)
		}
	})
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct{ code, want, err string }{
		{"%%\nf()", "%%\nf()", ""},
		{"!ls", "!'/r' shell 1 'ls'", ""},
		{"//gonb:! * echo 'it'", "!*'/r' shell 1 ' echo '\\''it'\\'''", ""},
		{"x\n!a \\\nb\ny", "x\n!'/r' shell 2 'a  b'\n\ny", ""},
		{"%%bash\n!x", "%%script \"/r\" script bash\n!x", ""},
		{"%%script python -u\nprint()", "%%script \"/r\" script python -u\nprint()", ""},
		{"%%writefile f\n%nope", "%%writefile f\n%nope", ""},
		{"%cd x\n%% -flag=1", "%cd x\n%% -flag=1", ""},
		{"%nope", "", "line 1: %nope is no magic"},
		{"x\n%%bash", "", "line 2: %%bash can only stand in a cell's first line"},
		{"", "", ""}, {"%", "%", ""}, {"!", "!", ""},
	} {
		got, err := newCell(c.code).rewrite("/r")
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%q becomes %q, %v", c.code, got, err)
		}
		if err == nil && strings.Count(got, "\n") != strings.Count(c.code, "\n") {
			t.Errorf("%q: lines moved", c.code)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	for _, s := range []string{"!a\\\n", "% ", "!*", "%%script", "//gonb:%", "%%%", "!\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		c := newCell(code)
		c.query()
		c.live()
		ddps(code)
		if got, err := c.rewrite("/r"); err == nil && strings.Count(got, "\n") != strings.Count(code, "\n") {
			t.Errorf("%q: lines moved", code)
		}
	})
}

func TestCells(t *testing.T) {
	for code, want := range map[string]string{"?fmt": "fmt", "fmt.Println?": "fmt.Println", "??x": "x", "x": "", "?": "",
		"a ? b": "", "!ls ?": "",
		"?a\nb": "", "%x?": ""} {
		if got, _ := newCell(code).query(); got != want {
			t.Errorf("%q asks for %q", code, got)
		}
	}
	if code, above, ok := newCell("\n%%live \na\nb").live(); code != "a\nb" || above != 2 || !ok {
		t.Errorf("%q %d %v", code, above, ok)
	}
	for line, want := range map[string][]string{`a "b c" 'd "e' ""`: {"a", "b c", `d "e`, ""}, "": nil, " x ": {"x"},
		`a"b"c`: {"abc"}} {
		if got := splitArgs(line); !slices.Equal(got, want) {
			t.Errorf("%q is %q", line, got)
		}
	}
}

var testProgram = notebook{number: func(n int) int { return n + 1 }, program: `package main

import "fmt"

func bad(x int) int {
	return 10 / x
}

func main() {
	bad(0)
}
`, cells: []entry{{1, "func bad(x int) int {\n\treturn 1\n}", ""}, {2, "\nfunc bad(x int) int {\n\treturn 10 / x\n}", ""}}}

// Groups of constants mean the same when each name stands on a line of its own.
func TestWithValues(t *testing.T) {
	for code, want := range map[string]string{
		"const (\n\ta, b = iota, iota*10\n\tc, d\n\t_, _\n\te, f // five\n)":                               "const (\n\ta, b = 0, 0*10\n\tc, d = 1, 1*10\n\t_, _ = 2, 2*10\n\te, f = 3, 3*10 // five\n)",
		"%noautoget\nconst (\n\ta, b T = 1 << iota, `iota`\n\tc, d\n)\n%%\nconst (\n x, y = iota, iota\n)": "%noautoget\nconst (\n\ta, b T = 1 << 0, `iota`\n\tc, d T = 1 << 1, `iota`\n)\n%%\nconst (\n x, y = iota, iota\n)",
		"const ( a, b = iota, iota + 1; c, d )":                                                            "const ( a, b = 0, 0 + 1; c, d = 1, 1 + 1 )",
		"const (\n\ta = iota\n\tb\n)":                                                                      "const (\n\ta = iota\n\tb\n)",
		"const a, b = iota, iota":                                                                          "const a, b = iota, iota",
		"func f() {":                                                                                       "func f() {",
		"const (\n\ta, b = 1\n)":                                                                           "const (\n\ta, b = 1\n)",
		"func iota2() int { return 1 }\nvar x = 3":                                                         "func iota2() int { return 1 }\nvar x = 3",
	} {
		if got := newCell(code).withValues().code; got != want {
			t.Errorf("%q\nis   %q\nwant %q", code, got, want)
		}
	}
}

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

func TestHistory(t *testing.T) {
	var h history
	for i, code := range []string{"a/b", "c", "a/b", "d\ne"} {
		h.add(i+1, code)
	}
	h.result("5")
	for ask, want := range map[string]string{
		`{"hist_access_type":"tail","n":2}`:                           "[[1 3 a/b] [1 4 d\ne]]",
		`{"hist_access_type":"tail"}`:                                 "[[1 1 a/b] [1 2 c] [1 3 a/b] [1 4 d\ne]]",
		`{"hist_access_type":"tail","n":0}`:                           "[]",
		`{"hist_access_type":"range","session":1,"start":2,"stop":4}`: "[[1 2 c] [1 3 a/b]]",
		`{"hist_access_type":"range","session":0,"start":4}`:          "[[1 4 d\ne]]",
		`{"hist_access_type":"range","session":7,"start":1}`:          "[]",
		`{"hist_access_type":"search","pattern":"a*"}`:                "[[1 1 a/b] [1 3 a/b]]",
		`{"hist_access_type":"search","pattern":"a*","unique":true}`:  "[[1 3 a/b]]",
		`{"hist_access_type":"search","pattern":"*","n":1}`:           "[[1 4 d\ne]]",
		`{"hist_access_type":"search","pattern":"?"}`:                 "[[1 2 c]]",
		`{"hist_access_type":"search","pattern":"[","n":3}`:           "[]",
		`{"hist_access_type":"tail","n":1,"output":true}`:             "[[1 4 [d\ne 5]]]",
	} {
		got, err := h.answer([]byte(ask))
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v", ask, got, err)
		}
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

func BenchmarkIsComplete(b *testing.B) {
	code := strings.Repeat("func f(x int) int {\n\treturn x + 1\n}\n\n", 50)
	for b.Loop() {
		isComplete(code)
	}
}
