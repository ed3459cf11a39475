package live_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// What a cell keeps under a name another session finds, and a compiled cell, which calls the same functions.
func TestKeep(t *testing.T) {
	t.Chdir(t.TempDir())
	if out, err := eval(session(t), "type Run struct { Seed int; Rewards []float64 }\nmust(Keep(`run`, "+
		"map[string]Run{`a`: {1, []float64{.1, 2}}}))"); err != nil {
		t.Fatal(out, err)
	}
	if out, err := eval(session(t), "type Run struct { Seed int; Rewards []float64 }\nvar r "+
		"map[string]Run\nmust(Kept(`run`, &r))\nr[`a`]"); err != nil || out != "{Seed:1 Rewards:[0.1 2]}" {
		t.Error(out, err)
	}
	var part map[string]struct{ Seed int }
	if err := lab.Kept("run", &part); err == nil || !strings.Contains(err.Error(), "unknown field") {
		t.Error(err)
	}
	var r map[string]struct {
		Seed    int
		Rewards []float64
	}
	if err := lab.Kept("run", &r); err != nil || r["a"].Seed != 1 {
		t.Error(r, err)
	}
	type hidden struct{ x int }
	for want, err := range map[string]error{
		"JSON would not give this live_test.hidden back": lab.Keep("h", hidden{1}), "unsupported value: NaN": lab.Keep("n",
			math.NaN()),
		`"a/b": letters`: lab.Keep("a/b", 1), "nil is no value": lab.Keep("x", nil), `no value "none" is kept`: lab.Kept(
			"none", &r),
		"cannot unmarshal": lab.Kept("run", new(int)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A live cell's own structs, with capital letters or without, become tables and frames.
func TestFrames(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("r.csv", []byte("k,x\na,2\nb,3\na,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := session(t)
	for _, c := range []struct{ code, want string }{
		{"type run struct { kind string; Reward float64 }\nrows := []run{{`a`, 1}, {`b`, 2.5}, {`a`, 3}}\nrows",
			"3 rows\nkind  Reward\na          1\nb        2.5\na          3"},
		{"f := must(NewFrame(rows))\nmust(f.Group([]string{`kind`}, `count`, `mean Reward`))", "2 rows\nkind  count  mean " +
			"Reward\na         2            2\nb         1          2.5"},
		{"f.Where(func(r frame.Row) bool { return true })", "line 1: undefined: frame"},
		{"must(must(ReadCSV(`r.csv`)).Sort(`-x`)).Head(1)", "1 row\nk  x\na  5"},
		{"r := f.Row(0)\nf.With(`double`, func(r FrameRow) any { return 2 * r.Float(`Reward`) }).Where(func(r FrameRow) " +
			"bool { return r.Text(`kind`) == `b` })",
			"1 row\nkind  Reward  double\nb        2.5       5"},
		{"must(f.Plot(`kind`, `Reward`))", "figure"},
		{"f.Row(0).Float(`Rewards`)", "line 1: frame: no column \"Rewards\"; there are kind, Reward"},
		{"map[string]int{`b`: 2, `a`: 1}", "2 rows\nkey  value\na        1\nb        2"},
	} {
		out, err := eval(s, c.code)
		if err != nil {
			out = err.Error()
		}
		if !strings.HasPrefix(out, c.want) {
			t.Errorf("%s\n%s\nwant\n%s", c.code, out, c.want)
		}
	}
}
