package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// Every command of docs/conditions.md runs, and every condition of its tables is one.
func TestConditionsDocument(t *testing.T) {
	text := clitest.Read(t, filepath.Join("..", "..", "docs", "conditions.md"))
	edges := clitest.Read(t, filepath.Join("..", "..", "docs", "patrol.csv"))
	t.Chdir(t.TempDir())
	for _, dir := range []string{"docs", "out"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Write(t, "docs/patrol.csv", edges)
	n := 0
	for i, block := range strings.Split(text, "```") {
		if !strings.HasPrefix(block, "sh\n") || i%2 == 0 {
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(block[3:]), "\n") {
			command, ours := strings.CutPrefix(line, "out/ddps ")
			if !ours {
				t.Fatalf("%q is no command of ddps", line)
			}
			good(t, append(words(command), "-q")...)
			n++
		}
	}
	m, _, err := run.OpenModel("out/patrol", nil)
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for e := range u {
		u[e] = 1.5
	}
	env := query.Env(u, u, nil)
	good(t, "graph", "make", "dna", "--length", "40", "-o", "dna.json", "-q")
	dna, err := cli.LoadGraph("dna.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range strings.Split(text, "\n") {
		cells := strings.Split(strings.ReplaceAll(row, `\|`, "¦"), "|")
		if len(cells) != 4 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for _, quoted := range regexp.MustCompile("`[^`]+`").FindAllString(cells[1], -1) {
			s := strings.ReplaceAll(strings.Trim(quoted, "`"), "¦", "|")
			g := m.Graph
			if strings.HasPrefix(s, "motif") || strings.HasPrefix(s, "gc") || strings.Contains(s, "(motif") {
				g = dna
			}
			x, err := where.Parse(s)
			if err == nil {
				_, err = x.Compile(g, env)
			}
			if n++; err != nil && !strings.Contains(err.Error(), "no path meets it") {
				t.Errorf("%s: %v", s, err)
			}
		}
	}
	if n < 35 {
		t.Errorf("%d commands and conditions found: too few", n)
	}
	_, _, errs := call("explain", "out/patrol", "--where", `visit('Park') and layer 2-4`)
	if !strings.Contains(errs, "visit('Park') and layer 2-4\n      ^\nddps: --where: character 7: names are written in "+
		"double quotes: write \"Park\"\n") {
		t.Errorf("%q", errs)
	}
}

// numbers is a graph of three paths, and a model of them without noise, of few reverse steps.
func numbersModel(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	clitest.Write(t, "g.json", `{"format":"ddps-graph","version":1,"layers":[[[0,1,2]],[[0],[0],[0]],[[]]],"names":[["s"],["a","b","c"],["t"]]}`)
	clitest.Write(t, "p.csv", "s,a,t,5\ns,b,t,3\ns,c,t,2\n")
	clitest.Write(t, "no-a.csv", "s,b,t,3\ns,c,t,2\n")
	for name, u := range map[string]string{"cost": "100 900 950", "reward": "1000 1 0",
		"digits": "3.1415926536 2.7182818285 1.4142135624",
		"large":  "1700000000.25 1700000000.5 1700000000.75", "tiny": "1e-12 2e-12 3e-12"} {
		x := strings.Fields(u)
		clitest.Write(t, name+".csv", "layer,from,to,reward\n1,s,a,"+x[0]+"\n1,s,b,"+x[1]+"\n1,s,c,"+x[2]+"\n")
	}
	clitest.Write(t, "t7.toml", "[model]\nt = 7\n")
	for run, args := range map[string][]string{"run": {"p.csv"}, "no-a": {"no-a.csv"}, "t7": {"p.csv", "--config",
		"t7.toml"}} {
		good(t, append([]string{"train", "--graph", "g.json", "--network", "none", "--hold", "0", "--kappa", "0", "-q", "-o",
			run, "--paths"}, args...)...)
	}
}

// Weights and totals of any size, in samples and explanations; T below the default number of steps.
func TestNumbersOfAnySize(t *testing.T) {
	numbersModel(t)
	counts := func(run string, args ...string) map[string]int {
		out, _ := good(t, append([]string{"sample", run, "-n", "400", "-q"}, args...)...)
		n := map[string]int{}
		for _, row := range strings.Fields(out)[1:] {
			n[strings.Split(row, ",")[1]]++
		}
		return n
	}
	for _, c := range []struct{ run, args, only string }{
		{"run", `--where 'boltzmann(-1, cost) and avoid("a")' --cost cost.csv`, "b"},
		{"no-a", `--where 'boltzmann(-1, cost)' --cost cost.csv`, "b"},
		{"no-a", `--guide boltzmann --beta -1 --reward cost.csv`, "b"},
		{"run", `--where 'cost <= 1700000000.3' --cost large.csv`, "a"},
		{"run", `--where 'reward = 2.7182818285' --reward digits.csv`, "b"},
		{"run", `--where 'max(reward)' --reward tiny.csv`, "c"},
		{"run", `--where 'reward < 2e-12' --reward tiny.csv`, "a"},
	} {
		if n := counts(c.run, words(c.args)...); n[c.only] != 400 {
			t.Errorf("%s %s: %v", c.run, c.args, n)
		}
	}
	if n := counts("run", "--where", "reward >= 2.7182818284", "--reward", "digits.csv"); n["b"] < 100 || n["c"] > 0 {
		t.Errorf("%v", n)
	}
	var e struct {
		Model    float64
		LogModel float64 `json:"log_model"`
	}
	out, _ := good(t, "explain", "run", "--where", `boltzmann(1) and avoid("a")`, "--reward", "reward.csv", "-q", "--json")
	if err := json.Unmarshal([]byte(out), &e); err != nil || math.Abs(e.Model-1.0154845) > 1e-6 {
		t.Errorf("%+v, %v", e, err)
	}
	out, _ = good(t, "explain", "run", "--where", `boltzmann(-1, cost) and avoid("a")`, "--cost", "cost.csv", "-q",
		"--json")
	if err := json.Unmarshal([]byte(out), &e); err != nil || math.Abs(e.LogModel-(math.Log(.3)-900)) > 1e-9 {
		t.Errorf("%+v, %v", e, err)
	}
	out, _ = good(t, "explain", "run", "--where", `boltzmann(-1, cost) and avoid("a")`, "--cost", "cost.csv", "-q")
	if !strings.Contains(out, "e-392 (log -901.20)") {
		t.Error(out)
	}
	for _, args := range [][]string{{"sample", "t7", "-n", "9"}, {"score", "t7", "p.csv"}, {"evaluate", "t7", "-n", "9"},
		{"explain", "t7", "--where", `visit("a")`}} {
		good(t, append(args, "-q")...)
	}
	bad(t, exitError, []string{"16 steps, must be in 1…7"}, "sample", "t7", "--steps", "16", "-q")
	_, errs := good(t, "sample", "run", "-n", "9", "--where", `visit("a")`)
	if !strings.Contains(errs, "the condition's probability under the model: 0.500\n") {
		t.Errorf("%q", errs)
	}
}

// Of a file with a reward and a cost each flag takes its own.
func TestCostColumn(t *testing.T) {
	numbersModel(t)
	clitest.Write(t, "rc.csv", "from,to,cost,reward\ns,a,5,1\ns,b,1,9\n")
	for _, c := range []struct{ flag, where, want string }{
		{"--cost", "cost <= 2", "probability under the model               0.500"},
		{"--reward", "reward <= 2", "probability under the model               0.700"},
	} {
		out, _ := good(t, "explain", "run", "--where", c.where, c.flag, "rc.csv", "-q")
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(c.want), " ")) {
			t.Errorf("%s:\n%s", c.flag, out)
		}
	}
}

