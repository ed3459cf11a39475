package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// call runs the command in process.
func call(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = execute(context.Background(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// good runs the command and fails the test unless it succeeds.
func good(t testing.TB, args ...string) (stdout, stderr string) {
	t.Helper()
	status, out, errs := call(args...)
	if status != exitOK {
		t.Fatalf("ddps %s: status %d, %s", strings.Join(args, " "), status, errs)
	}
	return out, errs
}

// bad runs the command and fails the test unless it leaves with the status, an
// error of one line that has all parts, nothing on standard output and the
// working directory as it was.
func bad(t *testing.T, status int, parts []string, args ...string) {
	t.Helper()
	before := clitest.Listing(t)
	got, out, errs := call(args...)
	what := "ddps " + strings.Join(args, " ")
	if got != status {
		t.Errorf("%s: status %d, want %d (%s)", what, got, status, errs)
	}
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	last := lines[len(lines)-1]
	if status == exitUsage {
		last = lines[0]
	}
	if !strings.HasPrefix(last, "ddps: ") || strings.Count(errs, "ddps: ") != 1 {
		t.Errorf("%s: standard error is no single error: %q", what, errs)
	}
	for _, p := range parts {
		if !strings.Contains(last, p) {
			t.Errorf("%s: error %q lacks %q", what, last, p)
		}
	}
	if out != "" {
		t.Errorf("%s: standard output %q", what, out)
	}
	if after := clitest.Listing(t); !slices.Equal(before, after) {
		t.Errorf("%s: files %q, before %q", what, after, before)
	}
}

// walk calls f for all commands of the program.
func walk(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		walk(c, f)
	}
}

// Every command says what it does and shows how; the examples' commands and flags exist.
func TestHelp(t *testing.T) {
	walk(newRoot(&cli.App{Stdout: os.Stdout, Stderr: os.Stderr}), func(c *cobra.Command) {
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s: no short text or no example", c.CommandPath())
		}
		out, _ := good(t, append(strings.Fields(c.CommandPath())[1:], "--help")...)
		if !strings.Contains(out, "Examples:") || !strings.Contains(out, "Usage:") {
			t.Errorf("%s --help:\n%s", c.CommandPath(), out)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			kind, _ := pflag.UnquoteUsage(f)
			if slices.Contains([]string{"string", "strings", "stringArray", "int", "uint", "float"}, kind) {
				t.Errorf("%s --help says --%s %s: name what it wants in backquotes", c.CommandPath(), f.Name, kind)
			}
		})
		for _, line := range strings.Split(c.Example, "\n") {
			for _, part := range strings.Split(line, "|") {
				example(t, c, words(part))
			}
		}
	})
}

// words cuts a line as a shell does, with '…' around words that have spaces.
func words(line string) []string {
	var list []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// example checks a command line of an example, without running it.
func example(t *testing.T, of *cobra.Command, line []string) {
	t.Helper()
	if len(line) == 0 || line[0] != "ddps" {
		t.Errorf("%s: example %q does not call ddps", of.CommandPath(), line)
		return
	}
	c, rest, err := newRoot(&cli.App{}).Find(line[1:])
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil && c.Args != nil {
		err = c.Args(c, c.Flags().Args())
	}
	if err == nil {
		err = c.ValidateRequiredFlags()
	}
	if err != nil {
		t.Errorf("%s: example %q: %v", of.CommandPath(), line, err)
	}
}

func TestVersion(t *testing.T) {
	out, _ := good(t, "--version")
	for _, want := range []string{"ddps ", "go1.", "gomlx "} {
		if !strings.Contains(out, want) {
			t.Errorf("--version %q lacks %q", out, want)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string][]string{
		"grph":                          {`unknown command "grph"`, "did you mean graph?"},
		"graph inf":                     {`unknown command "inf"`, "did you mean info"},
		"--bogus":                       {"--bogus"},
		"graph info":                    {"argument GRAPH is missing"},
		"graph info toy rq1":            {`"rq1" is one too many`},
		"graph make toy --seed x":       {"--seed"},
		"graph make toy --seed -1":      {"--seed"},
		"graph draw toy":                {"output"},
		"paths make toy --how some":     {"--how", "expected one of all, uniform, memory"},
		"paths make toy -n 0":           {"-n", "want 1 or more"},
		"paths make toy -n 1.5":         {"-n", `"1.5" is not a whole number`},
		"paths make toy -n NaN":         {"-n", `"NaN" is not a whole number`},
		"paths split toy x --hold +Inf": {"--hold", "not a finite number"},
	} {
		bad(t, exitUsage, want, strings.Fields(args)...)
	}
}

func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	status := execute(ctx, []string{"paths", "make", "toy", "-o", "toy.csv"}, &out, &errs)
	if status != exitInterrupted || errs.String() != "ddps: interrupted\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
	if files := clitest.Listing(t); len(files) != 1 {
		t.Errorf("left %q", files)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, _ := good(t, "completion", shell); !strings.Contains(out, "ddps") {
			t.Errorf("%s: %q", shell, out)
		}
	}
	for args, want := range map[string]string{
		"graph info r":                          "rq1\nridge\n:0",
		"paths make toy --how ":                 "all\nuniform\nmemory\npromoter\nstarts\n:4",
		"graph draw toy --output ":              "png\nsvg\npdf\n:8",
		"graph import ":                         "pbf\nosm\nbz2\njson\ngeojson\ngraphml\nzip\ncsv\ntsv\ntxt\ngz\n:8",
		"graph make h":                          "heights\n",
		"paths split toy toy.csv --train ":      "csv\njsonl\nndjson\nparquet\nfasta\ngeojson\n:8",
		"paths convert toy a.csv b.csv x --to ": "name\nnumber\ntimed\n:4",
	} {
		words := strings.Fields(args)
		if strings.HasSuffix(args, " ") {
			words = append(words, "")
		}
		if out, _ := good(t, append([]string{"__complete"}, words...)...); !strings.Contains(out, want) {
			t.Errorf("%s: completes to %q, want %q", args, out, want)
		}
	}
}

func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"datasets: x.csv:3: field 2: ddps: bad": "x.csv:3: field 2: bad",
		"ddps":                                  "ddps",
		"d3pm: sample: one\ntwo":                "sample: one; two",
		"town: ddps: graph: line 3: wrong":      "town: graph: line 3: wrong",
	} {
		if got := cli.Message(errorString(text)); got != want {
			t.Errorf("message(%q) = %q, want %q", text, got, want)
		}
	}
}

type errorString string

func (e errorString) Error() string { return string(e) }
