package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live"
)

// screen keeps what a session shows, as text.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	last map[string]any
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) Stdout() io.Writer { return s }
func (s *screen) Stderr() io.Writer { return s }
func (s *screen) Display(data, _ map[string]any, _ string, _ bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(&s.text, data["text/plain"])
	s.last = data
}
func (s *screen) Result(data, metadata map[string]any) { s.Display(data, metadata, "", false) }

func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.text.String()
	s.text.Reset()
	return t
}

func session(t testing.TB) *live.Session {
	t.Helper()
	s, err := live.New(&screen{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eval runs a cell, for a minute at most, and returns its output and error.
func eval(s *live.Session, code string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out := &screen{}
	err := s.Eval(ctx, code, out)
	return strings.TrimSpace(out.take()), err
}

// Cells of one session, one after another: what each shows, or the line and message that it fails with.
func TestCells(t *testing.T) {
	s := session(t)
	for _, c := range []struct{ code, out, err string }{
		{"1+1", "2", ""},
		{"", "", ""},
		{"// nothing", "", ""},
		{"x := 2\nx * 21", "42", ""},
		{"x = x + 1", "", ""},
		{"x", "3", ""},
		{`x := "now a string"`, "", ""},
		{"x", "now a string", ""},
		{"fmt.Println(x)", "now a string", ""},
		{"import \"strings\"\nstrings.ToUpper(x)", "NOW A STRING", ""},
		{"import s2 \"strings\"\ns2.Repeat(`a`, 3)", "aaa", ""},
		{"import \"strings\"\ns2.Repeat(`b`, 2) + strings.Repeat(`c`, 1)", "bbc", ""},
		{"math.Sqrt(2) > 1.41", "true", ""},
		{"rand.New(rand.NewPCG(1, 2)).IntN(1)", "0", ""},
		{"sort := 3\nsort", "3", ""},
		{"path := []int{1, 2}\nlen(path)", "2", ""},
		// functions
		{"func double(a int) int {\n\treturn 2 * a\n}\n\ndouble(4)", "8", ""},
		{"double(5)\nfunc double(s string) string { return s + s }", "", "line 1"},
		{"func double(s string) string { return s + s }", "", ""},
		{`double("ab")`, "abab", ""},
		{"a := even(10)\nfunc even(n int) bool { if n == 0 { return true }; return odd(n - 1) }\nfunc odd(n int) bool { " +
			"if n == 0 { return false }; return even(n - 1) }\na", "true", ""},
		{"k := 7\nfunc usesK() int { return k }\nusesK()", "7", ""},
		{"k = 8\nusesK()", "8", ""},
		{"func() { fmt.Println(`lit`) }()", "lit", ""},
		{"func void() {}\nvoid()", "", ""},
		// types
		{"type T struct{ A int }\nfunc (t T) Twice() int { return 2 * t.A }\nT{3}.Twice()", "6", ""},
		{"t := T{4}\nt.Twice()", "8", ""},
		{"type T struct{ B string }\nu := T{`b`}\nu.B", "b", ""},
		{"t.A", "4", ""},
		{"T{`c`}.B", "c", ""},
		{"type N struct { v int; next *N }\nn := &N{1, &N{2, nil}}\nn.next.v", "2", ""},
		{"type S int\nfunc (s S) String() string { return `S!` }\nfmt.Sprint(S(3))", "S!", ""},
		// several values, errors as values
		{"strconv.Atoi(`12`)", "12", ""},
		{"strconv.Atoi(`x`)", "", `line 1: strconv.Atoi: parsing "x": invalid syntax`},
		{"_ = 1\n\nerrors.New(`mine`)", "", "line 3: mine"},
		{"v, err := strconv.Atoi(`x`)\nv", "0", ""},
		{"err != nil", "true", ""},
		{"err = nil\nerr", "<nil>", ""},
		{"os.Setenv(`DDPS_LIVE_TEST`, `1`)", "", ""},
		{"must(strconv.Atoi(`13`))", "13", ""},
		{"w := must(strconv.Atoi(`14`)) + must(strconv.Atoi(`1`))\nw", "15", ""},
		{"z := 0\nz = must(strconv.Atoi(`x`))", "", `line 2: strconv.Atoi: parsing "x": invalid syntax`},
		{"func f() int {\n\tif must(strconv.Atoi(`1`)) == 1 {\n\t\treturn must(strconv.Atoi(`7`))\n\t}\n\treturn 0\n}\nf()",
			"7", ""},
		{"var q = must(strconv.Atoi(`3`))\nq", "3", ""},
		{"must(os.Chdir(`/nowhere`))", "", "line 1: chdir /nowhere"},
		{"for i := 0; i < must(strconv.Atoi(`2`)); i++ { fmt.Print(i) }", "01", ""},
		// failures, and that the session lives on
		{"undefinedThing", "", "line 1: undefined: undefinedThing"},
		{"x := 1\nfmt.Println(`not run`)\ny := undefinedThing + 1", "", "line 3: undefined: undefinedThing"},
		{"x", "now a string", ""},
		{"x := 1\nx + `a`", "", "line 2: "},
		{"1 +", "", "line 1: "},
		{"x := 3\n)", "", "line 2: "},
		{"x := 3\n}", "", "line 2: "},
		{"panic(`oh`)", "", "line 1: oh"},
		{"var l []int\n\nl[3]", "", "line 3: "},
		{"func bad() int {\n\tvar l []int\n\treturn l[1]\n}", "", ""},
		{"\n\nbad()", "", "line 3: "},
		{"os.Exit(3)", "", "line 1: os.Exit(3)"},
		{"log.Fatal(`end`)", "", "line 1: end"},
		{"var m map[string]int\nm[`a`] = 1", "", "line 2: "},
		{"1/len(``)", "", "line 1: "},
		{"2+2", "4", ""},
		// goroutines, channels
		{"ch := make(chan int)\ngo func() { ch <- 5 }()\n<-ch", "5", ""},
		{"go func(a int, b string) { ch <- a + len(b) }(1, `ab`)\n<-ch", "3", ""},
		{"go func() { defer close(ch); panic(`inner`) }()\n<-ch\ntime.Sleep(time.Hour)", "",
			"line 1: panic in a goroutine: inner"},
		{"\ngo func() {\n\tvar l []int\n\tl[2] = 1\n}()\ntime.Sleep(time.Hour)", "", "line 4: panic in a goroutine: "},
		{"time.AfterFunc(0, func() { panic(`late`) })\nselect {}", "", "line 1: panic in a goroutine: late"},
		{"cx, end := context.WithCancel(context.Background())\ncontext.AfterFunc(cx, func() { panic(`after`) " +
			"})\nend()\nselect {}", "", "line 2: panic in a goroutine: after"},
		{"var wg sync.WaitGroup\nwg.Go(func() { panic(`group`) })\nwg.Wait()", "", "line 2: panic in a goroutine: group"},
		{"wg.Go(func() {})\nwg.Add(1)\ngo wg.Done()\nwg.Wait()\n1", "1", ""},
		{"runtime.Goexit()", "", "line 1: runtime.Goexit"},
		{"lg := log.New(os.Stdout, `p `, 0)\nlg.Print(`said`)", "p said", ""},
		{"lg.Fatalf(`end %d`, 1)", "", "line 1: end 1"},
		{"log.Default().Fatal(`end`)", "", "line 1: end"},
		{"var lp *log.Logger = lg\nlp.Prefix()", "p", ""},
		{"log.SetFlags(0)\nlog.SetOutput(os.Stdout)\nslog.Info(`hi`, `a`, 1, `msg`, `two words`)\nslog.Debug(`no`)\n" +
			"slog.With(`w`, 2).WithGroup(`g`).Warn(`careful`, `i`, 3)", "INFO hi a=1 msg=\"two words\"\nWARN careful w=2 g.i=3", ""},
		{"slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelError})))\n" +
			"slog.Warn(`no`)\nslog.Default().Enabled(context.Background(), slog.LevelError)", "true", ""},
		{"fl := flag.Int(`n`, 5, `how many`)\nflag.Parse()\nfmt.Println(*fl, flag.NArg(), flag.Lookup(`n`).Usage)", "5 0 how many", ""},
		{"fl := flag.Int(`n`, 6, `again`)\nflag.Set(`n`, `7`)\nfmt.Println(*fl, flag.Lookup(`n`).DefValue)", "7 6", ""},
		{"flag.NewFlagSet(`x`, flag.ExitOnError).Parse([]string{`-z`})", "flag provided but not defined: -z\nUsage of x:",
			"line 1: flag provided but not defined: -z"},
		{"type gobbed struct{ N int }\ngob.Register(gobbed{})\n1", "1", ""},
		{"type gobbed struct{ N, M int }\ngob.Register(gobbed{})\ngob.Register(gobbed{})\nvar gbuf bytes.Buffer\nvar gval any = " +
			"gobbed{3, 4}\nmust(gob.NewEncoder(&gbuf).Encode(&gval))\nvar gback any\nmust(gob.NewDecoder(&gbuf).Decode(&gback))\n" +
			"gback.(gobbed).M", "4", ""},
		{"rc := make(chan int, 1)\nrc <- 4\nfunc rcv() int { return <-rc }\nrcv()", "4", ""},
		{"2+3", "5", ""},
		{"for i := range 3 { fmt.Print(i) }", "012", ""},
		{"outer:\nfor {\n\tfor {\n\t\tbreak outer\n\t}\n}\n6", "6", ""},
		{"switch {\ncase x == `0`:\ndefault:\n\tfmt.Println(`d`)\n}", "d", ""},
		{"fmt.Fprintln(os.Stdout, `out`)\nfmt.Fprintln(os.Stderr, `err`)", "out\nerr", ""},
		{"slices.Max([]int{1, 5, 2})", "5", ""},
		{"func gmap[A, B any](l []A, f func(A) B) []B { var o []B; for _, a := range l { o = append(o, f(a)) }; return o " +
			"}\ngmap([]int{1,2}, func(i int) int { return i * i })", "[1 4]", ""},
		{"import \"net/http\"", "", "line 1: import \"net/http\": live cells know some packages only"},
		{"Toy := 3\nToy", "3", ""},
		// what the interpreter knows in functions only
		{"pl := plots.Series{X: []float64{4, 5}}\nx1 := pl.X[1]\nx1 + 1", "6", ""},
		{"x2, x3 := pl.X[0], 7\nx2", "4", ""},
		{"mm := map[string]T{`a`: {`v`}}\nmv, ok := mm[`a`]\nmv.B", "v", ""},
		{"_, ok := mm[`b`]\nok", "false", ""},
		{"var an any = 5\nai, ok := an.(int)\nai", "5", ""},
		{"if v, ok := mm[`a`]; ok { fmt.Println(v.B) }", "v", ""},
		{"cc := make(chan int, 1)\ncc <- 8\ncv, ok := <-cc\ncv", "8", ""},
		{"type E struct{}\nfunc (E) Error() string { return `E!` }\nvar e error = E{}\ne", "", "line 4: E!"},
		{"E{}", "", "line 1: E!"},
		{"package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(`ran`) }", "ran", ""},
		{"func init() { fmt.Println(`once`) }", "once", ""},
		{"func other() {}", "", ""},
		{"package other", "", "line 1: cells belong to package main"},
		{"defer fmt.Println(`later`)\nfmt.Println(`first`)", "first\nlater", ""},
		{"func deep(n int) int { return deep(n+1) + 1 }\ndeep(0)", "", "line 1: stack overflow"},
		{"2 + 5", "7", ""},
	} {
		out, err := eval(s, c.code)
		msg := ""
		if err != nil {
			msg = err.Error()
		}
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.HasPrefix(msg, c.err)) || c.err == "" &&
			out != c.out {
			t.Errorf("%q: %q, error %q; want %q, %q", c.code, out, msg, c.out, c.err)
		}
	}
}

// What never ends by itself ends with its context, and the session lives on with its values.
func TestInterrupt(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "n := 0; c := make(chan int); func spin() { for { n++ } }"); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"for {}", "for { n++ }", "spin()", "<-c", "c <- 1", "select {}", "time.Sleep(time.Hour)",
		"for { time.Sleep(time.Millisecond) }", "func() { for {} }()", "<-context.Background().Done(); for {}"} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		start := time.Now()
		err := s.Eval(ctx, code, &screen{})
		if !errors.Is(err, live.ErrInterrupted) || time.Since(start) > live.Grace {
			t.Errorf("%s: %v after %v", code, err, time.Since(start))
		}
		if out, err := eval(s, "n++\nn > 0"); out != "true" || err != nil {
			t.Errorf("after %s: %q, %v", code, out, err)
		}
	}
}

