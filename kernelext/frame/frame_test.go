package frame_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/kernelext/frame"
)

type kind string

type base struct{ Seed uint64 }

type run struct {
	base
	Kind   kind
	Reward float64
	Steps  *int
	When   time.Time
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// text is the frame's rows, a line each, without the line that counts them.
func text(f *frame.Frame) string {
	var b strings.Builder
	b.WriteString(strings.Join(f.Names(), "|"))
	for i := range f.Len() {
		b.WriteString("\n")
		for c, n := range f.Names() {
			if c > 0 {
				b.WriteString("|")
			}
			b.WriteString(f.Row(i).Text(n))
		}
	}
	return b.String()
}

func TestOf(t *testing.T) {
	two := 2
	for _, c := range []struct {
		name string
		rows any
		want string
	}{
		{"structs", []struct {
			A int
			B string
			c bool
		}{{1, "x", true}, {2, "y", false}}, "A|B\n1|x\n2|y"},
		{"embedded", []run{{base: base{7}, Kind: "k", Reward: 1.5}},
			"Seed|Kind|Reward|Steps|When\n7|k|1.5|<nil>|0001-01-01 00:00:00 +0000 UTC"},
		{"pointers", []*struct{ A int }{{1}, nil, {3}}, "A\n1\n\n3"},
		{"maps", []map[string]int{{"b": 1, "a": 2}, {"c": 3}}, "a|b|c\n2|1|\n||3"},
		{"map", map[int]string{10: "x", 9: "y"}, "key|value\n9|y\n10|x"},
		{"map of structs", map[string]struct{ A, B int }{"q": {1, 2}, "p": {3, 4}}, "key|A|B\np|3|4\nq|1|2"},
		{"map of structs with a key", map[string]struct{ key, Value int }{"q": {1, 2}}, "key|Value\nq|2"},
		{"values", [3]float64{1, 2.5, math.Inf(1)}, "value\n1\n2.5\n+Inf"},
		{"times", []time.Time{time.Unix(0, 0).UTC()}, "value\n1970-01-01 00:00:00 +0000 UTC"},
		{"a pointer inside", []struct{ P *int }{{&two}, {}}, "P\n" + fmt.Sprint(&two) + "\n<nil>"},
		{"none", []struct{ A int }{}, "A"},
	} {
		f, err := frame.Of(c.rows)
		if err != nil || text(f) != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, text(f))
		}
	}
	if _, err := frame.Of(3); err == nil || err.Error() != "frame: int is neither a slice nor a map" {
		t.Error(err)
	}
}

// What a frame is made of comes back.
func TestInto(t *testing.T) {
	rows := []struct {
		A int8
		B string
		C float64
	}{{1, "x", 1.5}, {-2, "y", 3}}
	back := slices.Clone(rows)
	clear(back)
	if err := must(frame.Of(rows)).Into(&back); err != nil || !reflect.DeepEqual(rows, back) {
		t.Error(err, back)
	}
	var wide []struct {
		A int64
		B kind
		C float32
	}
	if err := must(frame.Of(rows)).Into(&wide); err != nil || wide[1].A != -2 || wide[1].B != "y" || wide[0].C != 1.5 {
		t.Error(err, wide)
	}
	f := must(frame.Of([]struct{ A float64 }{{1}, {1.5}}))
	for want, into := range map[string]any{
		"does not fit field A int": &[]struct{ A int }{}, "has no field A": &[]struct{}{}, "no column \"B\"": &[]struct {
			A,
			B float64
		}{},
		"is no pointer to a slice": []int{},
	} {
		if err := f.Into(into); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestCSV(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	for _, c := range []struct{ in, types, err string }{
		{"a,b,c,d,e\n1,2.5,x,true,\n,3,,false,\n-7,NaN,\"y,z\",true,\n", "int float64 string bool string", ""},
		{"a\n1\nx\n", "string", ""},
		{"a,b\n", "string string", ""},
		{"", "", "no line that names the columns"},
		{"a,a\n1,2\n", "", `two columns "a"`},
		{"a,b\n1\n", "", "wrong number of fields"},
	} {
		if err := os.WriteFile(name, []byte(c.in), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := frame.ReadCSV(name)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), name) {
				t.Errorf("%q: %v", c.in, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var types []string
		for _, n := range f.Names() {
			kind := "string"
			for _, v := range must(f.Values(n)) {
				if v != nil {
					kind = fmt.Sprintf("%T", v)
				}
			}
			types = append(types, kind)
		}
		if got := strings.Join(types, " "); got != c.types {
			t.Errorf("%q: %s, want %s", c.in, got, c.types)
		}
		if err := f.WriteCSV(name); err != nil {
			t.Fatal(err)
		}
		if again := must(frame.ReadCSV(name)); text(again) != text(f) {
			t.Errorf("%q: written and read:\n%s", c.in, text(again))
		}
	}
	if _, err := frame.ReadCSV(name + "no"); err == nil {
		t.Error("a file that is not there is no error")
	}
}

func sample(n int) *frame.Frame {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]map[string]any, n)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "k": string(rune('a' + rng.IntN(4))), "n": rng.IntN(3),
			"x": math.Round(rng.NormFloat64()*8) / 8}
		if rng.IntN(6) == 0 {
			delete(rows[i], "x")
		}
	}
	return must(frame.Of(rows))
}

