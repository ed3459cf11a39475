package live_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live"
)

// What an earlier session did silently wrong, or not at all: each cell in a session of its own, several cells apart by
// "--".
func TestFaults(t *testing.T) {
	for _, c := range []struct{ id, cells, want string }{
		{"F1 goroutines in a loop", "c := make(chan int)\nfor i := 0; i < 5; i++ { go func(n int) { c <- n }(i) }\ns := " +
			"0\nfor range 5 { s += <-c }\ns", "10"},
		{"F2 run again", "lr := 0.1\n--\nfunc step(x float64) float64 { return x - lr }\n--\nlr := 0.5\n--\nstep(1)", "0.5"},
		{"F3 any of a map", "func use(any) {}\nuse(map[string]int{`a`: 1})\n1", "1"},
		{"F4 return at the top", "done := true\nif done { return }\nfmt.Println(`on`)", ""},
		{"F4 defer in a block", "if true { defer fmt.Println(`end`) }\nfmt.Println(`first`)", "first\nend"},
		{"F5 receive and", "c := make(chan bool)\ngo func() { time.Sleep(time.Millisecond); c <- true }()\n<-c && true",
			"true"},
		{"F6 loop variables", "var ps []*int\nfor i := range 3 { ps = append(ps, &i) }\nfmt.Sprint(*ps[0], *ps[1], *ps[2])",
			"0 1 2"},
		{"F7 deferred arguments", "func f() { x := 1; defer fmt.Println(x); x = 2 }\nf()", "1"},
		{"F8 interface holds a copy", "type R struct{ w int }\nr := R{2}\nvar a any = r\nr.w = 100\na.(R).w", "2"},
		{"F8 constants", "const N = 4\nconst Even = N%2 == 0\nEven", "true"},
		{"F8 types of equal structure", "type A struct{ n int }\ntype B struct{ n int }\nm := map[any]int{A{1}: 1, B{1}: " +
			"2}\nlen(m)", "2"},
		{"F8 typed nil", "var p *int\nvar e any = p\ne == nil", "false"},
		{"F8 map and slice", "func f() (int, int) { return 3, 4 }\nm, n := map[string]int{}, []int{0, 0}\nm[`a`], n[1] = " +
			"f()\nfmt.Sprint(m, n)", "map[a:3] [0 4]"},
		{"F8 Stringer in a slice", "type C int\nfunc (c C) String() string { return `C!` }\n[]C{1, 2}", "[C! C!]"},
		{"F8 number of an enum", "type C int\nfunc (c C) String() string { return `C!` }\nfmt.Sprintf(`%d`, C(2))", "2"},
		{"F8 MarshalJSON", "type T int\nfunc (T) MarshalJSON() ([]byte, error) { return []byte(`\"t\"`), nil }\nb, _ := " +
			"json.Marshal([]T{1})\nstring(b)", `["t"]`},
		{"F8 errors.As", "type E struct{ n int }\nfunc (e *E) Error() string { return `E` }\nvar e " +
			"*E\nfmt.Sprint(errors.As(fmt.Errorf(`x %w`, &E{3}), &e), e.n)", "true 3"},
		{"F8 a float to an int", "var n int = 2.5", "line 1: cannot use 2.5 (untyped float constant) as int value in " +
			"variable declaration (truncated)"},
		{"F8 overflow", "var b int8 = 300", "line 1: cannot use 300 (untyped int constant) as int8 value in variable " +
			"declaration (overflows)"},
		{"F8 missing return", "func f() int { }", "line 1: missing return"},
		{"F8 nil pointer", "var p *int\n_ = *p", "line 2: runtime error: invalid memory address or nil pointer dereference"},
		{"F9 a node that holds itself", "type N[T any] struct { v T; next *N[T] }\nn := &N[int]{v: 1}\nn.next = " +
			"n\nn.next.next.v", "1"},
		{"F9 a slice that holds itself", "s := []any{nil}\ns[0] = s\ns", "a value of type []interface {} that holds itself"},
		{"F9 printed", "s := []any{nil}\ns[0] = s\nfmt.Println(s)", "line 3: a value of type []interface {} holds itself: " +
			"writing it out would not end"},
		{"F9 a String that calls itself", "type T int\nfunc (t T) String() string { return fmt.Sprint(t) }\nfmt.Sprint(T(1))",
			"line "},
		{"an Error that calls itself", "type E struct{}\nfunc (e E) Error() string { return fmt.Sprint(e) }\nvar e error = " +
			"E{}\ne", "line 4: stack overflow: functions of cells and compiled code call each other more than 10000 deep"},
		{"a panic of it", "type E struct{}\nfunc (e E) Error() string { return fmt.Sprint(e) }\npanic(E{})",
			"line 3: stack overflow: functions of cells and compiled code call each other more than 10000 deep"},
		{"a String that calls itself, shown", "type T int\nfunc (t T) String() string { return fmt.Sprint(t) }\nT(1)",
			"line 3: stack overflow: functions of cells and compiled code call each other more than 10000 deep"},
		{"a MarshalJSON that calls itself", "type T struct{}\nfunc (t T) MarshalJSON() ([]byte, error) { return " +
			"json.Marshal(t) }\n_, err := json.Marshal(T{})\nfmt.Println(err)",
			"line 2: stack overflow: functions of cells and compiled code call each other more than 10000 deep"},
		{"an Error that panics", "type E struct{ p *int }\nfunc (e E) Error() string { return fmt.Sprint(*e.p) }\nvar e " +
			"error = E{}\ne", "line 4: panic in a method: runtime error: invalid memory address or nil pointer dereference"},
		{"calls that nest deeply", "func f(n int) int { if n == 0 { return 0 }; return 1 + f(n-1) }\nfmt.Println(f(90_000))" +
			"\nf(150_000)", "line 1: stack overflow: calls of functions nest more than 100000 deep, the most that a live " +
			"cell allows; a compiled cell, without %%live, allows more"},
		{"recovered from", "func f(n int) int { return 1 + f(n+1) }\ndefer func() { fmt.Println(recover()) }()\nf(0)",
			"line 1: stack overflow: calls of functions nest more than 100000 deep, the most that a live cell allows; a " +
				"compiled cell, without %%live, allows more"},
		{"next inside of its iterator", "var next func() (int, bool)\nnext, _ = iter.Pull(func(y func(int) bool) { next() " +
			"})\nnext()", "line 2: fatal error: iter.Pull: next or stop was called before the last call of them returned"},
		{"F14 range over a map in a generic function", "func keys[K comparable, V any](m map[K]V) (n int) { for k := " +
			"range m { _ = k; n++ }; return n }\nkeys(map[string]int{`a`: 1})", "1"},
		{"F15 min, max, clear", "m := map[int]int{1: 1}\nclear(m)\nfmt.Sprint(min(2, 1), max(2.5, 1), len(m))", "1 2.5 0"},
		{"F15 range over functions", "n := 0\nfor i, x := range slices.Backward([]int{5, 6}) { n = n*10 + i*x }\nn", "60"},
		{"F15 large constants", "h := uint64(14695981039346656037)\nh", "14695981039346656037"},
		{"F15 order of variables", "var a = b + 1\nvar b = 41\n--\na", "42"},
		{"F16 a variable called as a package", "rand := rand.New(rand.NewPCG(1, 2))\n--\nrand := rand.New(rand.NewPCG(1, " +
			"2))\nrand.IntN(1)", "0"},
		{"F17 a method again", "type T int\nfunc (t T) M() int { return 1 }\n--\nt := T(1)\n--\nfunc (t T) M() int { " +
			"return 2 }\n--\nt.M()", "2"},
		{"the cell's streams", "var f *os.File = os.Stdout", "line 1: cannot use os.Stdout (variable of type a stream of " +
			"the cell) as *os.File value in variable declaration (a compiled cell, without %%live, has the library's type)"},
		{"more than memory", "strings.Repeat(`x`, 1<<48)", "line 1: out of memory: 2.81e+05 GB at once, and this machine has "},
		{"the stack", "x := 1\nruntime.Caller(0)", "line 2: undefined: runtime.Caller (live cells know a part of package " +
			"runtime; a compiled cell, without %%live, knows it all)"},
		{"an expression that is not the last", "x := 1\nx == 5\nfmt.Println(x)", "line 2: x == 5 (untyped bool value) is " +
			"not used"},
		{"a conversion", "x := 1\nfloat64(x)\nx", "line 2: float64(x) (value of type float64) is not used"},
		{"a built-in function", "x := []int{1}\nlen(x)\nx", "line 2: len(x) (value of type int) is not used"},
		{"a literal", "func() {}\nx := 1\nx", "line 1: (func() literal) (value of type func()) is not used"},
		{"two on a line", "x := 1\nx; x + 1", "line 2: x (variable of type int) is not used"},
		{"before function main", "x := 1\nx\nfunc main() {}", "line 2: x (variable of type int) is not used"},
		{"in a block", "x := 1\nif x > 0 { x }\nx", "line 2: x (variable of type int) is not used"},
		{"the last", "x := 1\nx == 1 // ends the cell\n", "true"},
		{"unused value", "func f() {\n\tx := 1\n}", "line 2: declared and not used: x"},
	} {
		s := session(t)
		got := ""
		for _, cell := range strings.Split(c.cells, "\n--\n") {
			out, err := eval(s, cell)
			if got = out; err != nil {
				got = err.Error()
			}
		}
		if got != c.want && !(strings.HasPrefix(c.want, "line") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.id, got, c.want)
		}
		if out, err := eval(s, "20 + 3"); out != "23" || err != nil {
			t.Errorf("%s: after it %q, %v", c.id, out, err)
		}
	}
}