// Probabilities below the least normal float64 are the same in explain, predict and score.
func TestSubnormalProbabilities(t *testing.T) {
	numbersModel(t)
	clitest.Write(t, "two.json", `{"format":"ddps-graph","version":1,"layers":[[[0,1]],[[0],[0]],[[]]],`+
		`"names":[["s"],["a","b"],["t"]]}`)
	clitest.Write(t, "a.csv", "s,a,t,1\n")
	clitest.Write(t, "b.csv", "s,b,t\n")
	for _, kappa := range []string{"1e-300", "1e-308", "1e-310", "1e-320"} {
		good(t, "train", "--graph", "two.json", "--paths", "a.csv", "--network", "none", "--hold", "0", "--kappa", kappa,
			"-q", "-o", kappa)
		x, err := strconv.ParseFloat(kappa, 64)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Log(x*0x1p60) - 60*math.Ln2
		out, _ := good(t, "explain", kappa, "--where", `visit("b")`, "--json", "-q")
		var e struct {
			Model           float64
			LogModel        float64 `json:"log_model"`
			LogChain        float64 `json:"log_chain"`
			MostLikelyModel struct {
				Log float64 `json:"log_probability"`
			} `json:"most_likely_model"`
		}
		if err := json.Unmarshal([]byte(out), &e); err != nil {
			t.Fatal(err)
		}
		for _, got := range []float64{e.LogModel, e.LogChain, e.MostLikelyModel.Log} {
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("kappa %s: %s, want %v", kappa, out, want)
			}
		}
		if math.Abs(e.Model/x-1) > 1e-3 {
			t.Errorf("kappa %s: probability %v", kappa, e.Model)
		}
		if out, _ = good(t, "score", kappa, "b.csv", "-q"); !strings.Contains(out, fmt.Sprintf("s,b,t,%.6f,", -want)) {
			t.Errorf("kappa %s: %s, want %v", kappa, out, -want)
		}
	}
}

