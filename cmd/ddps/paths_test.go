package main

import (
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestPathsMake(t *testing.T) {
	t.Chdir(t.TempDir())
	_, notes := good(t, "paths", "make", "toy", "-o", "all.csv")
	if !strings.Contains(notes, "1,063 distinct paths, 1,063 in all") || strings.Count(clitest.Read(t, "all.csv"),
		"\n") != 1064 {
		t.Errorf("all: %s", notes)
	}
	a, _ := good(t, "paths", "make", "toy", "-n", "20", "--seed", "5")
	b, _ := good(t, "paths", "make", "toy", "-n", "20", "--seed", "5", "--how", "uniform", "-o", "-")
	c, _ := good(t, "paths", "make", "toy", "-n", "20", "--seed", "6")
	if a != b || a == c || strings.Count(a, "\n") != 21 {
		t.Error("uniform draws do not follow the seed")
	}
	_, notes = good(t, "paths", "make", "heights", "-n", "500", "--how", "memory", "-o", "memory.jsonl")
	if !strings.Contains(notes, "500 distinct paths, 2,") {
		t.Errorf("memory: %s", notes)
	}
	if out, _ := good(t, "paths", "make", "example", "--format", "jsonl", "--vertices", "number"); !strings.HasPrefix(out,
		`{"path":[0,1,4,7],"count":1}`+"\n") {
		t.Errorf("JSON Lines: %q", out)
	}
}

func TestPathsList(t *testing.T) {
	t.Chdir(t.TempDir())
	out, notes := good(t, "paths", "list", "example", "-n", "3")
	if out != "A → B → E → H\nA → B → E → I\nA → B → F → I\n" || !strings.Contains(notes, "7 more") {
		t.Errorf("%q, %q", out, notes)
	}
	if out, notes := good(t, "paths", "list", "example"); strings.Count(out, "\n") != 10 || notes != "" {
		t.Errorf("%q, %q", out, notes)
	}
	if out, _ := good(t, "paths", "list", "example", "-n", "1", "--format",
		"csv"); out != "v1,v2,v3,v4,count\nA,B,E,H,1\n" {
		t.Errorf("csv %q", out)
	}
	clitest.Write(t, "p.csv", "A,C,G,H,3\nA,B,E,I\n")
	if out, notes := good(t, "paths", "list", "example", "p.csv", "-n", "1"); out != "A → C → G → H  ×3\n" ||
		!strings.Contains(notes, "1 more") {
		t.Errorf("%q, %q", out, notes)
	}
	if out, _ := good(t, "paths", "list", "ridge", "-n", "2", "--quiet"); strings.Count(out, "\n") != 2 {
		t.Errorf("ridge %q", out)
	}
}

func TestPathsConvert(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "paths", "make", "heights", "-n", "100", "--how", "memory", "-o", "a.csv")
	for _, step := range []string{"a.csv b.jsonl", "b.jsonl c.csv --to number", "c.csv d.jsonl --from number --to number",
		"d.jsonl e.ndjson", "e.ndjson f.csv", "f.csv g --format jsonl"} {
		good(t, append([]string{"paths", "convert", "heights"}, strings.Fields(step)...)...)
	}
	if clitest.Read(t, "a.csv") != clitest.Read(t, "f.csv") || clitest.Read(t, "b.jsonl") != clitest.Read(t, "g") ||
		clitest.Read(t, "a.csv") == clitest.Read(t, "c.csv") {
		t.Error("a way round changes the paths")
	}
	if out, _ := good(t, "paths", "convert", "heights", "a.csv", "-"); out != clitest.Read(t, "a.csv") {
		t.Error("standard output differs")
	}
	bad(t, exitUsage, []string{"would be overwritten"}, "paths", "convert", "heights", "a.csv", "a.csv") // onto itself
}

func TestPathsSplit(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "paths", "make", "toy", "-o", "all.csv")
	_, notes := good(t, "paths", "split", "toy", "all.csv", "--hold", "0.2", "--seed", "3", "--train", "a.csv", "--held",
		"b.jsonl")
	if !strings.Contains(notes, "a.csv: 850 paths") || !strings.Contains(notes, "b.jsonl: 213 paths") {
		t.Errorf("notes %q", notes)
	}
	if strings.Count(clitest.Read(t, "a.csv"), "\n") != 851 || strings.Count(clitest.Read(t, "b.jsonl"), "\n") != 213 {
		t.Error("sizes of the parts")
	}
	clitest.Write(t, "one.csv", "A,B,E,H,5\n")
	bad(t, exitError, []string{"one.csv", "nothing to hold out"}, "paths", "split", "example", "one.csv", "--by", "path",
		"--train", "x.csv", "--held", "y.csv")
	bad(t, exitError, []string{"cannot write none/y.csv"}, "paths", "split", "toy", "all.csv", "--train", "x.csv",
		"--held", "none/y.csv")
	bad(t, exitUsage, []string{"same file"}, "paths", "split", "toy", "all.csv", "--train", "x.csv", "--held", "./x.csv")
	bad(t, exitUsage, []string{"y.txt"}, "paths", "split", "toy", "all.csv", "--train", "x.csv", "--held", "y.txt")
	bad(t, exitUsage, []string{"held"}, "paths", "split", "toy", "all.csv", "--train", "x.csv")
	for _, hold := range []string{"0", "1", "1.5", "-0.1", "NaN", "x"} {
		bad(t, exitUsage, []string{"--hold"}, "paths", "split", "toy", "all.csv", "--hold", hold, "--train", "x.csv",
			"--held", "y.csv")
	}
}

