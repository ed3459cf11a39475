package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// writeWalks makes walks.txt, 40 walks of 2 to 4 places that begin and end anywhere, and test.txt with one of an
// unknown place and one of a move that is not in walks.txt.
func writeWalks(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var b strings.Builder
	for k := range 40 {
		b.WriteString([]string{"A B A\n", "A B C A\n", "B C\n", "C A B\n"}[k%4])
	}
	clitest.Write(t, "walks.txt", b.String())
	clitest.Write(t, "test.txt", "A B A\nA B C\nB A C\nA Q\n")
}

func TestMakeSequences(t *testing.T) {
	writeWalks(t)
	_, errs := good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	for _, want := range []string{"40 walks, 4 distinct, of 2 to 4 places", "separated by blanks"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q not in:\n%s", want, errs)
		}
	}
	seen, _ := good(t, "paths", "count", "g.json")
	good(t, "graph", "make", "sequences", "walks.txt", "--edges", "all", "-o", "all.json")
	all, _ := good(t, "paths", "count", "all.json")
	if want := "117\n"; all != want { // 3² + 3³ + 3⁴
		t.Errorf("all: %s paths, want %s", all, want)
	}
	// A→B, B→A, B→C, C→A: walks of 2, 3 and 4 places by hand: 4, 6 (ABA ABC BAB BCA CAB … ) counted by powers of the
	// matrix
	m, n := [3][3]int{{0, 1, 0}, {1, 0, 1}, {1, 0, 0}}, 0
	row := [3]int{1, 1, 1}
	for range 3 {
		var next [3]int
		for i := range 3 {
			for j := range 3 {
				next[j] += row[i] * m[i][j]
			}
		}
		row = next
		n += row[0] + row[1] + row[2]
	}
	if seen != strings.TrimSpace(seen)+"\n" || strings.TrimSpace(seen) != itoa(n) {
		t.Errorf("seen: %s paths, want %d", seen, n)
	}
	// edges of a file, starts, ends and lengths leave walks out, which are counted
	clitest.Write(t, "moves.csv", "from,to\nA,B\nB,A\n")
	_, errs = good(t, "graph", "make", "sequences", "walks.txt", "--edges", "moves.csv", "-o", "few.json")
	if !strings.Contains(errs, "left out 30: a move that the edges lack") ||
		!strings.Contains(errs, "10 walks, 1 distinct") {
		t.Errorf("given edges:\n%s", errs)
	}
	_, errs = good(t, "graph", "make", "sequences", "walks.txt", "--start", "A", "--start", "B", "--end", "A", "-o",
		"s.json")
	if !strings.Contains(errs, "left out 10: begins elsewhere") || !strings.Contains(errs, "left out 10: ends elsewhere") {
		t.Errorf("starts and ends:\n%s", errs)
	}
	bad(t, exitError, []string{"--strict: 30 left out"}, "graph", "make", "sequences", "walks.txt", "--edges", "moves.csv",
		"--strict", "-o", "x.json")
	bad(t, exitError, []string{"--edges none.csv", "neither seen nor all"}, "graph", "make", "sequences", "walks.txt",
		"--edges", "none.csv")
	bad(t, exitError, []string{"place of no walk", "Q"}, "graph", "make", "sequences", "walks.txt", "--start", "Q")
	bad(t, exitUsage, []string{"FILE is missing"}, "graph", "make", "sequences")
}