// Scores given a condition are those of the distribution given it.
func TestScoreGiven(t *testing.T) {
	numbersModel(t)
	out, _ := good(t, "score", "run", "p.csv", "--given", `avoid("a")`, "-q")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{math.NaN(), -math.Log(.6), -math.Log(.4)} {
		got, err := strconv.ParseFloat(rows[i+1][3], 64)
		if math.IsNaN(want) != (rows[i+1][3] == "") || err == nil && math.Abs(got-want) > 1e-5 {
			t.Errorf("row %d: %v, want %v", i+1, rows[i+1], want)
		}
	}
	for _, c := range []struct{ beta, a, b, c string }{
		{"10", "19.489174", "0.000000", "30.405465"}, {"1e4", "19999.489174", "0.000000", "30000.405465"},
		{"1e19", "2e+19", "0.000000", "3e+19"},
	} {
		clitest.Write(t, "r.csv", "from,to,reward\ns,a,1\ns,b,3\n")
		out, _ := good(t, "score", "run", "p.csv", "--given", "boltzmann("+c.beta+")", "--reward", "r.csv", "-q")
		rows := strings.Fields(out)[1:]
		for i, want := range []string{c.a, c.b, c.c} {
			if cells := strings.Split(rows[i], ","); cells[3] != want || cells[5] != want {
				t.Errorf("boltzmann(%s): %s, want %s", c.beta, rows[i], want)
			}
		}
	}
	clitest.Write(t, "one.csv", "s,a,t,5\n")
	_, errs := good(t, "score", "run", "one.csv", "--given", `visit("b")`)
	if !strings.Contains(errs, "no walk meets the condition: there is no NLL") || strings.Contains(errs, "NaN") {
		t.Error(errs)
	}
	clitest.Write(t, "one.csv", "s,a,t\n")
	if _, errs = good(t, "score", "run", "one.csv"); !strings.Contains(errs, "NLL 0.6931 nats per walk") {
		t.Error(errs)
	}
	if out, _ = good(t, "evaluate", "run", "p.csv", "--test", "one.csv", "-q"); strings.Contains(out, "NaN") ||
		!strings.Contains(out, "0.6931") {
		t.Error(out)
	}
	bad(t, exitError, []string{`--given: character 7: no vertex on any path is called "q"`}, "score", "run", "p.csv",
		"--given", `visit("q")`, "-q")
	bad(t, exitError, []string{`--given: no path of the model meets visit("a")`}, "score", "no-a", "p.csv", "--given",
		`visit("a")`, "-q")
	bad(t, exitUsage, []string{"are for --given"}, "score", "run", "p.csv", "--cost", "cost.csv")
}

