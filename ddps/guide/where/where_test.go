package where

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// world is the example graph with places, and a name that several layers share: A | B C Dock 4 | E Dock 4 G | H I J.
func world(t testing.TB) (g *ddps.LayeredGraph, totals map[string][]float64) {
	g, err := ddps.Example().WithMeta(ddps.Meta{Names: []string{"A", "B", "C", "Dock 4", "E", "Dock 4", "G", "H", "I",
		"J"},
		Place: []int{0, 1, 2, 3, 1, 3, 2, 0, 1, 2}, ID: []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}})
	if err != nil {
		t.Fatal(err)
	}
	totals = map[string][]float64{"reward": make([]float64, g.NumEdges()), "cost": make([]float64, g.NumEdges()),
		"toll": nil}
	for e := range g.NumEdges() {
		totals["reward"][e], totals["cost"][e] = float64(e%3), float64(e)
	}
	return g, totals
}

// Every form: its canonical text, and which paths of the world meet it.
func TestConditions(t *testing.T) {
	g, totals := world(t)
	total := func(name string, p ddps.Path) float64 { return g.Total(totals[name], p) }
	best := g.Best(totals["reward"])
	visits := func(p ddps.Path, name string, layers ...int) bool {
		for l, v := range p {
			if g.Name(v) == name && (len(layers) == 0 || slices.Contains(layers, l+1)) {
				return true
			}
		}
		return false
	}
	for _, c := range []struct {
		text, canonical string
		met             func(p ddps.Path) bool
	}{
		{"max(reward)", "", func(p ddps.Path) bool { return total("reward", p) == best }},
		{" max ( cost )\n", "max(cost)", func(p ddps.Path) bool { return total("cost", p) == g.Best(totals["cost"]) }},
		{"reward >= 3", "", func(p ddps.Path) bool { return total("reward", p) >= 3 }},
		{"reward≥3.0", "reward >= 3", func(p ddps.Path) bool { return total("reward", p) >= 3 }},
		{"reward == 3", "reward = 3", func(p ddps.Path) bool { return total("reward", p) == 3 }},
		{"cost <= 14", "", func(p ddps.Path) bool { return total("cost", p) <= 14 }},
		{"reward >= −1e0 and cost<=1.6E+1", "reward >= -1 and cost <= 16", func(p ddps.Path) bool {
			return total("cost",
				p) <= 16
		}},
		{`visit("Dock 4")`, "", func(p ddps.Path) bool { return visits(p, "Dock 4") }},
		{`visit({"Dock 4"})`, `visit("Dock 4")`, func(p ddps.Path) bool { return visits(p, "Dock 4") }},
		{"visit(`Dock 4`, layer 3)", `visit("Dock 4", layer 3)`, func(p ddps.Path) bool { return visits(p, "Dock 4", 3) }},
		{`visit("A")`, "", func(p ddps.Path) bool { return true }},
		{`avoid("Dock 4") and visit({"B", "G"})`, "", func(p ddps.Path) bool {
			return !visits(p, "Dock 4") &&
				(visits(p, "B") || visits(p, "G"))
		}},
		{`avoid({"B", place 3}, layer 2)`, "", func(p ddps.Path) bool { return visits(p, "C") }},
		{`visit("Dock 4") then visit("Dock 4")`, "", func(p ddps.Path) bool { return p[1] == 3 && p[2] == 5 }},
		{`visit("A") then edge("B", "E") then visit(vertex 18)`, "", func(p ddps.Path) bool {
			return p[1] == 1 && p[2] == 4 &&
				p[3] == 8
		}},
		{`edge("C", place 2, layer 2)`, "", func(p ddps.Path) bool { return p[1] == 2 && p[2] == 6 }},
		{`avoid(edge("B", "E"))`, "", func(p ddps.Path) bool { return p[1] != 1 || p[2] != 4 }},
		{`avoid(edge("B","E"), layer 2)`, `avoid(edge("B", "E", layer 2))`, func(p ddps.Path) bool {
			return p[1] != 1 ||
				p[2] != 4
		}},
		{`end in {"H","J"}`, `end in {"H", "J"}`, func(p ddps.Path) bool { return p[3] != 8 }},
		{`end in place 0`, `end in {place 0}`, func(p ddps.Path) bool { return p[3] == 7 }},
		{"boltzmann(2)", "", nil}, {"boltzmann(-0.5, cost)", "", nil}, {"boltzmann(2, reward)", "boltzmann(2)", nil},
	} {
		x, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if c.canonical == "" {
			c.canonical = c.text
		}
		if x.String() != c.canonical {
			t.Errorf("%s: canonical %s, want %s", c.text, x, c.canonical)
		}
		cond, err := x.Condition(g, totals)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if cond.String() != c.canonical {
			t.Errorf("%s: the condition is called %v", c.text, cond)
		}
		for p := range g.Paths() {
			if w := cond.LogWeight(p); c.met != nil && (w == 0) != c.met(p) || w > 0 && c.met != nil {
				t.Errorf("%s: %v has weight %v", c.text, p, math.Exp(w))
			}
		}
	}
	x, _ := Parse("boltzmann(2) and cost <= 14 and max(reward)")
	if got := x.Totals(); !slices.Equal(got, []string{"cost", "reward"}) {
		t.Errorf("totals %v", got)
	}
	cond, _ := must(Parse("boltzmann(-0.5, cost)")).Condition(g, totals)
	for p := range g.Paths() {
		if want := -0.5 * total("cost", p); math.Abs(cond.LogWeight(p)-want) > 1e-9 {
			t.Errorf("boltzmann: %v, want %v", cond.LogWeight(p), want)
		}
	}
}

