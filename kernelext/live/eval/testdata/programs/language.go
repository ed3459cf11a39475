package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

type A struct {
	X int
	B
}
type B struct {
	Y string
	*C
}
type C struct{ Z []int }

func (c *C) Len() int { return len(c.Z) }

type Lener interface{ Len() int }

type Fn func() Fn

type E1 struct{ error }

type Opt func(*cfg)
type cfg struct{ a, b int }

func WithA(a int) Opt { return func(c *cfg) { c.a = a } }
func New(opts ...Opt) *cfg {
	c := &cfg{b: 9}
	for _, o := range opts {
		o(c)
	}
	return c
}

type Visitor interface{ Visit(n any) Visitor }
type vis struct{ depth int }

func (v vis) Visit(n any) Visitor { fmt.Print(v.depth, n, " "); return vis{v.depth + 1} }

type Set[T comparable] map[T]struct{}

func (s Set[T]) Add(v T)                            { s[v] = struct{}{} }
func (s Set[T]) Has(v T) bool                       { _, ok := s[v]; return ok }
func Keys[M ~map[K]V, K comparable, V any](m M) int { return len(m) }

type Pair[A, B any] struct {
	First  A
	Second B
}

func MkPair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

type Num interface {
	~int | ~int64 | ~float64
}

func Reduce[T, R any](xs []T, init R, f func(R, T) R) R {
	for _, x := range xs {
		init = f(init, x)
	}
	return init
}

type Stringish interface{ ~string }

func Join[S Stringish](xs []S) (out string) {
	for _, x := range xs {
		out += string(x)
	}
	return
}

type ID string

func deferOrder() (s string) {
	for i := range 3 {
		defer func() { s += strconv.Itoa(i) }()
	}
	return "r"
}

func nestedPanic() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("outer %v", r)
		}
	}()
	func() {
		defer func() {
			r := recover()
			panic(fmt.Sprint("again ", r))
		}()
		panic("first")
	}()
	return nil
}

func gotoLoop() int {
	i := 0
loop:
	if i < 5 {
		i++
		goto loop
	}
	return i
}

func sw(x any) string {
	switch v := x.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("int %v", v)
	case []int:
		return fmt.Sprint("slice ", len(v))
	case error:
		return "err " + v.Error()
	case func() int:
		return fmt.Sprint("func ", v())
	case map[string]int:
		return fmt.Sprint("map ", v["a"])
	case *int:
		return fmt.Sprint("ptr ", *v)
	case fmt.Stringer:
		return "stringer " + v.String()
	default:
		return fmt.Sprintf("%T", v)
	}
}

var (
	x1 = y1 * 2
	y1 = f1()
)

func f1() int { return 21 }

func init() { x1++ }

func fibm() func(int) int {
	memo := map[int]int{}
	var fib func(int) int
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		if v, ok := memo[n]; ok {
			return v
		}
		memo[n] = fib(n-1) + fib(n-2)
		return memo[n]
	}
	return fib
}

func gen(n int) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			c <- i * i
		}
	}()
	return c
}

type inner struct{ v int }
type outer struct {
	inner
	arr [3]inner
	m   map[string]inner
}

