package eval_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// A definition run again takes effect in all that was defined before.
func TestAgain(t *testing.T) {
	for _, c := range []struct{ name, cells, want string }{
		{"variable", "lr := 0.1\n--\nfunc step(x float64) float64 { return x - lr }\n--\nlr := 0.5\n--\nstep(1)", "0.5"},
		{"var", "var lr = 0.1\n--\nfunc step(x float64) float64 { return x - lr }\n--\nvar lr = 0.5\n--\nstep(1)", "0.5"},
		{"var without a value", "var n int\nfor i := range 4 { n += i }\n--\nvar n int\nfor i := range 4 { n += i }\nn", "6"},
		{"var without a value, used", "func add() { n++ }\nm := 1\nvar n, k int\nadd()\n--\nvar ()\nfunc add() { n++ }\nm := " +
			"2\nvar n, k int\nadd()\nn", "1"},
		{"variables in order, zero at first", "var a = b + 1\nvar b = f()\nfunc f() int { c++; return c }\nvar c int\n--\n" +
			"var a = b + 1\nvar b = f()\nfunc f() int { c++; return c }\nvar c int\n--\nfmt.Sprint(a, b, c)", "2 1 1"},
		{"a pointer to the variable before", "var n = 1\np := &n\n--\nvar n int\nn = 7\n--\nfmt.Sprint(*p, n)", "1 7"},
		{"closure", "lr := 0.1\n--\nstep := func(x float64) float64 { return x - lr }\n--\nlr := 0.5\n--\nstep(1)", "0.5"},
		{"const", "const n = 3\n--\nfunc f() int { return n * n }\n--\nconst n = 4\n--\nf()", "16"},
		{"function", "func f() int { return 1 }\n--\nfunc g() int { return f() + 1 }\n--\nfunc f() int { return 10 }\n--\ng()", "11"},
		{"signature", "func f() int { return 1 }\n--\nfunc g() string { return fmt.Sprint(f()) }\n--\nfunc f() string { " +
			"return `s` }\n--\ng()", "s"},
		{"type", "type T struct{ A int }\nfunc (t T) S() string { return fmt.Sprint(t.A) }\n--\nfunc mk() T { return T{} " +
			"}\n--\n" +
			"type T struct{ A, B int }\nfunc (t T) S() string { return fmt.Sprint(t.A, t.B) }\n--\nmk().S()", "0 0"},
		{"method body", "type T struct{ A int }\nfunc (t T) S() string { return `old` }\n--\nt := T{3}\nvar i " +
			"fmt.Stringer\n--\n" +
			"type T struct{ A int }\nfunc (t T) S() string { return fmt.Sprint(`new`, t.A) }\n--\nt.S()", "new3"},
		{"method alone", "type T struct{ A int }\nfunc (t T) S() string { return `old` }\n--\nt := T{3}\n--\n" +
			"func (t T) S() string { return fmt.Sprint(`new`, t.A) }\n--\nt.S()", "new3"},
		{"String again", "type T int\nfunc (t T) String() string { return `old` }\n--\nt := T(3)\n--\n" +
			"func (t T) String() string { return `new` }\n--\nfmt.Sprint(t, []T{t})", "new [new]"},
		{"method added", "type T struct{ A int }\n--\nfunc (t T) S() string { return fmt.Sprint(t.A) }\n--\nT{4}.S()", "4"},
		{"method added twice", "type T struct{ A int }\n--\nfunc (t T) S() string { return fmt.Sprint(t.A) }\n--\nfunc (t " +
			"*T) Inc() { t.A++ }\n--\nt := &T{4}\nt.Inc()\nt.S()", "5"},
		{"generic", "type L[E any] struct{ l []E }\nfunc (l *L[E]) Add(e E) { l.l = append(l.l, e) }\n--\nfunc (l *L[E]) " +
			"Len() int { return len(l.l) }\n--\nvar l L[string]\nl.Add(`a`)\nl.Len()", "1"},
		{"own value", "x := 1\n--\nx := x + 1\n--\nx", "2"},
		{"generic function of an earlier cell", "type P struct{ A int }\nfunc twice[T any](x T) []T { return []T{x, x} " +
			"}\n--\ntype Q[T any] struct{ V T }\nfunc at[T any](q Q[T]) T { return q.V }\n--\n" +
			"fmt.Sprint(twice(P{1}), at(Q[P]{P{2}}), twice(at(Q[P]{P{3}})))", "[{1} {1}] {2} [{3} {3}]"},
		{"init first", "fmt.Sprint(log)\nvar log []string\nfunc init() { log = append(log, `a`) }\nfunc init() { log = " +
			"append(log, `b`) }", "[a b]"},
		{"init before statements", "n := 0\n--\nm := n\nfunc init() { n = 5 }\nm", "5"},
		{"labels", "i := 0\nagain:\ni++\nif i < 3 { goto again }\ngoto end\nend:\n_ = i\ni", "3"},
		{"label of another cell", "l:\nfor { break l }\n--\ngoto l", "label l not declared"},
		{"other type", "x := 1\n--\nfunc f() string { return fmt.Sprint(x) }\n--\nx := `s`\n--\nf()", "s"},
		{"in one cell", "k := 7\nfunc f() int { return k }\nf()", "7"},
		{"in one cell, var", "k := 7\nvar j = k + 1\nfunc f() int { return j }\nf()", "8"},
		{"package hidden", "sort := 3\n--\nl := []int{2, 1}\nsort.Ints(l)\nl", "[1 2]"},
		{"package hidden by its value", "rand := rand.New(rand.NewPCG(1, 2))\n--\nrand := rand.New(rand.NewPCG(1, " +
			"2))\nrand.IntN(1)", "0"},
		{"goroutine", "c := make(chan int)\ngo func() { c <- 5 }()\n<-c", "5"},
		{"slices", "l := []string{`b`, `a`}\nslices.Sort(l)\nslices.Sorted(maps.Keys(map[int]bool{3: true, 1: true}))",
			"[1 3]"},
		{"seq", "slices.Collect(strings.SplitSeq(`a,b`, `,`))", "[a b]"},
		{"pull", "next, stop := iter.Pull(slices.Values([]int{4, 5}))\na, _ := next()\nb, ok := next()\n_, no := " +
			"next()\nstop()\nfmt.Sprint(a, b, ok, no)", "4 5 true false"},
		{"pull, stopped", "next, stop := iter.Pull2(slices.All([]string{`a`, `b`}))\ni, s, ok := next()\nstop()\n_, _, no " +
			":= next()\nfmt.Sprint(i, s, ok, no)", "0atrue false"},
		{"atomic pointer", "var p atomic.Pointer[string]\ns := `a`\np.Store(&s)\nfmt.Sprint(*p.Load(), " +
			"p.CompareAndSwap(&s, nil), p.Load() == nil)", "atrue true"},
		{"type of a type", "type A struct{ X int }\n--\ntype B A\ntype C = A\ntype D B\n--\ntype E = D\nfunc (b B) M() " +
			"int { return b.X }\n--\nfmt.Sprint(B{1}.M(), C{2}, E{3})", "1 {2} {3}"},
		{"a type of itself", "type H H", "invalid recursive type: H refers to itself"},
		{"packages of one name", "r := rand.New(rand.NewSource(42))\n--\nz := rand.NewZipf(r, 1.5, 2, 10)\nz.Uint64() < " +
			"11\n--\nfmt.Sprint(r.Intn(1), rand.IntN(1))", "0 0"},
		{"packages of one name in functions", "func a() int { return rand.Intn(k) }\nconst k = 1\n--\nfunc b() int { " +
			"return rand.IntN(k) }\n--\nconst k = 1\nrand.N(k)\n--\nfmt.Sprint(a(), b())", "0 0"},
		{"package of all its names", "x, err := rand.Int(rand.Reader, big.NewInt(1))\nfmt.Sprint(x, err)", "0 <nil>"},
		{"unknown package", "http.Get(`x`)", "undefined: http (no name of this session; a package that live " +
			"cells do not know is known to a compiled cell, without %%live)"},
		{"unknown part", "sync.Nothing()", "undefined: sync.Nothing (live cells know a part of package sync; a compiled " +
			"cell, without %%live, knows it all)"},
		{"must", "must(strconv.Atoi(`13`)) + must(strconv.Atoi(`2`))", "15"},
		{"must alone", "must(os.Setenv(`DDPS_T`, `1`))", ""},
		{"a variable of a type that gets a method", "type L int\nconst Low L = 0\n--\nx := []L{Low}\np := &x\n--\nfunc (l " +
			"L) String() string { return `low` }\n--\n(*p)[0] = 1\nvar i fmt.Stringer = x[0]\n_, ok := i.(L)\n" +
			"fmt.Sprint(x, p, ok, Low, x[0] == Low)", "[low] &[low] true low false"},
		{"variables made of it", "type L int\ntype M map[L]*N\ntype N struct{ kids []*N; m map[string][2]L; any any; c chan " +
			"L }\n--\nm := M{2: {kids: []*N{nil}, any: time.Time{}, c: make(chan L, 1)}}\nt := time.Now()\n--\nfunc (l L) " +
			"String() string { return `l` }\n--\nm[2].c <- 5\nfunc (n N) Len() int { return len(n.kids) }\n--\n" +
			"fmt.Sprint(m[2].Len(), <-m[2].c, m[2].m, t.IsZero())", "1 l map[] false"},
		{"functions of them", "type L int\n--\nvar m = map[L]bool{3: true}\nfunc f() int { return len(m) }\n--\nfunc (l L) " +
			"A() {}\n--\nm[4] = true\nf()", "2"},
		{"generic, a method again", "type S[T any] struct{ l []T }\nfunc (s *S[T]) Add(x T) { s.l = append(s.l, x) }\n--\ns " +
			":= &S[int]{}\ns.Add(1)\n--\ntype S[T any] struct{ l []T }\nfunc (s *S[T]) Add(x T) { s.l = append(s.l, x, x) " +
			"}\n--\ns.Add(2)\ns.l", "[1 2 2]"},
		{"in the method", "type L int\n--\nvar names = map[L]string{0: `low`}\n--\nfunc (l L) String() string { return " +
			"names[l] }\n--\nfmt.Sprint(L(0))", "low"},
		{"after that failed", "type L int\n--\nvar names = map[L]string{0: `low`}\n--\nfunc (l L) String() string { return " +
			"names[l] + 1 }\n--\nnames[0]", "low"},
		{"an interface that holds it", "type L int\n--\nvar x any = []L{1}\n--\nfunc (l L) String() string { return `l` }" +
			"\n--\nx", "undefined: x (L was given a method in cell 3: values made before have the type without it; run cell 2 " +
			"again)"},
		{"an interface of another", "type L int\n--\nvar x any = 1\ny := []any{`a`, nil}\n--\nfunc (l L) A() {}\n--\n" +
			"fmt.Sprint(x, y)", "1 [a <nil>]"},
		{"a function of it", "type L int\n--\nmk := func() any { return L(1) }\nl := func() L { return 1 }\n--\nfunc (l L) " +
			"A() {}\n--\nl", "undefined: l (L was given a method in cell 3"},
		{"a layout that changes, too", "type P struct{ a int }\ntype L struct{ p *P }\n--\nx := L{}\n--\ntype P struct{ a, b " +
			"int }\nfunc (l L) A() {}\n--\nx", "undefined: x (L was given a method in cell 3"},
		{"a size that changes, too", "const n = 2\ntype L [n]int\n--\nx := L{}\n--\nconst n = 3\nfunc (l L) A() {}\n--\nx",
			"undefined: x (L was given a method in cell 3"},
		{"run again", "type L int\nconst Low L = 0\n--\nx := Low\nfunc f() L { return x }\n--\nfunc (l L) String() string { " +
			"return `low` }\n--\nx := Low\nfunc f() L { return x }\n--\nfmt.Sprint(x == Low, x, f())", "true low low"},
		{"the same constants and method again", "type K int\nconst D K = 2\nfunc (k K) String() string { if k == D { return " +
			"`d` }; return `k` }\n--\nx := K(2)\n--\ntype K int\nconst D K = 2\nfunc (k K) String() string { if k == D { " +
			"return `d` }; return `k` }\n--\nfmt.Sprint(x, x == D)", "d true"},
		{"what a method's body uses", "type T struct{ a int }\nconst n = 2\nfunc (t T) S() string { return fmt.Sprint(t.a, n) " +
			"}\n--\nt := T{1}\n--\nconst n = 2.5\n--\nu := t\nu = T{4}\nt.S() + u.S()", "1 2.54 2.5"},
		{"what a method's body uses, not fitting", "type T struct{ a int }\nvar n = 2\nfunc (t T) S() int { return t.a + n }" +
			"\n--\nn := `s`\n--\nT{}.S()", "undefined: T (T of cell 1 does not fit any more, in line 3: "},
		{"methods of other cells", "type P struct{ X int }\n--\nfunc (p P) N() int { return p.X }\nfunc (p *P) Set(x int) { p.X " +
			"= x }\n--\ntype P struct{ X, Y int }\n--\np := P{1, 2}\np.Set(4)\np.N()", "4"},
		{"methods of the type's cell", "type P struct{ X int }\nfunc (p P) N() int { return p.X }\n--\ntype P struct{ X, Y int }" +
			"\n--\nP{}.N()", "P{}.N undefined (type P has no field or method N)"},
		{"methods of the type's cell, run again", "type P struct{ X int }\nfunc (p P) N() int { return 1 }\n--\ntype P struct{ X " +
			"int }\nfunc (p P) N() int { return 2 }\n--\ntype P struct{ X, Y int }\n--\nP{}.N()", "P{}.N undefined"},
		{"methods that do not fit", "type P[T any] struct{ X, Y T }\n--\nfunc (p *P[T]) N() T { return p.Y }\nfunc (p P[T]) M() " +
			"T { return p.X }\n--\ntype P[T any] struct{ X T }\n--\nfmt.Sprint(P[int]{3}.M())\n(&P[int]{}).N()", "(&P[int]{}).N " +
			"undefined (type *P[int] has no field or method N) (P.N of cell 2 does not fit any more, in line 1: p.Y undefined"},
		{"a variable of a type that is another now", "type P struct{ X int }\n--\np := []P{{1}}\n--\ntype P struct{ X, Y int }\n" +
			"--\np[0] = P{1, 2}", "cannot use P{…} (value of struct type P) as P value in assignment (p of cell 2 has the type P " +
			"as it was; run that cell again)"},
		{"types of one declaration", "type (\nA int\nB string\n)\nfunc (A) S() string { return `a` }\nfunc (B) S() string { " +
			"return `b` }\n--\nx := A(1)\n--\ntype (\nA int\nB string\n)\nfunc (A) S() string { return `a` }\nfunc (B) S() " +
			"string { return `b` }\n--\nx.S() + B(``).S()", "ab"},
		{"types of one declaration, methods later", "type I interface{ S() string }\ntype (\nA int\nB struct{ L I }\n)\n--\n" +
			"func (A) S() string { return `a` }\n--\nfunc (b B) S() string { return `b` + b.L.S() }\n--\nB{A(1)}.S()", "ba"},
		{"methods of several types of one declaration", "type (\nA int\nB struct{ a A }\n)\n--\nfunc (b B) S() string { " +
			"return `b` + b.a.S() }\nfunc (A) S() string { return `a` }\n--\nB{}.S()", "ba"},
		{"a type of a declaration that is another now", "type (\nA int\nB struct{ a A }\n)\n--\ntype A string\n--\nfunc (b B) " +
			"S() string { return string(b.a) }\n--\nB{`x`}.S()", "x"},
		{"a constant of a declaration that is another now", "const (\na = k\nb\nc = a * 10\n)\nconst k = 1\n--\nconst a = 7\n" +
			"--\nconst k = 2\n--\nfmt.Sprint(a, b, c)", "7 2 70"},
		{"a method of a type that changes, too", "const n = 2\ntype T [n]int\nfunc (t T) S() int { return len(t) }\n--\n" +
			"const n = 3\nfunc (t T) S() int { return 10 * len(t) }\n--\nT{}.S()", "30"},
		{"stale", "x := 1\n--\nfunc f() int { return x + 1 }\n--\nx := `s`\n--\nf()", "undefined: f (f of cell 2 does not " +
			"fit any more, in line 1: "},
	} {
		w := newWorld()
		got := ""
		for _, cell := range strings.Split(c.cells, "\n--\n") {
			v, err := w.run(cell)
			got = strings.TrimSpace(strings.Trim(fmt.Sprint(v), "[]"))
			if len(v) == 1 {
				got = fmt.Sprint(v[0])
			}
			if err != nil {
				got = err.Error()
			}
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Goroutines of one cell go on, and get their functions ready, while later cells define names.
func TestBeside(t *testing.T) {
	w := newWorld()
	cells := []string{"func f[T any](x T) T { return x }\nstop := make(chan bool)\ndone := make(chan int)\nn := 0",
		"go func() { for { n += f(1); _ = f(`a`); _ = f([]int{n}); _ = fmt.Sprint(f(2.5)); select { case <-stop: done <- " +
			"n; return; default: } } }()"}
	for i := range 50 {
		cells = append(cells, fmt.Sprintf("type T%d struct{ A int }\nfunc (t T%d) String() string { return `t` }\nvar v%d "+
			"fmt.Stringer = T%d{%d}\nfmt.Sprint(v%d)", i, i, i, i, i, i))
	}
	for _, c := range append(cells, "close(stop)", "<-done > 0") {
		v, err := w.run(c)
		if err != nil {
			t.Fatal(c, err)
		}
		if c == "<-done > 0" && (len(v) != 1 || v[0] != true) {
			t.Error(v)
		}
	}
}

// What no machine has room for ends the cell, and not the session.
func TestTooLarge(t *testing.T) {
	w := newWorld()
	for _, code := range []string{"make([]int, 1<<40)", "make([]int, 0, 1<<40)", "make(map[int]int, 1<<40)",
		"make(chan int, 1<<40)", "var a [1<<40]int", "new([1<<40]int)", "type T struct{ a [1<<40]int }\nvar p T",
		"defer func() { recover() }()\nmake([]int, 1<<40)"} {
		if _, err := w.run(code); err == nil || !strings.Contains(err.Error(), "GB") {
			t.Errorf("%s: %v", code, err)
		}
	}
	if v, err := w.run("len(make([]struct{}, 1<<40))"); err != nil || fmt.Sprint(v...) != "1099511627776" {
		t.Error(v, err)
	}
}

// A library gets contexts that the session can end; the cell's own, and those that it makes of them, are Go's.
func TestContext(t *testing.T) {
	lib := map[string]reflect.Value{"Wait": reflect.ValueOf(func(ctx context.Context, n int) error {
		<-ctx.Done()
		return ctx.Err()
	}), "Value": reflect.ValueOf(func(ctx context.Context, key any) any { return ctx.Value(key) })}
	w := newWorld(eval.Tables{"example.com/lib/lib": lib})
	w.Context = func(ctx context.Context) context.Context {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(time.Millisecond, cancel)
		return ctx
	}
	for code, want := range map[string]string{
		"lib.Wait(context.Background(), 1)":                                             "context canceled",
		"func f(c context.Context) error { return lib.Wait(c, 2) }\nf(context.TODO())":  "context canceled",
		"lib.Value(context.WithValue(context.Background(), `k`, 7), `k`)":               "7",
		"fmt.Sprint(context.Background(), context.TODO(), context.Background().Done())": "context.Background context.TODO <nil>",
		"var c context.Context = context.Background()\nc == context.Background()":       "true",
		"fmt.Sprint(context.WithValue(context.Background(), 1, 2))":                     "context.Background.WithValue(int, int)",
	} {
		v, err := w.run(code)
		if got := fmt.Sprint(v...); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", code, got, err, want)
		}
	}
}