// A call of compiled code that cannot be stopped is said to go on, and the session is there for the next cell.
func TestStuck(t *testing.T) {
	s := session(t)
	for _, code := range []string{"var wg sync.WaitGroup\nwg.Add(1)\nfmt.Print(`now`); wg.Wait()",
		"var mu sync.Mutex\nmu.Lock()\nfmt.Print(`now`); mu.Lock()"} {
		ctx, cancel := context.WithCancel(t.Context())
		out := &screen{}
		go func() {
			for out.take() == "" {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(100 * time.Millisecond)
			cancel()
		}()
		err := s.Eval(ctx, code, out)
		if !errors.Is(err, live.ErrStuck) {
			t.Errorf("%s: %v", code, err)
		}
		if out, err := eval(s, "x := 5\nx"); out != "5" || err != nil {
			t.Errorf("after %s: %q, %v", code, out, err)
		}
	}
}

// Cells that redefine names again and again leave nothing behind.
func TestFlat(t *testing.T) {
	s := session(t)
	const cell = "type T struct{ A, B int }\nfunc (t T) Sum() int { return t.A + t.B }\nbig := make([]int, 10_000)\nt " +
		":= T{1, 2}\n" +
		"const k = 3\nfunc f() int { return t.Sum() + len(big) + k }\nf()"
	heap := func(n int) uint64 {
		for range n {
			if out, err := eval(s, cell); out != "10006" || err != nil {
				t.Fatal(out, err)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap(100)
	if after := heap(1000); after > before+1<<20 {
		t.Errorf("%d bytes after 100 cells, %d after 1100", before, after)
	}
}

// A cell that writes without end fills a file, not the page.
func TestOutputCap(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := session(t)
	out, err := eval(s, "line := strings.Repeat(`x`, 1023) + \"\\n\"\nfor range 3000 { fmt.Print(line) }")
	if err != nil || len(out) > 3<<20 || !strings.Contains(out, "more than 2 MB of output: the rest goes to ") {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "ddps-output-*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Size() != 3000<<10-2<<20 {
		t.Error(info.Size(), err)
	}
	if out, err := eval(s, "fmt.Print(`short`)"); out != "short" || err != nil {
		t.Error(out, err)
	}
}