func main() {
	a := A{1, B{"y", &C{[]int{1, 2}}}}
	fmt.Println(a.X, a.Y, a.Z, a.Len())
	var l Lener = a
	var l2 Lener = &a
	fmt.Println(l.Len(), l2.Len())
	fmt.Printf("%+v\n", a.B.Y)
	var fn Fn
	n := 0
	fn = func() Fn { n++; return fn }
	fn()()()
	fmt.Println(n)
	e := E1{errors.New("in")}
	fmt.Println(e, e.Error())
	fmt.Println(*New(WithA(3)), *New())
	var v Visitor = vis{}
	v.Visit("a").Visit("b").Visit(3)
	fmt.Println()
	s := Set[string]{}
	s.Add("q")
	fmt.Println(s.Has("q"), s.Has("z"), Keys(s), s)
	p := MkPair("k", 2.5)
	fmt.Printf("%v %+v %T\n", p, p, p)
	fmt.Println(Reduce([]int{1, 2, 3}, "", func(a string, i int) string { return a + strconv.Itoa(i) }))
	fmt.Println(Join([]ID{"a", "b"}))
	fmt.Println(deferOrder(), nestedPanic(), gotoLoop())
	i := 5
	for _, x := range []any{nil, 3, int64(4), []int{1}, errors.New("e"), func() int { return 7 }, map[string]int{"a": 2}, &i, time.Second, 2.5, struct{}{}} {
		fmt.Print(sw(x), "; ")
	}
	fmt.Println()
	fmt.Println(x1, y1, fibm()(50))
	sum := 0
	for v := range gen(10) {
		sum += v
	}
	fmt.Println(sum)
	o := outer{inner: inner{1}, m: map[string]inner{"a": {2}}}
	o.arr[1].v = 5
	o2 := o
	o2.arr[1].v = 6
	o2.v = 7
	fmt.Println(o.arr, o.v, o2.arr, o2.v, o.m["a"].v)
	var u8 uint8 = 250
	u8 += 10
	var i8 int8 = 127
	i8++
	fmt.Println(u8, i8, -7/2, -7%3, 7&^5, 1<<3|1, ^5, uint32(1)<<31)
	var x uint = 3
	fmt.Println(x-4 > 0, int32(math32(2.9)), 0x1p-2, 1e3, 'a', "\u00e9", len("é"), utf8.RuneCountInString("héllo"))
	str := "héllo, 世界"
	for i, r := range str {
		fmt.Print(i, ":", string(r), " ")
	}
	fmt.Println(str[1:3], []byte(str)[:3], []rune(str)[1])
	sl := make([]int, 3, 10)
	s2 := append(sl, 1)
	s3 := append(sl, 2)
	fmt.Println(s2[3], s3[3], len(sl), cap(sl[1:2:5]))
	copy(sl, []int{9, 8})
	fmt.Println(sl, copy(sl[1:], sl))
	mat := make([][]float64, 2)
	for i := range mat {
		mat[i] = make([]float64, 2)
		for j := range mat[i] {
			mat[i][j] = float64(i*2 + j)
		}
	}
	fmt.Println(mat)
	m := map[string][]int{}
	m["a"] = append(m["a"], 1, 2)
	m["b"] = nil
	delete(m, "zz")
	fmt.Println(m, len(m))
	cm := map[struct{ a, b int }]string{{1, 2}: "x"}
	fmt.Println(cm[struct{ a, b int }{1, 2}])
	pp := &i
	ppp := &pp
	**ppp = 8
	fmt.Println(i, *pp == **ppp)
	type local struct {
		A int
		b string
	}
	ls := []local{{1, "x"}, {A: 2}}
	fmt.Printf("%v %+v %T\n", ls, ls, ls[0])
	func() {
		defer fmt.Println("deferred")
		defer func() { fmt.Println("rec:", recover()) }()
		var mm map[string]int
		mm["a"] = 1
	}()
	for _, f := range []func(){
		func() { var p *outer; _ = p.arr },
		func() { _ = []int{}[i] },
		func() { var e error; _ = e.Error() },
		func() { var x any = "s"; _ = x.(int) },
		func() { var x any = 3; _ = x.(fmt.Stringer) },
		func() { z := 0; _ = 1 / z },
		func() { c := make(chan int); close(c); close(c) },
		func() { panic(fmt.Errorf("wrapped %w", os.ErrNotExist)) },
		func() { _ = make([]int, i-20) },
		func() { x := []int{1, 2}; _ = x[1:i] },
		func() { a := []int{1}; _ = [2]int(a) },
		func() { var f func(); f() },
		func() { var a, b any = []int{1}, []int{1}; _ = a == b },
		func() { m := map[any]int{}; m[[]int{1}] = 2 },
	} {
		func() {
			defer func() {
				r := recover()
				_, isRT := r.(interface{ RuntimeError() })
				fmt.Println(r, isRT)
			}()
			f()
		}()
	}
	fmt.Println(reflect.TypeOf(a).NumField(), reflect.TypeOf(a).Field(0).Name, reflect.DeepEqual(o, o2), reflect.ValueOf(s).Kind())
	var sb strings.Builder
	for i := 3; i >= 1; i-- {
		fmt.Fprintf(&sb, "%d...", i)
	}
	sb.WriteString("go")
	fmt.Println(sb.String())
	var arr [5]int
	for i := range arr {
		arr[i] = i * i
	}
	ap := &arr
	for i, v := range ap {
		ap[4-i] = v
	}
	fmt.Println(arr, len(ap), ap[1:3])
	c1, c2 := complex(1, 2), 3+4i
	fmt.Println(c1*c2, real(c1), imag(c2), c1 == c2)
	const big = 1 << 100
	fmt.Println(big>>98, float64(big))
outer:
	for i := range 3 {
		for j := range 3 {
			if j == 2 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			fmt.Print(i, j, " ")
		}
	}
	fmt.Println()
	switch x := 5; {
	case x > 3:
		fmt.Println("big")
		fallthrough
	case x > 10:
		fmt.Println("fell")
	default:
		fmt.Println("no")
	}
	var iface interface{ Len() int }
	fmt.Println(iface == nil, l == iface)
	ch := make(chan int, 1)
	select {
	case ch <- 1:
		fmt.Println("sent")
	default:
		fmt.Println("full")
	}
	select {
	case v, ok := <-ch:
		fmt.Println(v, ok)
	default:
	}
	_, okk := any(a).(Lener)
	fmt.Println(okk, any(a.B) != nil)
	fmt.Println(time.Duration(1500)*time.Millisecond, min(3, 1, 2), max(2.5, 1))
	type rec struct{ self *rec }
	r := &rec{}
	r.self = r
	fmt.Println(r.self.self == r)
	fs := map[string]func(...int) int{"sum": func(xs ...int) (t int) {
		for _, x := range xs {
			t += x
		}
		return
	}}
	fmt.Println(fs["sum"](1, 2, 3), fs["sum"]([]int{4, 5}...))
	fmt.Printf("%v %d %s %q %x %08.3f %+d %t %c %U %e %g %p\n", []string{"a"}, []int{1}, "s", "q", "hex", 3.14159, 5, true, 'x', 'é', 12345.678, 1e21, nil)
	fmt.Printf("%#v %#v %#v\n", o.inner, ls[0], Set[int]{1: {}})
}

func math32(f float32) float32 { return f * 1.5 }
