package live_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/kernelext"
)

func variables(list []kernelext.Variable) string {
	var lines []string
	for _, v := range list {
		lines = append(lines, fmt.Sprintf("%s|%s|%s|%d|%v", v.Name, v.Type, v.Value, v.Size, v.Ref > 0))
	}
	return strings.Join(lines, "\n")
}

// Variables are listed with types, sizes and values, and their parts on request.
func TestVariables(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "type P struct { X int; tag string }\nx := 3\nl := []P{{1, `a`}, {2, `b`}}\nm := "+
		"map[string]*P{`k`: &l[1]}\nvar e error\n"+
		"f := func(int) string { return `` }\nbig := make([]float64, 1e6)\nc := []any{nil}\nc[0] = c\nvar i any = P{7, "+
		"`i`}\ns := `two\nlines`\nconst no = 1"); err != nil {
		t.Fatal(err)
	}
	all := s.Variables(0)
	want := "big|[]float64|1000000 elements|1000000|true\nc|[]interface {}|holds " +
		"itself|1|true\ne|error|<nil>|-1|false\nf|func(int) string|func(int) string|-1|false\n" +
		"i|interface {}|{X:7 tag:i}|-1|true\nl|[]P|[{X:1 tag:a} {X:2 tag:b}]|2|true\nm|map[string]*P|map[k:"
	if got := variables(all); !strings.HasPrefix(got, want) ||
		!strings.HasSuffix(got, "s|string|\"two\\nlines\"|9|false\nx|int|3|-1|false") {
		t.Errorf("%s", got)
	}
	ref := map[string]int{}
	for _, v := range all {
		ref[v.Name] = v.Ref
	}
	if got := variables(s.Variables(ref["i"])); got != "X|int|7|-1|false\ntag|string|\"i\"|1|false" {
		t.Error(got)
	}
	parts := s.Variables(ref["l"])
	if got := variables(parts); got != "[0]|P|{X:1 tag:a}|-1|true\n[1]|P|{X:2 tag:b}|-1|true" {
		t.Error(got)
	}
	if got := variables(s.Variables(parts[1].Ref)); got != "X|int|2|-1|false\ntag|string|\"b\"|1|false" {
		t.Error(got)
	}
	if got := s.Variables(s.Variables(ref["m"])[0].Ref); variables(got) != "X|int|2|-1|false\ntag|string|\"b\"|1|false" {
		t.Error(variables(got))
	}
	if n := len(s.Variables(ref["big"])); n != 200 {
		t.Error(n)
	}
	if s.Variables(-1) != nil || s.Variables(9999) != nil {
		t.Error("parts of nothing")
	}
	before := variables(s.Variables(0))
	ctx, cancel := context.WithCancel(t.Context())
	out, done := &screen{}, make(chan error)
	go func() { done <- s.Eval(ctx, "fmt.Print(1)\nfor { x++ }", out) }()
	for out.take() == "" {
		time.Sleep(time.Millisecond)
	}
	if got := variables(s.Variables(0)); got != before {
		t.Errorf("while a cell runs: %s", got)
	}
	cancel()
	<-done
}

// Candidates say what they are.
func TestCandidates(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "type P struct { Alpha int }\nfunc (p *P) Along(n int) string { return `` }\nval := "+
		"P{}\nconst Albert = 1\nfunc Algo[T any](x T) T { return x }"); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"val.Al":                          "Along method func(int) string, Alpha field int",
		"Alb":                             "Albert constant untyped int",
		"Alg":                             "Algo function func[T any](x T) T",
		"math.Sqrt2":                      "Sqrt2 constant untyped float",
		"va":                              "val variable P, var keyword ",
		"strconv":                         "strconv package ",
		"[]P{{}}[0].Al":                   "Along method func(n int) string, Alpha field int",
		"map[string]P{}[`a b`].Alo":       "Along method func(n int) string",
		"must(Toy(1)).NumVertices":        "NumVertices method func() int",
		"u := []P{{}}\nw := &u[0]\nw.Alp": "Alpha field int",
		"u := 1 +\nval.Alp":               "Alpha field int",
		"q := 5\nstrings.NewReader(fmt.Sprint(q)).Siz": "Size method func() int64",
		"Toy": "Toy function func(uint64) (*ddps.LayeredGraph, error)",
	} {
		list, _ := s.Complete(code, len(code))
		var got []string
		for _, c := range list {
			got = append(got, c.Name+" "+c.Kind+" "+c.Type)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
