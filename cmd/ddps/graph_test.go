package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/cmd/ddps/internal/graphcmd"
	"github.com/ddps-go/ddps/ddps"
)

func TestGraphMakeInfo(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, paths := range map[string]string{"toy": "1063", "rq1": "1350", "heights": "1217906", "ridge": "36607667",
		"example": "10"} {
		good(t, "graph", "make", name, "-o", name+".json")
		for _, arg := range []string{name, name + ".json"} {
			if out, _ := good(t, "paths", "count", arg); out != paths+"\n" {
				t.Errorf("paths count %s: %q, want %s", arg, out, paths)
			}
		}
		if out, _ := good(t, "graph", "validate", name+".json"); !strings.HasPrefix(out, name+".json: valid: ") {
			t.Errorf("validate %s: %q", name, out)
		}
	}
	out, _ := good(t, "graph", "info", "heights.json")
	for _, want := range []string{"12 of 1, 2, 42 ×10 vertices", "423, 317 of them on some path", "933", "1,217,906",
		"places", "ODbL 1.0", "297100377", "Unioninkatu"} {
		if !strings.Contains(out, want) {
			t.Errorf("info lacks %q:\n%s", want, out)
		}
	}
	var info graphcmd.GraphInfo
	out, _ = good(t, "graph", "info", "heights.json", "--json")
	if err := json.Unmarshal([]byte(out), &info); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range info.Degrees {
		sum += n
	}
	if info.Paths.String() != "1217906" || info.Places != 42 || info.Reachable != 317 ||
		sum != 317-len(lastReached(t, "heights")) {
		t.Errorf("info %+v", info)
	}
}

// lastReached returns the vertices of the last layer that are on some path.
func lastReached(t *testing.T, name string) (list []int) {
	t.Helper()
	g, err := cli.LoadGraph(name)
	if err != nil {
		t.Fatal(err)
	}
	on := g.Reachable()
	lo, hi := g.Layer(g.NumLayers() - 1)
	for v := lo; v < hi; v++ {
		if on[v] {
			list = append(list, v)
		}
	}
	return list
}

func TestGraphMakeSeed(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _ := good(t, "graph", "make", "toy", "--seed", "7")
	b, _ := good(t, "graph", "make", "toy", "--seed", "7", "-o", "-")
	c, _ := good(t, "graph", "make", "toy")
	if a != b || a == c {
		t.Error("seeds and outputs do not behave")
	}
	g, err := ddps.ReadGraph(strings.NewReader(a))
	if err != nil || g.NumVertices() != 41 {
		t.Fatal(g, err)
	}
	_, notes := good(t, "graph", "make", "toy", "-o", "toy.json")
	_, quiet := good(t, "graph", "make", "toy", "-o", "toy.json", "--quiet")
	if notes == "" || quiet != "" {
		t.Errorf("notes %q, with --quiet %q", notes, quiet)
	}
}

func TestGraphStdin(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "graph", "make", "example", "-o", "g.json")
	f, err := os.Open("g.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = old }()
	if out, _ := good(t, "paths", "count", "-"); out != "10\n" {
		t.Errorf("count of standard input: %q", out)
	}
}

func TestGraphDraw(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, magic := range map[string]string{"a.png": "\x89PNG", "a.svg": "<?xml", "a.PDF": "%PDF"} {
		good(t, "graph", "draw", "example", "--path", "A,C,G,H", "--path", "A,B,E,I", "-o", name)
		if !strings.HasPrefix(clitest.Read(t, name), magic) {
			t.Errorf("%s is none", name)
		}
	}
	good(t, "graph", "draw", "example", "--path", "A,C,G,H", "--palm", "-o", "palm.png")
	good(t, "graph", "draw", "heights", "-o", "heights.png", "--title", "Heights")
}

// Pictures of files of paths, one or several, on a map and without one, and of samples.
func TestGraphDrawPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "a.csv", "A,B,E,H\nA,B,E,I\n")
	clitest.Write(t, "b.csv", "A,C,G,H,3\nA,B,E,I,1\n")
	clitest.Write(t, "u.csv", "1,A,C,1\n")
	good(t, "graph", "draw", "example", "--paths", "a.csv", "-o", "a.png", "--title", "Paths")
	good(t, "graph", "draw", "example", "--paths", "a.csv", "--paths", "b.csv", "--reward", "u.csv", "-o", "both.svg")
	good(t, "sample", "shipped:heights", "-q", "-n", "40", "--guide", "max", "--reward", "rare:2", "-o", "town.csv",
		"--figure", "town.png")
	good(t, "graph", "draw", "heights", "--paths", "town.csv", "--reward", "rare:2", "-o", "again.png", "--title",
		"shipped:heights, the greatest reward")
	if clitest.Read(t, "town.png") != clitest.Read(t, "again.png") {
		t.Error("sample --figure and graph draw --paths differ")
	}
	bad(t, exitUsage, []string{"--path and --paths"}, "graph", "draw", "example", "--paths", "a.csv", "--path", "A,C,G,H",
		"-o", "x.png")
	bad(t, exitUsage, []string{"--reward goes with --paths"}, "graph", "draw", "example", "--reward", "u.csv", "-o",
		"x.png")
	bad(t, exitError, []string{"none.csv", "no such file"}, "graph", "draw", "example", "--paths", "none.csv", "-o",
		"x.png")
	bad(t, exitError, []string{"town.csv"}, "graph", "draw", "example", "--paths", "town.csv", "-o", "x.png")
	bad(t, exitUsage, []string{"x.gif"}, "sample", "shipped:toy", "--figure", "x.gif", "-o", "x.csv")
	bad(t, exitError, []string{"cannot write none/x.png"}, "sample", "shipped:toy", "--figure", "none/x.png", "-o",
		"x.csv")
}

