package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// caseFiles copies the small inputs of the readers' tests into the working directory, a new one.
func caseFiles(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs(filepath.Join("..", "..", "datasets"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, dir := range []string{"", "maps", "pathfile"} {
		if err := os.CopyFS(filepath.Join("x", dir), os.DirFS(filepath.Join(from, dir, "testdata", "cases"))); err != nil {
			t.Fatal(err)
		}
		list, err := os.ReadDir(filepath.Join("x", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if f.Name() != "maps" && f.Name() != "pathfile" && f.Name() != "README.md" {
				if err := os.Rename(filepath.Join("x", dir, f.Name()), f.Name()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// What went wrong once, by its number, as a user meets it (casesByID lists all, with tests of the others): commands,
// and what they print on either output, leave in a file or say as an error. %: the status is not 0.
func TestCases(t *testing.T) {
	caseFiles(t)
	clitest.Write(t, "loop.repl", "import \"fmt\"\nvar list []func() int\nfor i := 0; i < 3; i++ {\n"+
		"\tlist = append(list, func() int { return i })\n}\n"+
		"for _, f := range list {\n\tfmt.Print(f(), \" \")\n}\nfmt.Println()\n")
	clitest.Write(t, "again.repl", "import \"fmt\"\nfunc f() int { return 1 }\nfmt.Println(f())\n"+
		"func f() int { return 2 }\nfmt.Println(f())\n")
	clitest.Write(t, "three.json", `{"format":"ddps-graph","version":1,"layers":[[[0,1,2]],[[0],[0],[0]],[[]]],`+
		`"names":[["s"],["a","b","c"],["t"]]}`)
	clitest.Write(t, "cuont.csv", "v1,v2,v3,v4,cuont\nA,B,E,H,7\n")
	clitest.Write(t, "twice.csv", "layer,from,to,reward\n1,A,B,1\n*,A,B,2\n")
	clitest.Write(t, "three.csv", "s,a,t,5\ns,b,t,3\ns,c,t,2\n")
	for name, totals := range map[string][3]string{"m1cost": {"100", "900", "950"}, "m1reward": {"1000", "1", "0"},
		"m2": {"3.1415926535", "2.7182818284", "1.4142135623"}, "m3": {"1700000000.25", "1700000000.5", "1700000000.75"},
		"m3b": {"1000000000.4", "999999999.6", "1000000000"}} {
		clitest.Write(t, name+".csv", "from,to,reward\ns,a,"+totals[0]+"\ns,b,"+totals[1]+"\ns,c,"+totals[2]+"\n")
	}
	good(t, "train", "-q", "--graph", "three.json", "--paths", "three.csv", "--network", "none", "--hold", "0", "--kappa",
		"0", "-o", "run")
	clitest.Write(t, "seven.toml", "[model]\nT = 7\n")
	good(t, "train", "-q", "--graph", "three.json", "--paths", "three.csv", "--network", "none", "--hold", "0", "--config",
		"seven.toml", "--kappa", "0", "-o", "seven")
	imports := func(file, more string) string {
		return "graph import " + file + " --depth 3 --merge 0 -o o.json " + more
	}
	for _, c := range []struct{ id, line, want, file string }{ // want: a regular expression
		{"F1", "paths convert example decimal-count.parquet o.csv", "",
			"v1,v2,v3,v4,count\nA,B,E,H,2\nA,C,G,J,3\nA,D,F,I,4\n"},
		{"F3", "paths convert example list-column.parquet o.csv", "columns not used: tags",
			"v1,v2,v3,v4,count\nA,B,E,H,2\nA,C,G,J,3\nA,D,F,I,4\n"},
		{"F4", "graph import antimeridian-split.osm --start 1 --depth 6 --merge 0 --split 300 -o o.json", "3 new nodes",
			"179.9975"},
		{"F6", "graph import antimeridian-grid.osm --start 112 --depth 6 -o o.json", "90 vertices, 289 edges, 2,617 paths",
			""},
		{"F9", "graph timetable gtfs-first-weeks-off --start A --from 8:00 --slot 600 --depth 4 -o o.json",
			"the day is 20240129", ""},
		{"F11", "graph timetable gtfs-missing-call --start A --from 8:00 --slot 600 --depth 4 -o o.json",
			"3 calls name a stop or a trip that is not in the feed", ""},
		{"F12", imports("overpass-remark.osm", "--start 1"), "%the server's remark: runtime error", ""},
		{"F13", imports("history.osm", "--start 1"), "%is the file a history", ""},
		{"F14", imports("locations-on-ways.osm.pbf", "--start 2"), "read 5 nodes, 4 undirected edges", ""},
		{"F16", imports("unknown-header.csv", "--start A"), "read 3 nodes, 2 undirected edges", ""},
		{"F18", imports("zero-length.csv", "--start A --nodes 2"), "3 layers, 5 vertices", `"B"`},
		{"F21", "graph import bridge.osm --start 1 --depth 4 --consolidate 10 -o o.json", "11 vertices, 18 edges, 16 paths",
			""},
		{"F21, merge", "graph import bridge.osm --start 1 --depth 4 -o o.json", "11 vertices, 18 edges, 16 paths", ""},
		{"F23", "repl loop.repl", "^0 1 2 \n", ""},
		{"F25", "repl again.repl", "^1\n2\n", ""},
		{"F27", imports("directed-0.graphml", "--start a"), "5 vertices, 6 edges, 4 paths", ""},
		{"user: column", "paths convert example cuont.csv o.csv", `columns not used: cuont \(did you mean count\?\)`,
			"A,B,E,H,1"},
		{"user: rewards", "graph draw example --paths cuont.csv --reward twice.csv -o x.svg",
			"rewards of several rows for one edge, which are added up: 1", ""},
		{"M1", "sample run -n 500 --where boltzmann(-1,cost)~and~avoid(\"a\") --cost m1cost.csv --distinct",
			"\ns,b,t,500\n", ""},
		{"M1, rewards", "explain run --json --where boltzmann(1)~and~avoid(\"a\") --reward m1reward.csv",
			`"model": 1\.01548`, ""},
		{"M5", "sample seven -n 5 --reverse eq2", "7 (reverse )?steps", ""},
		{"M5, score", "score seven three.csv -q", "s,a,t,0\\.69", ""},
		{"M5, evaluate", "evaluate seven -n 20", "100", ""},
		{"M2", "explain run --json --where reward>=2.7182818284 --reward m2.csv", `"model": 0\.8,`, ""},
		{"M3", "sample run -n 300 --where cost<=1700000000.3 --cost m3.csv --distinct", "\ns,a,t,300\n", ""},
		{"M3, of one", "sample run -n 300 --where reward>=1000000000.2 --reward m3b.csv --distinct", "\ns,a,t,300\n", ""},
		{"fault 8", "sample shipped:toy -n 3 --lambda 1e308 --guide eq7 --reward random:4", "%--lambda", ""},
		{"fault 5", "evaluate shipped:toy -n 1000000000 -q", "%of memory, of which there are .*: -n ", ""},
		{"fault 5, depth", imports("edges.csv", "--start A --depth 600000"), "%", ""},
		{"user: starts", "graph import unknown-header.csv --start A --start C --depth 3 --merge 0 -o o.json",
			"at most 9 vertices",
			`"starts"`},
		{"user: name", imports("unknown-header.csv", "--start a"), `%did you mean "A"`, ""},
	} {
		os.Remove("o.csv")
		os.Remove("o.json")
		args := strings.Fields(c.line)
		for k := range args {
			args[k] = strings.ReplaceAll(args[k], "~", " ")
		}
		status, out, errs := call(args...)
		want, fails := strings.CutPrefix(c.want, "%")
		if fails != (status != exitOK) || !regexp.MustCompile(want).MatchString(out+errs) {
			t.Errorf("%s: ddps %s: status %d\n%s%s", c.id, c.line, status, out, errs)
			continue
		}
		for _, name := range []string{"o.csv", "o.json"} {
			if text, err := os.ReadFile(name); err == nil && !strings.Contains(string(text), c.file) {
				t.Errorf("%s: %s has no %q: %.300s", c.id, name, c.file, text)
			}
		}
		if _, err := os.Stat("o.json"); fails && err == nil {
			t.Errorf("%s: a file was written", c.id)
		}
	}
	for _, name := range []string{"antimeridian-grid", "antimeridian-grid-shifted"} { // F6, F7
		good(t, "graph", "import", name+".osm", "--start", "112", "--depth", "6", "-o", name+".json", "-q")
		good(t, "paths", "make", name+".json", "-n", "400", "--how", "memory", "-o", name+".csv", "-q")
	}
	if a := clitest.Read(t, "antimeridian-grid.csv"); a != clitest.Read(t, "antimeridian-grid-shifted.csv") {
		t.Error("F6: a town has other paths 10° west")
	}
}
