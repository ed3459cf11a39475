package live_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/live"
	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// The facade from a graph to guided paths, and how its values show.
func TestLab(t *testing.T) {
	t.Chdir(t.TempDir())
	s := session(t)
	for _, c := range []struct{ code, want string }{
		{"g := must(Toy(1))\ng", "Toy: 11 layers, 41 vertices"},
		{"data := must(All(g, 10000)).Prune()\ndata", "distinct paths"},
		{"c := must(Fit(data, 1))\nc", "Markov chain on Toy"},
		{"cfg := DefaultConfig(`mlp`)\ncfg.Train.Steps = 3\ncfg.Model.MLP.Hidden = 8\nm := must(Train(data, cfg))\nm",
			"mlp network"},
		{"Train(data, cfg)", "was trained before"},
		{"u := must(RandomReward(m.Graph, 4, 0))\nd := must(Sample(m, 20, How{Guide: `max`, Reward: u}))\nd",
			"100.0% at the maximum 4"},
		{"Preset()", "quick"},
		{"RewardPlot(m.Graph, u)", "figure"},
		{"mean, _, atMax := d.Earned()\nfmt.Sprintf(`%.2f %.2f`, mean, atMax)", "4.00 1.00"},
		{"must(Sample(m, 1, How{Quiet: true})).Earned()", ""},
		{"big := must(Sample(m, 512, How{Steps: 8, Seed: 3}))\nquiet := must(Sample(m, 512, How{Steps: 8, Seed: 3, Quiet: " +
			"true}))\n" +
			"fmt.Sprint(big.Paths) == fmt.Sprint(quiet.Paths)", "true"},
		{"for _, p := range d.Paths { if m.Graph.Check(p) != nil { panic(p) } }\nlen(d.Paths)", "20"},
		{"Sample(m, 2, How{Guide: `none such`})", "line 1: "},
		{"Toy(1)", "Toy: 11 layers"},
		{"p := d.Paths[0]\np", "0 → "},
		{"GraphPlot(m.Graph, p)", "figure"},
		{"must(PALMPlot(m.Graph, must(Encode(m.Graph, p, 0))))", "figure"},
		{"Encode(m.Graph, p, 0)", "PALM ["},
		{"ChainPlot(c)", "figure"},
		{"SideBySide(must(ChainPlot(c)), must(EdgePlot(m.Graph, d.Paths)))", "figure"},
		{"Multiples(`both`, []string{`a`, `b`}, d, must(Sample(m, 5)))", "figure"},
		{"Multiples(`both`, []string{`a`}, d, d)", "lab: multiples: 1 names for 2 draws"},
		{"way := must(Trace(m, 12, How{Guide: `max`, Reward: u, Steps: 4}))\nway",
			"figure: 12 paths at 5 times from t = 256 to 0"},
		{"fmt.Sprint(way.At(4).Paths) == fmt.Sprint(must(Sample(m, 12, How{Guide: `max`, Reward: u, Steps: 4})).Paths)",
			"true"},
		{"Stepper(way)", "reverse steps done = 0\nfigure: t = 256 of 256"},
		{"Trace(m, 2, How{Guide: `max`, Reward: u, Particles: 2})", "particles are drawn anew"},
		{"Curve(`x`, `y`, []float64{1, 2}, []float64{3, 4})", "figure"},
		{"NewTable(`a`, `b`).Add(1, 2.5)", "a    b\n1  2.5"},
		{"t0 := must(TargetOf(data))\nEvaluate(t0, SampleChain(c, 50, 0))", "sampling floor"},
		{"Score(m, d.Paths[:2], 0)", "["},
		{"Interact(func(s State) any { return s.Float(0) * 2 }, Slider{Name: `x`, Max: 10, Value: 4})", "x = 4\n8"},
		{"pl := NewPlace()\npl.Show(1)\npl.Show(2)", "1\n2"},
		{"plots.Graph{Graph: g}", "figure"},
		{"q := plot.New()\nq.Title.Text = `mine`\nq", "figure: mine"},
		{"s := m.Sampler()\ns.Steps = 2\nlen(must(s.Sample(context.Background(), 3, 0)))", "3"},
		{"WriteGraph(`g.json`, g)", ""},
		{"must(ReadGraph(`g.json`)).NumVertices()", "41"},
		{"ReadGraph(`none.json`)", "line 1: "},
	} {
		out, err := eval(s, c.code)
		if err != nil {
			out += err.Error()
		}
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: %q, want %q", c.code, out, c.want)
		}
	}
	for _, kept := range []string{"runs/*/model.safetensors", "runs/artefacts/*.artefact"} {
		if list, err := filepath.Glob(kept); err != nil || len(list) != 1 {
			t.Error(list, err)
		}
	}
}

// A figure shows as SVG, PNG and text.
func TestFigure(t *testing.T) {
	s := session(t)
	out := &screen{}
	if err := s.Eval(t.Context(), "GraphPlot(Example(), Path{0, 2, 6, 7})", out); err != nil {
		t.Fatal(err)
	}
	svg, _ := out.last["image/svg+xml"].(string)
	png, _ := out.last["image/png"].(string)
	data, err := base64.StdEncoding.DecodeString(png)
	if !strings.Contains(svg, "<svg") || err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("svg %.40q, png %.8q, %v", svg, data, err)
	}
}