func must(x *Expr, err error) *Expr {
	if err != nil {
		panic(err)
	}
	return x
}

// Errors in words and names say what and where; the caret is under the character.
func TestErrors(t *testing.T) {
	g, totals := world(t)
	for _, c := range []struct{ text, caret, want string }{
		{``, `^`, "expected a condition (visit, "},
		{`visit("A" and`, `          ^`, "expected ), found and"},
		{`visit("A"`, `         ^`, "expected ), found the end"},
		{`visit "A"`, `      ^`, `expected (, found "A"`},
		{`visit("A) and`, `      ^`, "does not end"},
		{`visit("Döck 5") or x`, `                    ^`, `expected one of >=, <=, =, >, < after x, found the end`},
		{`visit("A", layer 0)`, `                 ^`, "expected the number of a layer, from 1, found 0"},
		{`visit("A", layer 1.5)`, `                 ^`, "found 1.5"},
		{`visit("A", 3)`, `           ^`, "write layer 3"},
		{`visit({"A", })`, `            ^`, `expected a "name", place N, vertex N or file("names.txt"), found }`},
		{`visit(place -1)`, `            ^`, "expected the number of a place, found -1"},
		{`reward 3`, `       ^`, "expected one of >=, <=, =, >, < after reward, found 3"},
		{`reward >= x`, `          ^`, "expected a number, found x"},
		{`reward >= 1e999`, `          ^`, `"1e999" is not a finite number`},
		{`reward >= 1-2`, `           ^`, "expected and, or, or the end, found -2"},
		{`max reward`, `    ^`, "expected (, found reward"},
		{`max(3)`, `    ^`, "expected a total like reward, found 3"},
		{`boltzmann(x)`, `          ^`, "expected a number β, found x"},
		{`end of x`, `    ^`, "expected in, found of"},
		{`and`, `^`, "expected a condition"},
		{`visit("A") then avoid("B")`, `                ^`, "expected visit, found avoid"},
		{`edge("A")`, `        ^`, "expected ,, found )"},
		{`visit("A") &`, `           ^`, `unexpected character "&": write and`},
		{"visit(\"\\z\")", `      ^`, "a \\ before a character that takes none"},
		// names
		{`visit("Dock 5")`, `      ^`, `no vertex on any path is called "Dock 5"; did you mean "Dock 4"?`},
		{`visit("zzzzzz")`, `      ^`, `is called "zzzzzz"`},
		{`cost <= 20 and visit("B", layer 3)`, `                     ^`, `layer 3 has no "B"`},
		{`visit("B", layer 5)`, `                 ^`, "there is no layer 5, only 1…4"},
		{`visit(place 9)`, `      ^`, "there is no place 9"},
		{`visit(vertex 3)`, `      ^`, "there is no vertex 3"},
		{`visit("A") then edge("B", "G")`, `                ^`, `no edge from "B" to "G"`},
		{`edge("A", "B", layer 9)`, `                     ^`, "there is no layer 9"},
		{`max(toll)`, `    ^`, "no toll is given"},
		{`speed >= 3`, `^`, "there is no total called speed (cost, reward, toll)"},
		{`boltzmann(3, speed)`, `             ^`, "no total called speed"},
	} {
		x, err := Parse(c.text)
		if err == nil {
			_, err = x.Condition(g, totals)
		}
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
			continue
		}
		if e.Caret() != c.text+"\n"+c.caret {
			t.Errorf("caret:\n%s\nwant\n%s\n%s", e.Caret(), c.text, c.caret)
		}
	}
}