// Training on walks makes the graph; samples are walks again, of no source and no END, in every format, and can be read
// again by the commands.
func TestTrainWalks(t *testing.T) {
	writeWalks(t)
	out, errs := good(t, "train", "--paths", "walks.txt", "--test", "test.txt", "-o", "run")
	for _, want := range []string{"40 walks, 4 distinct", "the graph: 5 layers", "test: 4 walks, 1 of them (25.0%) of " +
		"paths in the training set"} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q not in:\n%s", want, errs)
		}
	}
	if !strings.Contains(out, "test: NLL ") {
		t.Errorf("no NLL: %s", out)
	}
	// on the graph of the walks alone two of the test walks are impossible
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	out, _ = good(t, "train", "--graph", "g.json", "--paths", "walks.txt", "--test", "test.txt", "-o", "on")
	if !strings.Contains(out, "(2 walks; 2 more are no paths of the graph)") {
		t.Errorf("impossible walks: %s", out)
	}
	csvText, _ := good(t, "sample", "on", "-n", "50", "-q")
	rows, err := csv.NewReader(strings.NewReader(csvText)).ReadAll()
	if err != nil || strings.Join(rows[0], ",") != "v1,v2,v3,v4,count" || len(rows) != 51 {
		t.Fatalf("%v: %d rows, header %q", err, len(rows), rows[0])
	}
	text, _ := good(t, "sample", "on", "-n", "50", "-q", "--format", "jsonl")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for k, line := range lines {
		var row struct{ Path []string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimRight(strings.Join(rows[k+1][:4], " "), " "); got != strings.Join(row.Path, " ") {
			t.Errorf("sample %d: %q as CSV, %q as JSON Lines", k+1, got, row.Path)
		}
	}
	for _, file := range []string{"s.csv", "s.jsonl", "s.parquet", "s.txt"} {
		format := strings.NewReplacer("s.", "", "txt", "lines").Replace(file)
		good(t, "sample", "on", "-n", "50", "-q", "-o", file, "--format", format)
		_, errs := good(t, "paths", "convert", "g.json", file, "-", "--format", "lines")
		if !strings.Contains(errs, " 50 in all") {
			t.Errorf("%s: %s", file, errs)
		}
	}
	for _, name := range []string{"source", "END"} {
		if strings.Contains(csvText+text, name) {
			t.Errorf("samples show %s", name)
		}
	}
	for args, want := range map[string][]string{
		"train --paths walks.txt --edges all --graph g.json -o x": {"--edges", "--graph"},
		"train --paths walks.txt --vertices number -o x":          {"--graph"},
		"train -o x":                                        {"--paths is needed"},
		"train --graph heights --sep comma -o x":            {"--sep"},
		"train --resume --edges all -o on":                  {"--resume", "--edges"},
		"train --graph toy --paths walks.txt --test a -o x": {"--test"},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// Scores, predictions and evaluations of walks: what is impossible is counted, places are the user's.
func TestScoreWalks(t *testing.T) {
	writeWalks(t)
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	good(t, "train", "--graph", "g.json", "--paths", "walks.txt", "-o", "run")
	out, errs := good(t, "score", "run", "test.txt")
	if !strings.HasPrefix(out, "v1,v2,v3,v4,nll,stderr,chain,difference,count,line,reason\nA,B,A,,") ||
		!strings.Contains(out, "\nB,A,C,,+Inf,,,,1,3,\"a move that the edges lack: ") ||
		!strings.Contains(errs, "2 walks are impossible") {
		t.Errorf("%s%s", out, errs)
	}
	js, _ := good(t, "score", "run", "test.txt", "--json")
	var s struct {
		NLL               float64
		Walks, Impossible int
		Unmet             *int
		LogGiven          float64 `json:"log_given"`
	}
	if err := json.Unmarshal([]byte(js), &s); err != nil || s.Walks != 2 || s.Impossible != 2 || s.Unmet != nil {
		t.Errorf("%v: %s", err, js)
	}
	// −log p given a condition is −log p plus the logarithm of its probability, for the walks that meet it
	all := s.NLL
	js, _ = good(t, "score", "run", "walks.txt", "--json", "--given", `start("A")`)
	if err := json.Unmarshal([]byte(js), &s); err != nil || s.Unmet == nil || *s.Unmet != 20 || s.Walks != 20 ||
		s.Impossible != 0 {
		t.Errorf("%v: %s", err, js)
	}
	js, _ = good(t, "score", "run", "test.txt", "--json", "--given", `start("A")`)
	if err := json.Unmarshal([]byte(js), &s); err != nil || math.Abs(s.NLL-(all+s.LogGiven)) > 1e-9 {
		t.Errorf("%v: given A %s, without %v", err, js, all)
	}
	// what follows a prefix adds up to 1, and a walk's probability is the product of its steps
	chainOf := func(walk ...string) (nll float64) {
		for k := range len(walk) + 1 {
			js, _ := good(t, "predict", "run", "--prefix", strings.Join(walk[:k], ","), "-k", "100", "--json")
			var p struct {
				Next []struct {
					Place       *string
					Probability float64
				}
			}
			if err := json.Unmarshal([]byte(js), &p); err != nil {
				t.Fatal(err)
			}
			sum, found := 0.0, false
			for _, n := range p.Next {
				sum += n.Probability
				if k < len(walk) && n.Place != nil && *n.Place == walk[k] || k == len(walk) && n.Place == nil {
					nll, found = nll-math.Log(n.Probability), true
				}
			}
			if math.Abs(sum-1) > 1e-9 || !found {
				t.Errorf("after %q: %s", walk[:k], js)
			}
		}
		return nll
	}
	good(t, "sample", "run", "-n", "1", "-q", "-o", "one.csv")
	js, _ = good(t, "score", "run", "test.txt", "--json")
	if err := json.Unmarshal([]byte(js), &s); err != nil {
		t.Fatal(err)
	}
	if got := (chainOf("A", "B", "A") + chainOf("A", "B", "C")) / 2; math.Abs(got-s.NLL) > 1e-9 {
		t.Errorf("NLL %v by steps, %v by score", got, s.NLL)
	}
	table, _ := good(t, "predict", "run", "--prefix", "A,B")
	if !strings.Contains(table, "(the walk ends)") || strings.Contains(table, "END") {
		t.Error(table)
	}
	bad(t, exitError, []string{"--prefix", "no vertex is called", "Q"}, "predict", "run", "--prefix", "A,Q")
	bad(t, exitError, []string{"no edge leads", "A", "C"}, "predict", "run", "--prefix", "A,C")
	bad(t, exitError, []string{"all places of the longest path"}, "predict", "run", "--prefix", "A,B,C,A")
	bad(t, exitError, []string{"5 places, the longest path has 4"}, "predict", "run", "--prefix", "A,B,C,A,B")
	bad(t, exitUsage, []string{"--prefix"}, "predict", "run", "--prefix", `A,"B`)

	out, _ = good(t, "evaluate", "run", "--test", "test.txt", "-n", "100")
	for _, want := range []string{"NLL, nats per walk", "2 test walks, 1 of known paths; 2 impossible",
		"next place predicted", "length, mean", "floor", "use of edges"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q not in:\n%s", want, out)
		}
	}
	good(t, "sample", "run", "-n", "50", "--where", `visit("C")`, "-o", "c.csv")
	good(t, "paths", "convert", "g.json", "test.txt", "few.csv")
	clitest.Write(t, "rare.txt", strings.Repeat("A B\n", 30)+"B C\n")
	if _, errs := good(t, "evaluate", "--graph", "g.json", "rare.txt", "c.csv"); !strings.Contains(errs,
		`did you mean --given 'visit("C")'?`) {
		t.Error(errs)
	}
	clitest.Write(t, "both.txt", "A B C\nA B A\n")
	if _, errs := good(t, "evaluate", "run", "both.txt", "--given", `visit("C")`); !strings.Contains(errs,
		"1 of 2 samples do not meet --given") {
		t.Error(errs)
	}
	out, _ = good(t, "evaluate", "run", "c.csv", "--given", `visit("C")`, "--json")
	if !strings.Contains(out, `"key": "lengths"`) || strings.Contains(out, `"key": "kl"`) {
		t.Error(out)
	}
	out, errs = good(t, "evaluate", "run", "--given", `start("B")`, "-n", "200") // of one start there is no row
	if strings.Contains(out, "\nstarts") || !strings.Contains(out, "without the condition") ||
		!strings.Contains(errs, `compared: samples drawn given start("B"), and the paths of the reference that meet it`) {
		t.Errorf("%s\n%s", out, errs)
	}
	bad(t, exitUsage, []string{"--given boltzmann(2): it weighs paths"}, "evaluate", "run", "--given", "boltzmann(2)",
		"--reward", "random:2")
	good(t, "evaluate", "run", "c.csv", "--paper", "-q")
	out, _ = good(t, "explain", "run", "--where", `start("A") and length 3`, "--best", "2", "--marginals", "m.csv")
	js, _ = good(t, "explain", "run", "--where", `start("A") and length 3`, "--best", "2", "--json")
	for _, text := range []string{out, js, clitest.Read(t, "m.csv")} {
		if strings.Contains(text, "END") || strings.Contains(text, "source") {
			t.Errorf("END or source in:\n%s", text)
		}
	}
}

// A split by walk takes the share of walks; a split of a file without a graph keeps its lines; by path none is in both.
func TestSplitWalks(t *testing.T) {
	writeWalks(t)
	_, errs := good(t, "paths", "split", "walks.txt", "--hold", "0.25", "--seed", "2", "--train", "a.txt", "--held",
		"b.jsonl")
	if !strings.Contains(errs, "a.txt: 30 walks; b.jsonl: 10 walks") {
		t.Error(errs)
	}
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	_, errs = good(t, "paths", "split", "g.json", "walks.txt", "--hold", "0.25", "--train", "c.csv", "--held", "d.csv")
	if !strings.Contains(errs, "10 in all") || !strings.Contains(errs, "of 10 walks (") {
		t.Error(errs)
	}
	total := 0
	for _, file := range []string{"c.csv", "d.csv"} {
		out, _ := good(t, "paths", "count", "g.json", file)
		for _, line := range strings.Split(out, "\n") {
			if f := strings.Fields(line); len(f) > 3 && f[0] == "paths" {
				n := 0
				for _, c := range f[3] {
					n = 10*n + int(c-'0')
				}
				total += n
			}
		}
	}
	if total != 40 {
		t.Errorf("%d walks in both parts, want 40", total)
	}
	good(t, "paths", "split", "g.json", "walks.txt", "--by", "path", "--hold", "0.25", "--train", "e.csv", "--held",
		"f.csv")
	e, f := clitest.Read(t, "e.csv"), strings.Split(strings.TrimSpace(clitest.Read(t, "f.csv")), "\n")
	for _, row := range f[1:] {
		if strings.Contains(e, row[:strings.LastIndex(row, ",")]) {
			t.Errorf("%q is in both", row)
		}
	}
	bad(t, exitUsage, []string{"--by path wants a GRAPH"}, "paths", "split", "walks.txt", "--by", "path", "--train",
		"x.csv", "--held", "y.csv")
	bad(t, exitUsage, []string{".ngram or .xes"}, "paths", "split", "walks.txt", "--train", "x.bin", "--held", "y.csv")
	bad(t, exitUsage, []string{"IN is missing"}, "paths", "split", "--train", "x.csv", "--held", "y.csv")
	clitest.Write(t, "one.txt", "A B\n")
	bad(t, exitError, []string{"nothing is left for one"}, "paths", "split", "one.txt", "--train", "x.csv", "--held",
		"y.csv")
}

// The page and the pictures of walks show places alone.
func TestViewWalks(t *testing.T) {
	writeWalks(t)
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	good(t, "train", "--graph", "g.json", "--paths", "walks.txt", "-o", "run")
	good(t, "view", "run", "-n", "20", "-o", "page.html", "-q")
	page := clitest.Read(t, "page.html")
	for _, want := range []string{`"reward":null`, `"first":1`, `id="find"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "random:") {
		t.Error("the page has a made-up reward")
	}
	bad(t, exitUsage, []string{"--lambda", "--reward"}, "view", "run", "--lambda", "1,2", "-o", "x.html")
	good(t, "sample", "run", "-n", "20", "-q", "-o", "s.csv", "--figure", "flow.svg")
	good(t, "graph", "draw", "g.json", "--path", "A,B,C", "-o", "path.svg")
	good(t, "graph", "draw", "g.json", "--paths", "walks.txt", "--paths", "s.csv", "-o", "both.svg")
	for _, file := range []string{"flow.svg", "path.svg", "both.svg"} {
		if picture := clitest.Read(t, file); !strings.Contains(picture, "<svg") {
			t.Errorf("%s is no picture", file)
		}
	}
	bad(t, exitError, []string{"--path A,C", "a move"}, "graph", "draw", "g.json", "--path", "A,C", "-o", "x.svg")
}

// Walks are listed, counted and converted without a graph, and come back the same from every format.
func TestWalksWithoutGraph(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "Ä B C\nB\nÄ B C\nC C Ä\n"
	clitest.Write(t, "w.txt", text)
	if out, _ := good(t, "paths", "list", "w.txt", "-n", "2"); out != "Ä → B → C\nB\n" {
		t.Errorf("listed %q", out)
	}
	out, _ := good(t, "paths", "count", "w.txt")
	for _, want := range []string{"paths with repeats    4", "distinct paths        3", "most often            2"} {
		if !strings.Contains(out, want) {
			t.Errorf("counts lack %q:\n%s", want, out)
		}
	}
	for _, name := range []string{"a.csv", "a.jsonl", "a.parquet", "a.ngram", "a.txt"} {
		good(t, "paths", "convert", "w.txt", name)
		good(t, "paths", "convert", name, "back.txt")
		if got := clitest.Read(t, "back.txt"); got != text {
			t.Errorf("%s: back as %q", name, got)
		}
	}
	good(t, "paths", "convert", "w.txt", "e.csv", "--format", "events")
	if got := clitest.Read(t, "e.csv"); !strings.HasPrefix(got, "case,time,place\n1,1,Ä\n1,2,B\n") {
		t.Errorf("events %q", got)
	}
	if out, _ := good(t, "paths", "convert", "w.txt", "-"); !strings.HasPrefix(out, "v1,v2,v3") {
		t.Errorf("standard output %q", out)
	}
	bad(t, exitUsage, []string{"number vertices"}, "paths", "convert", "w.txt", "x.csv", "--to", "number")
	bad(t, exitError, []string{"none.txt"}, "paths", "list", "none.txt")
}

// What train reads by flags, score and evaluate read by the same ones.
func TestReadingFlagsOfModels(t *testing.T) {
	writeWalks(t)
	clitest.Write(t, "routes.csv", "route,note,n\nA > B > A,x,9\nA > B > C > A,y,5\nB > C,x,6\n")
	flags := []string{"--walk", "route", "--sep", " > "}
	good(t, append([]string{"train", "-q", "--paths", "routes.csv", "--model", "chain", "-o", "run"}, flags...)...)
	out, _ := good(t, append([]string{"score", "run", "routes.csv", "--json"}, flags...)...)
	var s struct{ NLL, Walks float64 }
	if err := json.Unmarshal([]byte(out), &s); err != nil || s.Walks != 20 || !(s.NLL > 0) {
		t.Errorf("%s: %v", out, err)
	}
	out, _ = good(t, append([]string{"evaluate", "run", "--test", "routes.csv", "-n", "30"}, flags...)...)
	if !strings.Contains(out, "20 test walks") {
		t.Error(out)
	}
	good(t, append([]string{"evaluate", "run", "routes.csv"}, flags...)...)
	good(t, append([]string{"evaluate", "--graph", "run/graph.json", "routes.csv", "routes.csv"}, flags...)...)
	good(t, "sample", "run", "-n", "30", "-o", "drawn.csv") // its columns are v1 …
	good(t, append([]string{"evaluate", "run", "drawn.csv", "--test", "routes.csv"}, flags...)...)
	out, _ = good(t, append([]string{"paths", "list", "run/graph.json", "routes.csv", "--format", "csv"}, flags...)...)
	if !strings.Contains(out, "A,B,C,A,5\n") {
		t.Error(out)
	}
	good(t, append([]string{"paths", "convert", "run/graph.json", "routes.csv", "routes.jsonl"}, flags...)...)
	good(t, append([]string{"paths", "split", "run/graph.json", "routes.csv", "--train", "a.csv", "--held", "b.csv"},
		flags...)...)
	bad(t, exitUsage, []string{"--sep, --walk: of files of walks", "no FILE"}, append([]string{"paths", "list",
		"run/graph.json"}, flags...)...)
	bad(t, exitUsage, []string{"--sep, --walk: of files of walks", "neither FILE nor --test"}, append([]string{"evaluate",
		"run"}, flags...)...)
	bad(t, exitUsage, []string{"--sep, --walk: of files of walks, and routes.csv"}, append([]string{"score", "run",
		"routes.csv", "--vertices", "number"}, flags...)...)
}
