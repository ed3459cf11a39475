package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

type Tree[K cmp.Ordered, V any] struct {
	root *tnode[K, V]
	size int
}
type tnode[K cmp.Ordered, V any] struct {
	k    K
	v    V
	l, r *tnode[K, V]
}

func (t *Tree[K, V]) Put(k K, v V) { t.root = t.put(t.root, k, v) }
func (t *Tree[K, V]) put(n *tnode[K, V], k K, v V) *tnode[K, V] {
	if n == nil {
		t.size++
		return &tnode[K, V]{k: k, v: v}
	}
	switch c := cmp.Compare(k, n.k); {
	case c < 0:
		n.l = t.put(n.l, k, v)
	case c > 0:
		n.r = t.put(n.r, k, v)
	default:
		n.v = v
	}
	return n
}
func (t *Tree[K, V]) Each(yield func(K, V) bool) { t.root.each(yield) }
func (n *tnode[K, V]) each(yield func(K, V) bool) bool {
	return n == nil || n.l.each(yield) && yield(n.k, n.v) && n.r.each(yield)
}

type Embedded[T any] struct {
	Tree[string, T]
	name string
}

type Flags uint8

const (
	FA Flags = 1 << iota
	FB
	FC
	_
	FE
	all = FA | FB | FC
)

func (f Flags) Has(g Flags) bool { return f&g != 0 }
func (f *Flags) Set(g Flags)     { *f |= g }

type Money int64

func (m Money) Format(s fmt.State, verb rune) {
	fmt.Fprintf(s, "$%d.%02d(%c)", int64(m)/100, int64(m)%100, verb)
}

type Point struct{ X, Y int }

func (p Point) GoString() string { return fmt.Sprintf("P(%d,%d)", p.X, p.Y) }

type Logger interface{ Log(string) }
type LogFunc func(string)

func (f LogFunc) Log(s string) { f(s) }

type Service struct {
	Logger
	sync.Mutex
	hooks []func(int) int
}

type Stage func(<-chan int) <-chan int

func pipe(in <-chan int, st ...Stage) <-chan int {
	for _, s := range st {
		in = s(in)
	}
	return in
}
func mul(k int) Stage {
	return func(in <-chan int) <-chan int {
		out := make(chan int)
		go func() {
			defer close(out)
			for x := range in {
				out <- x * k
			}
		}()
		return out
	}
}

type Err struct {
	op  string
	err error
}

func (e *Err) Error() string { return e.op + ": " + e.err.Error() }
func (e *Err) Unwrap() error { return e.err }

var ErrNF = errors.New("not found")

func find(k string) error {
	if k == "" {
		return nil
	}
	return &Err{"find " + k, fmt.Errorf("deep %w", ErrNF)}
}

func typedNil(fail bool) error {
	var e *Err
	if fail {
		e = &Err{"x", ErrNF}
	}
	return e
}

type Shape interface {
	isShape()
	Area() float64
}
type sq struct{ s float64 }

func (sq) isShape()        {}
func (q sq) Area() float64 { return q.s * q.s }

func Filter[S ~[]E, E any](s S, keep func(E) bool) S {
	var out S
	for _, e := range s {
		if keep(e) {
			out = append(out, e)
		}
	}
	return out
}

type IDs []int

func (ids IDs) Sum() (t int) {
	for _, i := range ids {
		t += i
	}
	return
}

func Count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer fmt.Print("[end]")
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func earlyReturn() (s string) {
	for i := range Count(10) {
		defer func() { s += fmt.Sprint("d", i) }()
		if i == 2 {
			return fmt.Sprint("ret", i)
		}
	}
	return "none"
}

func named() (a, b int, err error) {
	a, b = 1, 2
	defer func() { a *= 10 }()
	if a, c := 5, 6; c > 5 {
		b = a
	}
	return b, a, nil
}

func swap[T any](a, b *T) { *a, *b = *b, *a }

func multi() (int, string, error)          { return 1, "m", nil }
func take(i int, s string, e error) string { return fmt.Sprint(i, s, e) }