// Functions that cells keep as values do the same after an interrupt as before, whatever it stopped; what goroutines
// were about ends with it.
func TestValuesAfterInterrupt(t *testing.T) {
	s := session(t)
	for _, code := range []string{
		"lit := func(n int) int { return 2 * n }\nin := make(chan int)\nget := func() int { x := <-in; return x }",
		"type V struct{ n int }\nfunc (v V) Twice() int { return 2 * v.n }\ntwice := V{4}.Twice\nv := V{4}",
		"ticks := 0\ngo func() { for { ticks++; time.Sleep(time.Millisecond) } }()\ngo func() { get() }()",
	} {
		if _, err := eval(s, code); err != nil {
			t.Fatal(code, err)
		}
	}
	for _, code := range []string{"for {}", "lit = func(n int) int { return 2 * n }; get = func() int { x := <-in; " +
		"return x }; for {}", "get()",
		"sort.Slice(make([]int, 10), func(i, j int) bool { for {} })", "func deepest(n int) int { return deepest(n+1) + 1 " +
			"}\ndeepest(0)"} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if strings.Contains(code, "deepest") {
			ctx = t.Context()
		}
		if err := s.Eval(ctx, code, &screen{}); err == nil {
			t.Errorf("%s: no error", code)
		}
		cancel()
		for _, c := range [][2]string{{"lit(4)", "8"}, {"twice()", "8"}, {"v.Twice()", "8"},
			{"go func() { in <- 7 }()\nget()", "7"},
			{"was := ticks\ntime.Sleep(5*time.Millisecond)\nticks == was", "true"}} {
			if out, err := eval(s, c[0]); out != c[1] || err != nil {
				t.Errorf("after %s: %s: %q, %v; want %s", code, c[0], out, err, c[1])
			}
		}
	}
}