func TestSort(t *testing.T) {
	f := must(sample(200).Sort("k", "-x"))
	for i := 1; i < f.Len(); i++ {
		a, b := f.Row(i-1), f.Row(i)
		x, y := a.Float("x"), b.Float("x")
		switch {
		case a.Text("k") < b.Text("k"):
		case a.Text("k") > b.Text("k"):
			t.Fatal("k", i)
		case x > y, math.IsNaN(y) && !math.IsNaN(x):
		case x == y || math.IsNaN(x) && math.IsNaN(y):
			if a.Float("id") >= b.Float("id") {
				t.Fatal("equal rows change places", i)
			}
		default:
			t.Fatal("x", i, x, y)
		}
	}
	for want, by := range map[string]string{`no column "q"; there are id, k, n, x`: "q",
		`row 2: string among values of type int`: "m", "have no order": "o"} {
		f := sample(2).With("m", func(r frame.Row) any {
			if r.Float("id") == 1 {
				return "s"
			}
			return 1
		}).With("o", func(frame.Row) any { return []int{1} })
		if by == "q" {
			f = sample(2)
		}
		if _, err := f.Sort(by); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", by, err)
		}
	}
}

// Aggregates are those of the rows that Where finds.
func TestGroup(t *testing.T) {
	f := sample(300)
	g := must(f.Group([]string{"k", "n"}, "count", "sum x", "mean x", "std x", "min x", "median x", "max x", "first id",
		"last id", "distinct x"))
	total := 0
	for i := range g.Len() {
		r := g.Row(i)
		part := f.Where(func(o frame.Row) bool { return o.Text("k") == r.Text("k") && o.Value("n") == r.Value("n") })
		var x []float64
		for _, v := range must(part.Floats("x")) {
			if !math.IsNaN(v) {
				x = append(x, v)
			}
		}
		slices.Sort(x)
		ids := must(part.Floats("id"))
		mid := (x[(len(x)-1)/2] + x[len(x)/2]) / 2
		for name, want := range map[string]float64{"count": float64(part.Len()), "mean x": stat.Mean(x, nil),
			"std x": stat.StdDev(x, nil), "min x": x[0],
			"max x": x[len(x)-1], "median x": mid, "first id": ids[0], "last id": ids[len(ids)-1],
			"sum x":      stat.Mean(x, nil) * float64(len(x)),
			"distinct x": float64(len(slices.Compact(slices.Clone(x))))} {
			if got := r.Float(name); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s of group %d: %v, want %v", name, i, got, want)
			}
		}
		total += part.Len()
	}
	if total != f.Len() {
		t.Errorf("%d rows in groups of %d", total, f.Len())
	}
	if one := must(f.Group(nil, "count", "max id")); text(one) != "count|max id\n300|299" {
		t.Error(text(one))
	}
	for want, a := range map[string]string{`"middle x" is no aggregate`: "middle x", `no column ""`: "sum",
		"is no number": "mean k", `no column "z"`: "max z"} {
		if _, err := f.Group([]string{"n"}, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", a, err)
		}
	}
}

