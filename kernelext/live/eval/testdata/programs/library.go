package main

import (
	"bytes"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"text/template"
	"time"
)

type Shape interface {
	Area() float64
	Perimeter() float64
}
type Rect struct{ W, H float64 }
type Circle struct{ R float64 }

func (r Rect) Area() float64         { return r.W * r.H }
func (r Rect) Perimeter() float64    { return 2 * (r.W + r.H) }
func (c *Circle) Area() float64      { return math.Pi * c.R * c.R }
func (c *Circle) Perimeter() float64 { return 2 * math.Pi * c.R }

type Weekday int

const (
	Sunday Weekday = iota
	Monday
	Tuesday
)

func (d Weekday) String() string { return [...]string{"Sun", "Mon", "Tue"}[d] }

type Animal interface{ Sound() string }
type Base struct{ Name string }

func (b *Base) SetName(n string) { b.Name = n }
func (b Base) Hello() string     { return "hi " + b.Name }

type Dog struct {
	*Base
	Age int `json:"age"`
}

func (d Dog) Sound() string { return d.Name + " woof" }

type PQ []*Item
type Item struct {
	v string
	p int
}

func (q PQ) Len() int           { return len(q) }
func (q PQ) Less(i, j int) bool { return q[i].p > q[j].p }
func (q PQ) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *PQ) Push(x any)        { *q = append(*q, x.(*Item)) }
func (q *PQ) Pop() any {
	old := *q
	n := len(old)
	it := old[n-1]
	*q = old[:n-1]
	return it
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }
func (s *Stack[T]) Pop() (T, bool) {
	var zero T
	if len(s.items) == 0 {
		return zero, false
	}
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}

type Number interface{ ~int | ~float64 }

func SumMap[K comparable, V Number](m map[K]V) V {
	var s V
	for _, v := range m {
		s += v
	}
	return s
}
func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

type List[T any] struct {
	head *node[T]
	n    int
}
type node[T any] struct {
	v    T
	next *node[T]
}

func (l *List[T]) Add(v T) { l.head = &node[T]{v, l.head}; l.n++ }
func (l *List[T]) All() func(yield func(int, T) bool) {
	return func(yield func(int, T) bool) {
		i := 0
		for n := l.head; n != nil; n = n.next {
			if !yield(i, n.v) {
				return
			}
			i++
		}
	}
}

type MyErr struct{ Code int }

func (e MyErr) Error() string   { return fmt.Sprintf("code %d", e.Code) }
func (e MyErr) Is(t error) bool { return t == ErrBase }

var ErrBase = errors.New("base")

func mayFail(n int) (res int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	if n == 0 {
		return 0, MyErr{7}
	}
	arr := []int{1, 2, 3}
	return arr[n], nil
}

type Matrix [2][2]float64

func (m Matrix) Mul(o Matrix) (r Matrix) {
	for i := range 2 {
		for j := range 2 {
			for k := range 2 {
				r[i][j] += m[i][k] * o[k][j]
			}
		}
	}
	return
}

type Temp float64
type Celsius = Temp

func (t Temp) MarshalJSON() ([]byte, error) { return []byte(fmt.Sprintf(`"%.1fC"`, float64(t))), nil }
func (t *Temp) UnmarshalJSON(b []byte) error {
	_, err := fmt.Sscanf(string(b), `"%fC"`, (*float64)(t))
	return err
}

type Config struct {
	Name  string            `json:"name"`
	T     Temp              `json:"t"`
	Tags  map[string]string `json:"tags,omitempty"`
	inner int
	Sub   struct {
		A []int
		B *float64
	}
}

type Op func(float64, float64) float64

func (o Op) Apply(a, b float64) float64 { return o(a, b) }

type Tree struct {
	L, R *Tree
	V    int
}

func (t *Tree) Insert(v int) *Tree {
	if t == nil {
		return &Tree{V: v}
	}
	if v < t.V {
		t.L = t.L.Insert(v)
	} else {
		t.R = t.R.Insert(v)
	}
	return t
}
func (t *Tree) Walk(f func(int)) {
	if t != nil {
		t.L.Walk(f)
		f(t.V)
		t.R.Walk(f)
	}
}

type state struct {
	sync.Mutex
	m map[string]int
}

type writer struct{ n int }

func (w *writer) Write(p []byte) (int, error) { w.n += len(p); return len(p), nil }

type byAge []struct {
	n string
	a int
}

func divmod(a, b int) (q, r int) { q = a / b; r = a % b; return }

func variadic(pre string, xs ...interface{}) string {
	return fmt.Sprint(append([]interface{}{pre}, xs...)...)
}

type Celled interface {
	fmt.Stringer
	error
}
type both struct{}

func (both) String() string { return "S" }
func (both) Error() string  { return "E" }

type grid map[[2]int]rune