func TestPathsMakeBad(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string][]string{
		"toy -n 1064 -o x.csv":           {"1064", "1063"},
		"toy --how memory -n 5 -o x.csv": {"memory", "no places"},
		"ridge --how all -o x.csv":       {"36607667", "limit of 1000000"},
		"toy --limit 10 -o x.csv":        {"limit of 10"},
		"toy -o none/x.csv":              {"cannot write none/x.csv"},
		"none.json -o x.csv":             {"none.json"},
		"ridge -n 347000 -o none/x.csv":  {"cannot write none/x.csv"},
	} {
		bad(t, exitError, want, append([]string{"paths", "make"}, strings.Fields(args)...)...)
	}
	for args, want := range map[string][]string{
		"toy -o x.txt":              {"x.txt", "--format"},
		"toy --how all -n 5":        {"leave out -n"},
		"toy --how uniform":         {"-n is missing"},
		"toy -n -3":                 {"-n"},
		"toy -n 5 --seed 1.5":       {"--seed"},
		"toy -o x.csv --format tsv": {"--format"},
	} {
		bad(t, exitUsage, want, append([]string{"paths", "make"}, strings.Fields(args)...)...)
	}
}

// Whatever is wrong with a file of paths, the error names the file and the line,
// and there is no output.
func TestPathsFileBad(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct{ text, want string }{
		"empty.csv":    {"", "no path"},
		"header.csv":   {"v1,v2,v3,v4,count\n", "no path"},
		"unknown.csv":  {"A,B,E,H\nA,B,E,Z\n", `unknown.csv:2: field 4: no vertex "Z"`},
		"short.csv":    {"A,B,E\n", "short.csv:1: 3 fields"},
		"nopath.csv":   {"A,B,E,H\nA,B,G,H\n", "nopath.csv:2: not a path"},
		"count0.csv":   {"A,B,E,H,0\n", "count0.csv:1: field 5"},
		"countnan.csv": {"A,B,E,H,NaN\n", "countnan.csv:1: field 5"},
		"quote.csv":    {"A,B,\"E,H\n", "quote.csv:"},
		"cut.jsonl":    {`{"path": ["A", "B"`, "cut.jsonl:1"},
		"field.jsonl":  {`{"paths": []}`, "field.jsonl:1"},
		"number.jsonl": {`{"path": [0, 1, 4, 99]}`, "number.jsonl:1: field path[3]: vertex 99"},
		"layer.jsonl":  {`{"path": [0, 1, 4, 4]}`, "layer.jsonl:1: field path[3]"},
		"count.jsonl":  {`{"path": [0, 1, 4, 7], "count": -2}`, "count.jsonl:1: field count"},
		"nan.jsonl":    {`{"path": [0, 1, 4, 7], "count": NaN}`, "nan.jsonl:1"},
		"paths.txt":    {"A,B,E,H\n", "paths.txt"},
	} {
		clitest.Write(t, name, c.text)
		bad(t, exitError, []string{c.want}, "paths", "list", "example", name)
		bad(t, exitError, []string{c.want}, "paths", "convert", "example", name, "x.csv")
		bad(t, exitError, []string{c.want}, "paths", "split", "example", name, "--train", "x.csv", "--held", "y.csv")
	}
	bad(t, exitError, []string{"none.csv", "no such file"}, "paths", "convert", "example", "none.csv", "x.csv")
	clitest.Write(t, "good.csv", "A,B,E,H\n")
	bad(t, exitError, []string{`"A" is not the number`}, "paths", "convert", "example", "good.csv", "x.csv", "--from",
		"number")
	bad(t, exitUsage, []string{"x.txt"}, "paths", "convert", "example", "good.csv", "x.txt")
	bad(t, exitError, []string{"cannot write none/x.csv"}, "paths", "convert", "example", "good.csv", "none/x.csv")
	if err := os.Mkdir("directory.csv", 0o755); err != nil {
		t.Fatal(err)
	}
	bad(t, exitError, []string{"directory"}, "paths", "convert", "example", "good.csv", "directory.csv")
}
