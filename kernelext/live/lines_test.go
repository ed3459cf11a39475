package live_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/live"
)

// A failure is told at the line where it arose: in blocks at the top level, in functions, after a panic that was
// recovered from.
func TestLines(t *testing.T) {
	s := session(t)
	for _, c := range []struct{ code, trace string }{
		{"l, d := []int{}, 0\nfor i := 0; i < 3; i++ {\n\tx := i\n\n\tl[x] = 2\n}", "5"},
		{"for i := range 3 {\n\tx := i\n\t_ = x\n\tl[i] = 2\n}", "4"},
		{"for _, x := range []int{1} {\n\t_ = []int{1}[0]\n\t_ = 1 / (x - 1)\n}", "3"},
		{"if true {\n\tx := 1\n\tpanic(x)\n}", "3"},
		{"if x := []int{1}; true {\n\ty := x[0]\n\n\tz := x[y]\n\t_ = z\n}", "4"},
		{"if false {\n\tpanic(1)\n} else {\n\tpanic(1)\n}", "4"},
		{"if false {\n} else if l[7] > 0 {\n}", "2"},
		{"switch {\ncase true:\n\tx := []int{1}\n\t_ = x[0]\n\t_ = x[5]\n}", "5"},
		{"switch any(1).(type) {\ncase int:\n\tprintln := func() {}\n\tprintln()\n\tpanic(1)\n}", "5"},
		{"c := make(chan int)\nclose(c)\nselect {\ncase <-c:\n\tclose(c)\n}", "5"},
		{"{\n\tvar m map[string]int\n\n\tm[`a`] = 1\n}", "4"},
		{"for i := 0; i < 2; i++ {\n\tfor j := 0; j < 2; j++ {\n\t\tif i == 1 {\n\t\t\tpanic(`in`)\n\t\t}\n\t}\n}", "4"},
		{"outer:\nfor {\n\tfor range 2 {\n\t\t_ = l[3]\n\t\tcontinue outer\n\t}\n}", "4"},
		{"for k := 3; d == 0; k = l[k] {\n\tfmt.Sprint(k)\n}", "1"},
		{"for i := range 3 {\n\n\tmust(strconv.Atoi(`x`))\n\t_ = i\n}", "3"},
		{"func f() {\n\tx := []int{1}\n\t_ = x[0]\n\ty := x[5]\n\t_ = y\n}\n\nf()", "8 4f"},
		{"func h() {\n\tfmt.Sprint(1)\n\n\tpanic(2)\n}\n\nif true {\n\td++\n\th()\n}", "9 4h"},
		{"for {\n\tx := []int{1}\n\n\tg := func(i int) int { return x[i] }\n\tg(0)\n\tg(3)\n}", "6 4a function literal"},
		{"func rec(n int) int {\n\tif n == 0 {\n\t\treturn l[4]\n\t}\n\treturn rec(n-1) + 1\n}\n\nrec(2)",
			"8 5rec 5rec 3rec"},
		{"type T struct{}\nfunc (T) M() {\n\tvar p *struct{ A int }\n\tp.A = 1\n}\nT{}.M()", "6 4M"},
		{"func r() {\n\tdefer func() { recover() }()\n\tl[3] = 1\n}\n\nr()\nr()\nl[9]", "8"},
		{"r()\nfor {\n\tr()\n\tpanic(`later`)\n}", "4"},
		{"func late() {\n\tdefer fmt.Sprint(1)\n\tdefer func() {\n\t\tpanic(`x`)\n\t}()\n}\n\nlate()", ""},
	} {
		_, err := eval(s, c.code)
		var e *live.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", c.code, err)
			continue
		}
		var got []string
		for _, f := range e.Trace {
			got = append([]string{fmt.Sprint(f.Line, f.Func)}, got...)
		}
		if trace := strings.Join(got, " "); c.trace != "" && trace != c.trace {
			t.Errorf("%q: %v, at %q, not %q", c.code, err, trace, c.trace)
		}
		if want := e.Trace[0].Line; e.Line() != want {
			t.Errorf("%q: line %d, not %d", c.code, e.Line(), want)
		}
	}
	if out, err := eval(s, "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfib(10)"); out != "55" || err != nil {
		t.Error(out, err)
	}
}