// A join has every pair of rows with equal keys, in the order of the left side.
func TestJoin(t *testing.T) {
	f, g := sample(40), must(frame.Of([]map[string]any{{"k": "a", "n": 0, "x": 1}, {"k": "a", "n": 1, "x": 2},
		{"k": "a", "n": 0, "x": 3},
		{"k": "b", "n": 2, "x": 4}, {"k": "b", "n": int8(2), "x": 5}, {"k": "z", "n": 0, "x": 6}}))
	var inner, left []string
	for i := range f.Len() {
		a, some := f.Row(i), false
		for j := range g.Len() {
			if b := g.Row(j); a.Value("k") == b.Value("k") && a.Value("n") == b.Value("n") {
				some = true
				inner = append(inner, fmt.Sprint(a.Text("id"), " ", b.Text("x")))
				left = append(left, fmt.Sprint(a.Text("id"), " ", b.Text("x")))
			}
		}
		if !some {
			left = append(left, a.Text("id")+" ")
		}
	}
	for name, c := range map[string]struct {
		f    *frame.Frame
		want []string
	}{"inner": {must(f.Join(g, "k", "n")), inner}, "left": {must(f.LeftJoin(g, "k", "n")), left}} {
		var got []string
		for i := range c.f.Len() {
			got = append(got, c.f.Row(i).Text("id")+" "+c.f.Row(i).Text("x (2)"))
		}
		if !slices.Equal(got, c.want) || len(inner) == 0 || len(left) == len(inner) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, err := f.Join(g); err == nil {
		t.Error("a join on nothing")
	}
}

func TestDescribe(t *testing.T) {
	f := must(frame.Of([]map[string]any{{"x": 1.0, "s": "a"}, {"x": 3.0, "s": "a"}, {"x": 2.0},
		{"x": math.NaN(), "s": 3}}))
	want := "column|type|count|distinct|mean|std|min|25%|50%|75%|max\ns|any|3|2|||||||\nx|float64|3|3|2|1|1|1.5|2|2.5|3"
	if got := text(f.Describe()); got != want {
		t.Errorf("%s", got)
	}
	if got := text(must(frame.Of([]struct{ A int }{})).Describe()); !strings.HasSuffix(got, "\nA||0|0|||||||") {
		t.Error(got)
	}
}

func TestPlot(t *testing.T) {
	f := sample(30)
	for _, c := range []struct {
		x  string
		y  []string
		ok bool
	}{{"id", []string{"x", "n"}, true}, {"k", []string{"x"}, true}, {"id", nil, false}, {"id", []string{"k"}, false},
		{"q", []string{"x"}, false}} {
		p, err := f.Plot(c.x, c.y...)
		if (err == nil) != c.ok {
			t.Errorf("%v: %v", c, err)
		}
		if err == nil && p.X.Label.Text != c.x {
			t.Error(p.X.Label.Text)
		}
	}
}

func TestRest(t *testing.T) {
	f := sample(50)
	if s := f.String(); !strings.HasPrefix(s, "50 rows\n") || !strings.Contains(s, "…") || strings.Count(s, "\n") != 27 {
		t.Error(s)
	}
	if s := f.Head(2).String(); strings.Count(s, "\n") != 3 || f.Head(-1).Len() != 0 || f.Head(99).Len() != 50 {
		t.Error(s)
	}
	g := f.With("x", func(frame.Row) any { return 1 })
	if len(g.Names()) != 4 || g.Row(3).Float("x") != 1 || must(f.Floats("x"))[3] == 1 {
		t.Error("With changes what it is called on")
	}
	for _, call := range []func(){func() { f.Row(50) }, func() { f.Row(0).Value("q") }, func() { f.Row(0).Float("k") }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		}()
	}
}