// What no path meets, or what has no meaning, is told in the terms' own words.
func TestImpossible(t *testing.T) {
	g, totals := world(t)
	totals["odd"] = make([]float64, g.NumEdges())
	for e := range totals["odd"] {
		totals["odd"][e] = math.Sqrt(float64(e))
	}
	for text, want := range map[string]string{
		`reward >= 100`:    "where: reward >= 100: no path meets it",
		`odd = 0.5`:        "where: odd = 0.5: no path meets it",
		`boltzmann(1e308)`: "where: boltzmann(1e+308): β·reward of",
		`visit("B") and reward >= 0 and visit("C")`: `no path meets visit("B") and visit("C") together`,
		`avoid("A")`: `where: avoid("A"): no path meets it`,
	} {
		if _, err := must(Parse(text)).Condition(g, totals); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// Parse never panics; what it reads it reads again from its canonical text, as the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`max(reward)`, `gc <= 35 %`, `motif("TATAAT", 2) and avoid(motif("gAnTC")) and gc<=3`,
		`visit("A", layer 3) then edge("B", "C") and end in {"X", place 4}`, `cost <= 1e-3`, `avoid(edge("A", vertex 4))`,
		`boltzmann(−2, cost)`, "visit(\"\\u00e9\\x41\")", `reward==+.5`,
		`visit({"B", vertex 14}, layer 2..3) or not (visits("C") >= 2 and stay(place 1) < 0:10)`,
		`regex('A (B|[^C "Dock 4"]){1,2}.*')`, `motif("A.{1,2}[CG]|T+", at 1)`,
		`before("A", "B") and length 3..9 and start("A")`,
		`visit("A", 8:10..8:30:05) within 3 of edge("A", "B")`, `visit(file("x"))`, `visit(“A”)`, `visit("`, "\xff",
		`a and and`} {
		f.Add(s)
	}
	g, totals := world(f)
	f.Fuzz(func(t *testing.T, s string) {
		x, err := Parse(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.At < 0 || e.At > len(s) || strings.Count(e.Caret(), "\n") != 1 {
				t.Fatalf("error %v", err)
			}
			return
		}
		y, err := Parse(x.String())
		if err != nil || y.String() != x.String() {
			t.Fatalf("%q: canonical %q: %v, then %v", s, x, err, y)
		}
		if len(s) < 200 {
			x.Condition(g, totals) // must not panic
		}
	})
}

// A path that is on the way in the last layer has no last place: it ends nowhere, nor does it return. Patterns and
// lengths are of the places that it reaches.
func TestOnTheWay(t *testing.T) {
	g := meta(t, []int{1, 2, 4}, [][]int{{1, 2}, {3, 6}, {4, 5}, nil, nil, nil, nil}, ddps.Meta{
		Names: []string{"A", "A", "B", "A", "B", "B>A 1/2", "A>B 1/2"},
		Place: []int{0, 0, 1, 0, 1, 2, 3}, Attr: map[string]string{ddps.AttrTransit: "2"}})
	for _, c := range []struct{ text, met string }{
		{"returns", "A A A"}, {`end("A")`, "A A A"}, {`start("A") and end("A")`, "A A A"}, {`regex("A A")`, "A A A>B 1/2"},
		{`end({"A", "B"})`, "A A A, A B B"}, {`not end({"A", "B"})`, "A A A>B 1/2, A B B>A 1/2"},
		{`regex("A .* A") and end("A")`, "A A A"}, {"length = 3", "A A A, A B B"},
		{`not returns`, "A A A>B 1/2, A B B, A B B>A 1/2"}} {
		x, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		condition, err := x.Condition(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		var met []string
		for p := range g.Paths() {
			_, ok, err := condition.Product().Product.Edges(nil, p)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				met = append(met, g.Name(p[0])+" "+g.Name(p[1])+" "+g.Name(p[2]))
			}
		}
		if got := strings.Join(met, ", "); got != c.met {
			t.Errorf("%s: met by %s, expected %s", c.text, got, c.met)
		}
	}
}

// A place may be called source: it is not taken for the vertex before all starts.
func TestPlaceCalledSource(t *testing.T) {
	g := meta(t, []int{1, 2, 2}, [][]int{{1, 2}, {3, 4}, {4}, nil, nil}, ddps.Meta{
		Names: []string{"source", "A", "source", "A", "source"}, Place: []int{-1, 0, 1, 0, 1}})
	for text, want := range map[string]int{`visit("source")`: 2, `avoid("source")`: 1, `visits("source") >= 2`: 1,
		`edge("A", "source")`: 1} {
		x, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := x.Condition(g, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		n := 0
		for p := range g.Paths() {
			if _, ok, err := c.Product().Product.Edges(nil, p); err != nil {
				t.Fatal(err)
			} else if ok {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d paths, expected %d", text, n, want)
		}
	}
}

// Places that are called by letters of DNA are places, the first one among them, whatever it is called.
func TestLengthOfPlacesCalledByLetters(t *testing.T) {
	sizes, heads, names := []int{1, 2}, [][]int{{1, 2}, nil, nil}, []string{"D", "A", "C"}
	for _, of := range []struct {
		place  []int
		length int
	}{{[]int{0, 1, 2}, 2}, {nil, 1}} {
		g := meta(t, sizes, heads, ddps.Meta{Names: names, Place: of.place})
		for n := range 4 {
			x, err := Parse(fmt.Sprintf("length = %d", n))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = x.Condition(g, nil); (err == nil) != (n == of.length) {
				t.Errorf("places %v: length %d: %v", of.place, n, err)
			}
		}
	}
}