// Other names, marginals and pictures.
func TestExplainFiles(t *testing.T) {
	numbersModel(t)
	clitest.Write(t, "stops.txt", "\ufeffstop_id,stop_name\na,Central\nb,Central\nc,Harbour\n")
	good(t, "explain", "run", "--where", `visit("Central") and not visit("b")`, "--aliases", "stops.txt", "--marginals",
		"m.csv", "--figure", "f.svg", "-k", "3", "-q")
	rows, err := csv.NewReader(strings.NewReader(clitest.Read(t, "m.csv"))).ReadAll()
	if err != nil || len(rows) != 6 || strings.Join(rows[2], ",") != "2,a,,1,0.5" {
		t.Errorf("%q, %v", rows, err)
	}
	if !strings.Contains(clitest.Read(t, "f.svg"), "<svg") {
		t.Error("no picture")
	}
	out, _ := good(t, "explain", "run", "--where", `not visit("c") and visit({"b", "c"})`, "-k", "3", "-q")
	if !strings.Contains(out, `The rarest: visit({"b", "c"}), probability 0.375 given the others.`) {
		t.Error(out)
	}
	clitest.Write(t, "bad.csv", "x,y\na,b\n")
	clitest.Write(t, "short.csv", "alias,name\nA\n")
	clitest.Write(t, "empty.csv", "alias,name\nA,\n")
	for file, want := range map[string]string{"bad.csv": `bad.csv:1: is "x,y" a header?`,
		"short.csv": "short.csv:2: no name", "empty.csv": "empty.csv:2: no name",
		"none.csv": "none.csv"} {
		bad(t, exitError, []string{want}, "explain", "run", "--where", `visit("A")`, "--aliases", file, "-q")
	}
}

// Times of a timetable, and the names of its stops.
func TestTimetableConditions(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("feed", 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, "feed/stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,Old Town,60,24\nb,\"Harbour, "+
		"East\",60,24.01\n")
	clitest.Write(t, "feed/trips.txt", "trip_id,service_id\nt,s\n")
	clitest.Write(t, "feed/stop_times.txt",
		"trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,8:00:00,8:01:00,a,1\nt,8:12:00,8:12:00,b,2\n")
	clitest.Write(t, "feed/calendar_dates.txt", "service_id,date,exception_type\ns,20240103,1\n")
	// 8:00, 8:05, 8:10, 8:15
	good(t, "graph", "timetable", "feed", "--start", "a", "--from", "8:00", "--depth", "4", "-o", "g.json")
	clitest.Write(t, "p.csv", "a,a,a,a,3\na,on t,on t,b,1\n")
	good(t, "train", "--graph", "g.json", "--paths", "p.csv", "--network", "none", "--kappa", "0", "--hold", "0", "-o",
		"run", "-q")
	for text, want := range map[string]float64{
		`visit("b", 8:12..8:20)`: .25, `visit("Harbour, East", 8:15..8:15)`: .25, `stay("Old Town") >= 0:15`: .75,
		`visit("a", 8:05..8:10) and not visit("on t")`: .75,
	} {
		out, _ := good(t, "explain", "run", "--where", text, "--aliases", "feed/stops.txt", "--json", "-q")
		var e struct{ Chain, Data float64 }
		if err := json.Unmarshal([]byte(out), &e); err != nil || math.Abs(e.Chain-want) > 1e-12 || e.Data != want {
			t.Errorf("%s: %+v, %v, want %v", text, e, err, want)
		}
	}
	bad(t, exitError, []string{`no vertex on any path is called "Harbor, East"; did you mean "Harbour, East"?`}, "explain",
		"run", "--where", `visit("Harbor, East")`, "--aliases", "feed/stops.txt", "-q")
	bad(t, exitError, []string{"layers 1 to 2 have no \"b\""}, "explain", "run", "--where", `visit("b", 8:00..8:09)`, "-q")
}

