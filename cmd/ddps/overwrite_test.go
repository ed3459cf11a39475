package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// overwriting are commands, and what their errors say.
const overwriting = `paths split w.csv --train w.csv --held h.csv | --train w.csv is the file of argument w.csv
paths split w.csv --train h.csv --held ./w.csv | --held ./w.csv is the file of argument w.csv
paths split g.json p.csv --train p.csv --held h.csv | --train p.csv
paths convert w.csv w.csv | argument w.csv is the file of argument w.csv
paths convert w.csv soft.csv | soft.csv is the file of argument w.csv
paths convert w.csv hard.csv | hard.csv is the file
paths convert w.csv FULL | is the file of argument w.csv
paths convert g.json p.csv p.csv | p.csv is the file of argument p.csv
paths convert g.json p.csv g.json --format csv | argument g.json is the file of argument g.json
paths import g.json t.csv -o t.csv | --output t.csv is the file of argument t.csv
paths import g.json t.csv --report t.csv -o x.csv | --report t.csv is the file of argument t.csv
paths make g.json -o g.json --format csv | --output g.json
paths count g.json p.csv -o p.csv | --output p.csv
graph import edges.csv --start A --depth 3 -o edges.csv | --output edges.csv
graph import edges.csv --coordinates r.csv --depth 3 -o r.csv | is the file of --coordinates r.csv
graph make sequences w.csv -o w.csv | --output w.csv
graph make sequences w.csv --edges edges.csv -o edges.csv | --edges edges.csv
graph convert g.json g.json | argument g.json
graph draw g.json --paths p.csv -o p.csv | --paths p.csv
graph timetable feed --start A --from 8:00 --depth 3 -o feed/stops.txt | is a file of the directory of argument feed
score run p.csv -o p.csv | --output p.csv is the file of argument p.csv
score run p.csv -o run/graph.json | is a file of the directory of argument run
score run/model.safetensors p.csv -o run/model.safetensors | is the file of argument run/model.safetensors
sample run --reward r.csv -o r.csv | --reward r.csv
sample run --where visit(file("names.txt")) -o names.txt --format csv | --where names.txt
sample run -o run/paths.csv | is a file of the directory of argument run
sample run -o dir/paths.csv | is a file of the directory
sample dir -o run/log.jsonl | is a file of the directory
sample run --config c.toml --reward p.csv | --output p.csv is the file of --reward p.csv
sample run --config both.toml | --output r.csv is the file of --reward r.csv
explain run --marginals r.csv --reward r.csv | --marginals r.csv is the file of --reward r.csv
view --graph g.json p.csv -o p.csv | --output p.csv
view --graph g.json p.csv -o g.json | --graph g.json
evaluate run --test p.csv --figure p.csv | --figure p.csv
`

// An output that is an input is refused before any work, whatever it is called, and no file changes.
func TestOutputIsInput(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "w.csv", strings.Repeat("A,B,A\nB,C,\n", 10))
	clitest.Write(t, "edges.csv", "from,to,length\nA,B,1\nB,C,1\n")
	clitest.Write(t, "t.csv", "track,step,place\n1,1,A\n1,2,B\n1,3,E\n1,4,H\n")
	clitest.Write(t, "p.csv", "A,B,E,H\n")
	clitest.Write(t, "r.csv", "layer,from,to,reward\n1,A,B,1\n")
	clitest.Write(t, "names.txt", "B\n")
	clitest.Write(t, "c.toml", "output = 'p.csv'\n")
	clitest.Write(t, "both.toml", "output = 'r.csv'\nreward = 'r.csv'\n")
	good(t, "graph", "make", "example", "-o", "g.json")
	good(t, "train", "--graph", "g.json", "--paths", "p.csv", "--model", "chain", "-o", "run")
	if err := os.Mkdir("feed", 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, "feed/stops.txt", "stop_id\n")
	for link, of := range map[string]string{"soft.csv": "w.csv", "dir": "run"} {
		if err := os.Symlink(of, link); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link("w.csv", "hard.csv"); err != nil {
		t.Skip(err)
	}
	full, err := filepath.Abs("w.csv")
	if err != nil {
		t.Fatal(err)
	}
	before := clitest.Listing(t)
	for line := range strings.Lines(strings.ReplaceAll(overwriting, "FULL", full)) {
		args, want, _ := strings.Cut(strings.TrimSpace(line), " | ")
		bad(t, exitUsage, []string{want, "name another output"}, strings.Fields(args)...)
		if !slices.Equal(clitest.Listing(t), before) {
			t.Fatalf("%s: files changed", args)
		}
	}
	good(t, "sample", "run", "-n", "5", "-o", "run/samples.csv") // no file of the run's own, twice
	good(t, "sample", "run", "-n", "5", "-o", "run/samples.csv")
	good(t, "score", "run", "p.csv", "-o", os.DevNull)
	good(t, "train", "--resume", "-o", "run")
}

// The files of a run directory are all known as such.
func TestRunFilesKept(t *testing.T) {
	t.Chdir(t.TempDir())
	good(t, "train", "--graph", "example", "--model", "chain", "-o", "run")
	list, err := os.ReadDir("run")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if name := f.Name(); !f.IsDir() {
			bad(t, exitUsage, []string{"is a file of the directory"}, "sample", "run", "-o", "run/"+name, "--format", "csv")
		}
	}
}

// Standard input that is an output is refused.
func TestOutputIsStdin(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "stdin", strings.Repeat("A B A\nB C\n", 10))
	f, err := os.Open("stdin")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = old }()
	bad(t, exitUsage, []string{"argument stdin is the file of argument -"}, "paths", "convert", "-", "stdin", "--format",
		"lines")
}

// Each flag that names a file says whether it is read or written.
func TestFlagsOfFiles(t *testing.T) {
	walk(newRoot(&cli.App{}), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			kind, _ := pflag.UnquoteUsage(f)
			writes := strings.Contains(f.Usage, "to write") || strings.Contains(f.Usage, "as --output")
			switch {
			case writes && !cli.IsOutput(f):
				t.Errorf("%s --%s writes a file: mark it with cli.Outputs", c.CommandPath(), f.Name)
			case !writes && (kind == "file" || kind == "reward" || kind == "cost") && !cli.IsInput(f):
				t.Errorf("%s --%s reads a file: mark it with cli.Inputs", c.CommandPath(), f.Name)
			}
		})
	})
}