// Training stops with the cell, and the same cell goes on where it was.
func TestTrainInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	s := session(t)
	const code = "data := must(All(must(Toy(1)), 10000))\ncfg := DefaultConfig(`mlp`)\ncfg.Train.Steps = " +
		"60\ncfg.Model.MLP.Hidden = 8\n" +
		"Train(data, cfg)"
	ctx, cancel := cancelAfterStep(t)
	defer cancel()
	out := &screen{}
	err := s.Eval(ctx, code, out)
	if err == nil {
		t.Skip("trained before it could be stopped")
	}
	if out, err := eval(s, "Train(data, cfg)"); err != nil || !strings.Contains(out, "mlp network") {
		t.Errorf("%q, %v", out, err)
	}
	if dirs, err := os.ReadDir("runs"); err != nil || len(dirs) != 1 {
		t.Error(dirs, err)
	}
}

func names(list []kernelext.Candidate) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(c.Name + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestComplete(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "graph := must(Toy(1))\ntype T struct { Alpha, beta int }\nval := T{}\nimport str \"strings\""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code, want string
		start      int
	}{
		{"RandomR", "RandomReward", 0},
		{"x := gra", "graph", 5},
		{"graph.NumV", "NumVertices", 6},
		{"val.Al", "Alpha", 4},
		{"str.ToUp", "ToUpper", 4},
		{"math.Sq", "Sqrt", 5},
		{"lab.To", "Toy", 4},
		{"fo", "for", 0},
		{"datase", "datasets", 0},
		{"muS", "", 0},
		{"nothing.x", "", 8},
	} {
		list, start := s.Complete(c.code, len(c.code))
		got := names(list)
		if start != c.start || c.want == "" && got != "" || c.want != "" && !strings.Contains(" "+got+" ", " "+c.want+" ") {
			t.Errorf("%q: %q from %d, want %q from %d", c.code, got, start, c.want, c.start)
		}
	}
	s.Complete("é", 1) // in the middle of a rune
	s.Complete("x", 99)
}

// Completions, and cells that are wrong, leave variables and the choice among packages of one name as they are.
func TestCompleteChangesNothing(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "x := 1"); err != nil {
		t.Fatal(err)
	}
	path := func() string {
		out, err := eval(s, "fmt.Print(reflect.TypeOf(rand.New).Out(0).Elem().PkgPath())")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := path()
	const code = "rand.Seed(1)\nrand.New(rand.NewSource(1))."
	if list, _ := s.Complete(code, len(code)); !strings.Contains(" "+names(list)+" ", " Intn ") {
		t.Fatalf("completions %q", names(list))
	}
	const imports = "import x \"strings\"\nx.NewReader(\"\")."
	if list, _ := s.Complete(imports, len(imports)); !strings.Contains(" "+names(list)+" ", " ReadRune ") {
		t.Errorf("completions %q", names(list))
	}
	for _, wrong := range []string{"rand.Seed(1)\nnothing", "import x \"strings\"\nnothing"} {
		if _, err := eval(s, wrong); err == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
	if out, err := eval(s, "fmt.Print(x)"); err != nil || out != "1" {
		t.Errorf("x after a wrong cell: %q, %v", out, err)
	}
	if after := path(); before != "math/rand/v2" || after != before {
		t.Errorf("rand is %s, after a completion %s", before, after)
	}
}

func TestInspect(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "graph := must(Toy(1))\ntype P struct{ X float64 }\n"+
		"func (p P) Norm() float64 { return p.X }\np := P{}"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ code, want string }{
		{"Toy(1)", "func Toy(seed uint64) (*Graph, error)"},
		{"Train", "cfg.Train.Steps"},
		{"graph", "graph *ddps.LayeredGraph"},
		{"math.Sqrt", "func math.Sqrt(float64) float64"},
		{"model.Model", "type model.Model"},
		{"math", "package math"},
		{"unknown", ""},
		{"P", "func (P).Norm() float64"},
		{"P.Norm", "func (P).Norm() float64"},
		{"p.Norm", "func (P).Norm() float64"},
		{"P.Nope", ""},
		{"p.Nope", ""},
		{"", ""},
	} {
		if got := s.Inspect(c.code, min(2, len(c.code))); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			if got = s.Inspect(c.code, len(c.code)); !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%q: %q", c.code, got)
			}
		}
	}
}

// All that is offered without a package's name is documented.
func TestDocs(t *testing.T) {
	docs, err := lab.Docs()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if d.Signature == "" || d.Text == "" {
			t.Errorf("%+v", d)
		}
	}
	if len(docs) < 40 {
		t.Errorf("%d names", len(docs))
	}
}

func TestReset(t *testing.T) {
	s := session(t)
	if _, err := eval(s, "x := 1"); err != nil {
		t.Fatal(err)
	}
	s.Reset()
	if _, err := eval(s, "x"); err == nil {
		t.Error("a value outlived Reset")
	}
	if out, err := eval(s, "1+1"); out != "2" || err != nil {
		t.Error(out, err)
	}
}

func TestWhole(t *testing.T) {
	for code, want := range map[string]bool{"": true, "1+1": true, "x :=": false, "f(": false, "f()": true,
		"func f() {": false, "`a": false,
		"/* a": false, "a +": false, "i++": true, "x := []int{1,\n2}": true, "if x {\n}": true, "a.": false, "\"a": true} {
		if got := live.Complete(code); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}

func BenchmarkCell(b *testing.B) {
	s := session(b)
	for b.Loop() {
		if _, err := eval(s, "x := 1\nx + 1"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReady(b *testing.B) {
	for b.Loop() {
		session(b)
	}
}

func BenchmarkPlot(b *testing.B) {
	s := session(b)
	if _, err := eval(s, "g := must(Toy(1))"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := eval(s, "GraphPlot(g)"); err != nil {
			b.Fatal(err)
		}
	}
}