// A condition of a file of flags, and of a run's settings: read when it is loaded, kept in the run, used where the
// command line has none, with the same caret.
func TestConditionsInFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "walks.txt", strings.Repeat("A B C\nA C\nB C A\nB A\nC A B\n", 8))
	clitest.Write(t, "run.toml", "where = 'visit(\"B\") and not start(\"B\")'\n")
	train := strings.Fields("train --paths walks.txt --model chain --hold 0.2")
	good(t, append(train, "--config", "run.toml", "-o", "r")...)
	if text := clitest.Read(t, "r/config.toml"); !strings.Contains(text, `where = "visit(\"B\") and not start(\"B\")"`) {
		t.Errorf("config.toml:\n%s", text)
	}
	meets := func(out string, want bool) {
		t.Helper()
		rows := strings.Split(strings.TrimSpace(out), "\n")[1:]
		all := true
		for _, r := range rows {
			all = all && strings.Contains(r, "B") && r[0] != 'B'
		}
		if all != want || len(rows) < 50 {
			t.Errorf("%d walks, all meet it: %v", len(rows), all)
		}
	}
	out, notes := good(t, "sample", "r", "-n", "60")
	meets(out, true)
	if !strings.Contains(notes, "the run's condition") {
		t.Errorf("notes:\n%s", notes)
	}
	out, _ = good(t, "sample", "r", "-n", "60", "--where", "none")
	meets(out, false)
	clitest.Write(t, "flags.toml", "where = 'start(\"B\")'\nnumber = 55\n")
	out, _ = good(t, "sample", "r", "--config", "flags.toml")
	meets(out, false)
	if n := strings.Count(out, "\nB"); n != 55 {
		t.Errorf("%d walks begin at B", n)
	}
	own, _ := good(t, "explain", "r")
	same, _ := good(t, "explain", "r", "--where", `visit("B") and not start in {"B"}`)
	if own != same || !strings.Contains(own, `not start in {"B"}`) {
		t.Errorf("explained\n%s", own)
	}
	for text, want := range map[string][]string{
		`where = "VISIT(\"B\")"`:     {"bad.toml", "character 1", "write visit"},
		`where = 'visit("D")'`:       {"bad.toml", "character 7", `called "D"`},
		`where = 'reward >= 1'`:      {"names no reward"},
		"where = 'length 3'\nwere=1": {"unknown key were"},
	} {
		clitest.Write(t, "bad.toml", text+"\n")
		bad(t, exitError, want, append(train, "--config", "bad.toml", "-o", "s")...)
		if _, err := os.Stat("s"); err == nil {
			t.Errorf("%s: a run was made", text)
		}
	}
	for text, want := range map[string][]string{
		`where = "visit(B)"`: {"bad.toml: character 7", `write "B"`},
		"numbr = 3":          {`did you mean "number"?`},
		"number = 'x'":       {"bad.toml: number"},
		"number = [[1]]":     {"bad.toml: number"},
		"where = ":           {"bad.toml:1"},
	} {
		clitest.Write(t, "bad.toml", text+"\n")
		bad(t, exitError, want, "sample", "r", "--config", "bad.toml")
	}
}