// Tracebacks name cells by the numbers that their user knows, and lines as they stand in the notebook.
func TestCellNumbers(t *testing.T) {
	s := session(t)
	for _, c := range []struct {
		number    int
		code, err string
		trace     []string
	}{
		{7, "\n\nfunc inner(l []int) int {\n\treturn l[1]\n}", "", nil},
		{9, "\ninner(nil)", "line 2: ", []string{"cell 9, line 2", "cell 7, line 4, in inner"}},
		{11, "\n\nnone()", "line 3: undefined: none", []string{"line 3"}},
		{0, "inner(nil)", "line 1: ", []string{"cell 12, line 1", "cell 7, line 4, in inner"}},
	} {
		err := s.EvalCell(t.Context(), c.number, c.code, &screen{})
		var e *live.Error
		if c.err == "" && err != nil || c.err != "" && (!errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.err)) {
			t.Errorf("%q: %v", c.code, err)
		} else if c.err != "" && !slices.Equal(e.Traceback()[:len(e.Traceback())-1], c.trace) {
			t.Errorf("%q: %q", c.code, e.Traceback())
		}
	}
}

// What a cell began goes on after it, at its own pace, until an interrupt: also one when no cell runs.
func TestBetweenCells(t *testing.T) {
	s := session(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Eval(ctx, "n := 0\nended := make(chan int)\nbg := context.Background()\ngo func() { for { n++; "+
		"time.Sleep(10 * time.Millisecond) } }()\n"+
		"go func() { <-bg.Done(); close(ended) }()", &screen{})
	cancel() // as kernels do when a cell is over
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if out, _ := eval(s, "n > 5"); out == "true" {
			break
		}
	}
	if out, err := eval(s, "bg.Err() == nil && n > 5 && n < 10_000"); out != "true" || err != nil {
		n, _ := eval(s, "n")
		t.Errorf("after a while: %q, %v, %s rounds", out, err, n)
	}
	s.Stop()
	for _, c := range [][2]string{{"was := n\ntime.Sleep(30*time.Millisecond)\nn == was",
		"true"}, {"bg.Done() == nil", "true"}, {"context.Background().Err() == nil", "true"}} {
		if out, err := eval(s, c[0]); out != c[1] || err != nil {
			t.Errorf("stopped: %s: %q, %v", c[0], out, err)
		}
	}
}

// cancelAfterStep returns a context that ends soon after training has begun.
func cancelAfterStep(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if m, _ := filepath.Glob("runs/*/log.jsonl"); len(m) > 0 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return ctx, cancel
}