func main() {
	shapes := []Shape{Rect{3, 4}, &Circle{1}}
	for i, s := range shapes {
		fmt.Printf("%d %T %.3f %.3f\n", i, s, s.Area(), s.Perimeter())
	}
	fmt.Println(Monday, []Weekday{0, 2}, map[Weekday]int{Monday: 1}, fmt.Sprintf("%d|%v|%+v|%q|%x", Tuesday, Tuesday, struct{ D Weekday }{1}, Monday, Monday))
	d := Dog{&Base{"rex"}, 3}
	d.SetName("max")
	var a Animal = d
	fmt.Println(a.Sound(), d.Hello(), d.Name)
	f := d.Hello
	d.SetName("zed")
	fmt.Println(f(), Dog.Sound(d), (*Base).SetName != nil)
	q := &PQ{}
	heap.Init(q)
	for i, w := range strings.Fields("a b c d e") {
		heap.Push(q, &Item{w, (i * 7) % 5})
	}
	for q.Len() > 0 {
		it := heap.Pop(q).(*Item)
		fmt.Print(it.v, it.p, " ")
	}
	fmt.Println()
	var st Stack[string]
	st.Push("x")
	st.Push("y")
	v, ok := st.Pop()
	fmt.Println(v, ok, len(st.items))
	fmt.Println(SumMap(map[string]float64{"a": 1.5, "b": 2}), SumMap(map[int]int{1: 2, 3: 4}))
	fmt.Println(Map([]int{1, 2, 3}, func(i int) string { return strings.Repeat("*", i) }))
	var l List[float64]
	l.Add(1.5)
	l.Add(2.5)
	l.Add(3.5)
	for i, v := range l.All() {
		if i == 2 {
			break
		}
		fmt.Print(i, v, ";")
	}
	fmt.Printf("%T %v\n", l, l.n)
	for _, n := range []int{0, 1, 5} {
		r, err := mayFail(n)
		var me MyErr
		fmt.Println(r, err, errors.Is(err, ErrBase), errors.As(err, &me), me.Code)
	}
	m := Matrix{{1, 2}, {3, 4}}
	fmt.Println(m.Mul(m), m == Matrix{{1, 2}, {3, 4}}, m)
	c := Config{Name: "n", T: 21.5, Tags: map[string]string{"z": "1", "a": "2"}}
	c.Sub.A = []int{1}
	b, err := json.Marshal(c)
	fmt.Println(string(b), err)
	var back Config
	err = json.Unmarshal([]byte(`{"name":"q","t":"3.5C","Sub":{"A":[4,5],"B":2.5}}`), &back)
	fmt.Printf("%+v %v %v\n", back.T, *back.Sub.B, err)
	fmt.Println(Op(math.Pow).Apply(2, 10), Op(func(a, b float64) float64 { return a - b }).Apply(1, 2))
	var root *Tree
	for _, v := range []int{5, 2, 8, 1, 9, 3} {
		root = root.Insert(v)
	}
	var out []int
	root.Walk(func(v int) { out = append(out, v) })
	fmt.Println(out)
	s := state{m: map[string]int{}}
	var wg sync.WaitGroup
	var cnt atomic.Int64
	for i := range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.Lock()
			defer s.Unlock()
			s.m[fmt.Sprint(i%5)]++
			cnt.Add(int64(i))
		}()
	}
	wg.Wait()
	fmt.Println(s.m, cnt.Load())
	w := &writer{}
	fmt.Fprintf(w, "hello %d", 42)
	fmt.Println(w.n)
	people := byAge{{"a", 30}, {"b", 25}, {"c", 35}}
	sort.Slice(people, func(i, j int) bool { return people[i].a < people[j].a })
	fmt.Println(people)
	fmt.Println(divmod(-7, 3))
	fmt.Println(variadic("p", 1, "x", nil, 2.5), variadic("q"), variadic("r", []interface{}{1, 2}...))
	var bb Celled = both{}
	fmt.Println(bb, bb.String(), bb.Error())
	fmt.Printf("%v %s\n", bb, bb)
	g := grid{{0, 1}: 'x', {2, 3}: 'y'}
	fmt.Println(len(g), string(g[[2]int{2, 3}]), g[[2]int{9, 9}])
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 1, ' ', 0)
	fmt.Fprintln(tw, "a\tb\tc")
	fmt.Fprintln(tw, "aaa\tbbbb\tc")
	tw.Flush()
	tp := template.Must(template.New("t").Parse("{{range .}}{{.N}}={{.Double}} {{end}}\n"))
	tp.Execute(os.Stdout, []TV{{1}, {2}})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	select {
	case <-ctx.Done():
		fmt.Println(ctx.Err())
	case <-time.After(time.Second):
		fmt.Println("late")
	}
	keys := slices.Sorted(maps.Keys(map[string]int{"z": 1, "b": 2}))
	idx, found := slices.BinarySearch(keys, "z")
	fmt.Println(keys, idx, found, slices.Max(keys), slices.Index(keys, "b"))
}

type TV struct{ N int }

func (t TV) Double() int { return 2 * t.N }

var _ = bytes.NewReader
