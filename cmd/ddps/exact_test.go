package main

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// --exact draws from a stack by rejection: the paths meet the condition, the same for any number of threads; it is
// refused where there is nothing to condition or reverse steps are wanted, and is said to change nothing elsewhere.
func TestSampleExact(t *testing.T) {
	t.Chdir(t.TempDir())
	draw := []string{"sample", "shipped:names", "-n", "20", "--exact"}
	where := append(draw, "--where", `start("j") and end("n")`)
	one, errs := good(t, append(where, "--threads", "1")...)
	if !strings.Contains(errs, "by rejection: about ") {
		t.Errorf("%q", errs)
	}
	if two, _ := good(t, append(where, "--threads", "2")...); two != one {
		t.Error("one thread and two differ")
	}
	rows := strings.Split(strings.TrimSpace(one), "\n")[1:]
	for _, row := range rows {
		if walk := strings.TrimRight(strings.TrimSuffix(row, ",1"), ","); walk[0] != 'j' || walk[len(walk)-1] != 'n' {
			t.Errorf("%q does not meet the condition", row)
		}
	}
	if len(rows) != 20 {
		t.Errorf("%d rows", len(rows))
	}
	bad(t, exitUsage, []string{"--exact is for a condition: give --where"}, draw...)
	bad(t, exitUsage, []string{"leave out --steps"}, append(where, "--steps", "4")...)
	bad(t, exitError, []string{"too few for rejection; leave out --exact"}, append(draw, "--where",
		`start("x") and end("q") and length 14..15`)...)
	_, errs = good(t, "sample", "shipped:heights", "-n", "2", "--exact", "--where", "visit(place 30)")
	if !strings.Contains(errs, "--exact changes nothing") {
		t.Errorf("%q", errs)
	}
	bad(t, exitUsage, []string{"--exact is for stacks"}, "sample", "shipped:toy", "-n", "2", "--exact", "--where",
		"visit(vertex 7)")
}

// The estimate of a stack is of so many draws, by a seed.
func TestExplainStackSeed(t *testing.T) {
	t.Chdir(t.TempDir())
	told := map[string]bool{}
	for _, how := range [][]string{nil, {"--seed", "1"}, {"-n", "64"}} {
		out, errs := good(t, append([]string{"explain", "shipped:names", "--where", `visit("q")`}, how...)...)
		line := regexp.MustCompile(`under the part gru .*`).FindString(out)
		if line == "" || told[line] || strings.Contains(errs, "not used") {
			t.Errorf("%v: %q, notes %s", how, line, errs)
		}
		told[line] = true
	}
}

// score --given under a stack with a network is an estimate, by a seed, with a standard error; without one it is exact.
// Validation walks to which a stack was fitted again are said to be such.
func TestEstimatesOfStack(t *testing.T) {
	t.Chdir(t.TempDir())
	type score struct {
		Exact    bool
		StdErr   float64
		LogGiven float64 `json:"log_given"`
		GivenErr float64 `json:"log_given_stderr"`
	}
	read := func(args ...string) (s score) {
		out, _ := good(t, append([]string{"score", "--json"}, args...)...)
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	clitest.Write(t, "names.txt", "a n n a\na d a\n")
	given := []string{"shipped:names", "names.txt", "--given", `start("a") and end("a")`}
	one, two := read(given...), read(append(given, "--seed", "1")...)
	if one.Exact || one.LogGiven == two.LogGiven || !(one.GivenErr > 0 && one.StdErr > one.GivenErr) ||
		math.Abs(one.LogGiven-two.LogGiven) > 6*one.GivenErr {
		t.Errorf("seeds 0 and 1: %+v, %+v", one, two)
	}
	clitest.Write(t, "walks.txt", strings.Repeat("A B C\nA C B\nB A\n", 30))
	good(t, "train", "--paths", "walks.txt", "--model", "second-order", "-o", "run")
	clitest.Write(t, "few.txt", "A B C\nA C B\n")
	if s := read("run", "few.txt", "--given", `start("A")`); !s.Exact || s.GivenErr != 0 {
		t.Errorf("a tractable stack: %+v", s)
	}
	if out, _ := good(t, "evaluate", "run", "-n", "50"); !regexp.MustCompile(
		`11 validation walks, to which the model was fitted again; \d+\.\d+ before`).MatchString(out) {
		t.Error(out)
	}
	good(t, "train", "--paths", "walks.txt", "--model", "second-order", "--no-refit", "-o", "kept")
	out, _ := good(t, "evaluate", "kept", "-n", "50")
	if !strings.Contains(out, "11 validation walks, 11 of known paths") {
		t.Error(out)
	}
}