func TestGraphBad(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "file", "")
	for name, c := range map[string]struct{ text, want string }{
		"syntax.json":  {"{\"format\": \"ddps-graph\",\n\"version\": 1,\n\"layers\": [[}", "line 3"},
		"empty.json":   {"", "empty file"},
		"cut.json":     {"{\"format\": \"ddps-graph\"", "too early"},
		"list.json":    {"[]", "array"},
		"format.json":  {`{"format": "graph", "version": 1, "layers": []}`, "field format"},
		"version.json": {`{"format": "ddps-graph", "version": 2, "layers": []}`, "version 2"},
		"extra.json":   {`{"format": "ddps-graph", "version": 1, "laiers": []}`, "laiers"},
		"layers.json":  {`{"format": "ddps-graph", "version": 1, "layers": [[[0],[0]], [[]]]}`, "layer 1"},
		"edge.json":    {`{"format": "ddps-graph", "version": 1, "layers": [[[5]], [[]]]}`, "layers[0][0][0]"},
		"dead.json":    {`{"format": "ddps-graph", "version": 1, "layers": [[[0]], [[]], [[]]]}`, "vertex 1"},
		"nan.json":     {`{"format": "ddps-graph", "version": 1, "layers": [[[0]], [[]]], "coordinates": [[[NaN, 0]], [[0, 0]]]}`, "line 1"},
		"names.json":   {`{"format": "ddps-graph", "version": 1, "layers": [[[0]], [[]]], "names": [["a"]]}`, "names"},
	} {
		clitest.Write(t, name, c.text)
		for _, command := range []string{"graph validate", "graph info", "paths count", "paths list", "paths make"} {
			bad(t, exitError, []string{name, c.want}, append(strings.Fields(command), name)...)
		}
		bad(t, exitError, []string{name, c.want}, "graph", "draw", name, "-o", "x.png")
	}
	bad(t, exitError, []string{"none.json", "no such file"}, "graph", "info", "none.json")
	bad(t, exitError, []string{"graph heigts: no such file", "did you mean heights?"}, "graph", "info",
		"heigts")
	bad(t, exitError, []string{"graph city: no such file", "ddps graph make city"}, "graph", "info", "city")
	if capital, _ := good(t, "paths", "count", "Toy"); capital != "1063\n" {
		t.Errorf("Toy has %s paths", capital)
	}
	bad(t, exitError, []string{"a directory"}, "graph", "info", ".")
	bad(t, exitUsage, []string{`"tuy"`}, "graph", "make", "tuy")
	bad(t, exitUsage, []string{"--seed"}, "graph", "make", "heights", "--seed", "1")
	for _, out := range []string{"file/x.json", "none/x.json", "."} {
		bad(t, exitError, []string{"cannot write " + out}, "graph", "make", "toy", "-o", out)
	}
	bad(t, exitError, []string{"cannot write none/x.png"}, "graph", "draw", "toy", "-o", "none/x.png")
	bad(t, exitUsage, []string{"x.gif", ".png"}, "graph", "draw", "toy", "-o", "x.gif")
	bad(t, exitUsage, []string{"--palm"}, "graph", "draw", "toy", "--palm", "-o", "x.png")
	bad(t, exitError, []string{"--path A,C,G", "3 fields"}, "graph", "draw", "example", "--path", "A,C,G", "-o", "x.png")
	bad(t, exitError, []string{`no vertex "X"`}, "graph", "draw", "example", "--path", "A,C,G,X", "-o", "x.png")
	bad(t, exitError, []string{"no edge from B to G"}, "graph", "draw", "example", "--path", "A,B,G,H", "-o", "x.png")
	bad(t, exitError, []string{"no path"}, "graph", "draw", "example", "--path", "", "-o", "x.png")
}

// A file called like a graph of the program is reached with a path.
func TestGraphNameOrFile(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "graph", "make", "example", "-o", "toy")
	for arg, want := range map[string]string{"toy": "1063\n", "./toy": "10\n"} {
		if out, _ := good(t, "paths", "count", arg); out != want {
			t.Errorf("%s: %q", arg, out)
		}
	}
}