func main() {
	var t Embedded[int]
	for i, w := range strings.Fields("the quick brown fox jumps over the lazy dog") {
		t.Put(w, i)
	}
	for k, v := range t.Each {
		fmt.Print(k, "=", v, " ")
		if k > "over" {
			break
		}
	}
	fmt.Println(t.size)
	f := FA
	f.Set(FC)
	fmt.Println(f, f.Has(FB), f.Has(FC), FE, all, ^FA)
	fmt.Printf("%v %d %s|%v\n", Money(12345), Money(5), Money(7), []Money{1, 2})
	fmt.Printf("%v %+v %#v %#v\n", Point{1, 2}, Point{1, 2}, Point{1, 2}, []Point{{3, 4}})
	var lines []string
	s := &Service{Logger: LogFunc(func(x string) { lines = append(lines, x) })}
	s.Log("a")
	lg := s.Log
	s.Logger = LogFunc(func(string) { lines = append(lines, "other") })
	lg("b")
	s.Log("c")
	s.Lock()
	s.Unlock()
	for i := range 3 {
		s.hooks = append(s.hooks, func(x int) int { i += x; return i })
	}
	fmt.Println(lines, s.hooks[0](10), s.hooks[0](10), s.hooks[2](1))
	src := make(chan int)
	go func() {
		for i := range 4 {
			src <- i
		}
		close(src)
	}()
	for v := range pipe(src, mul(2), mul(5)) {
		fmt.Print(v, " ")
	}
	fmt.Println()
	err := find("k")
	var e *Err
	fmt.Println(err, errors.Is(err, ErrNF), errors.As(err, &e), e.op, find("") == nil, typedNil(false) == nil, typedNil(true))
	fmt.Println(errors.Join(err, nil, ErrNF))
	var sh Shape = sq{3}
	if q, ok := sh.(interface{ Area() float64 }); ok {
		fmt.Println(q.Area())
	}
	ids := Filter(IDs{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 })
	fmt.Println(ids.Sum(), ids)
	fmt.Printf("%T\n", ids)
	fmt.Println(earlyReturn())
	fmt.Println(named())
	a, b := "x", "y"
	swap(&a, &b)
	fmt.Println(a, b, take(multi()))
	x := big.NewInt(1)
	for i := int64(1); i <= 25; i++ {
		x.Mul(x, big.NewInt(i))
	}
	fmt.Println(x)
	sc := bufio.NewScanner(strings.NewReader("one two\nthree"))
	sc.Split(bufio.ScanWords)
	n := 0
	for sc.Scan() {
		n += len(sc.Text())
	}
	fmt.Println(n)
	re := regexp.MustCompile(`(\w)(\d+)`)
	fmt.Println(re.ReplaceAllStringFunc("a12 b3", strings.ToUpper), re.FindAllStringSubmatch("a12 b3", -1))
	r := csv.NewReader(strings.NewReader("a,b\n1,\"x,y\"\n"))
	recs, _ := r.ReadAll()
	fmt.Println(recs, len(recs[1]))
	type emp struct {
		name string
		sal  float64
		tags []string
	}
	emps := []emp{{"a", 3, nil}, {"b", 1, []string{"x"}}, {"c", 3, nil}, {"d", 2, nil}}
	slices.SortStableFunc(emps, func(p, q emp) int { return cmp.Or(-cmp.Compare(p.sal, q.sal), strings.Compare(p.name, q.name)) })
	fmt.Println(emps)
	groups := map[float64][]emp{}
	for _, e := range emps {
		groups[e.sal] = append(groups[e.sal], e)
	}
	ks := make([]float64, 0)
	for k := range groups {
		ks = append(ks, k)
	}
	sort.Sort(sort.Reverse(sort.Float64Slice(ks)))
	fmt.Println(ks, len(groups[3]))
	var once sync.Once
	for range 3 {
		once.Do(func() { fmt.Print("once ") })
	}
	pool := sync.Pool{New: func() any { return new(int) }}
	p := pool.Get().(*int)
	*p = 4
	pool.Put(p)
	cond := sync.NewCond(&sync.Mutex{})
	ready := false
	go func() { cond.L.Lock(); ready = true; cond.L.Unlock(); cond.Broadcast() }()
	cond.L.Lock()
	for !ready {
		cond.Wait()
	}
	cond.L.Unlock()
	fmt.Println(ready)
	d := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	fmt.Println(d.AddDate(1, 0, 0).Format(time.RFC3339), d.Weekday(), d.Sub(d.Add(-time.Hour)))
	arr := [...]string{2: "c", 0: "a"}
	fmt.Println(len(arr), arr, fmt.Sprintf("%q", arr))
	anon := struct {
		Point
		N int
	}{Point{1, 2}, 3}
	fmt.Println(anon.X, anon, anon == struct {
		Point
		N int
	}{Point{1, 2}, 3})
	var nilm map[string]int
	fmt.Println(nilm["q"], len(nilm))
	mm := map[string]map[string]int{"a": {}}
	mm["a"]["b"]++
	mm["a"]["b"] += 5
	fmt.Println(mm)
	type kv = struct {
		k string
		v int
	}
	kvs := map[string]*kv{"a": {"a", 1}}
	kvs["a"].v++
	fmt.Println(*kvs["a"])
	var i8 int8 = -128
	fmt.Println(-i8, i8/-1, uint8(i8), int8(u(200)), 7.0/2, 1<<u(3))
	fn := func(xs ...string) (int, string) { return len(xs), strings.Join(xs, "+") }
	fmt.Println(fn("a", "b"))
	func(args ...any) { fmt.Println(len(args), args) }(fn())
	defer fmt.Println("main deferred", n)
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("got", r)
			os.Stdout.WriteString("end\n")
		}
	}()
	var arrp *[3]int
	for i := range arrp {
		n += i
	}
	fmt.Println(n, len(arrp))
	fmt.Println(arrp[1])
}

func u(x uint8) uint8 { return x }
