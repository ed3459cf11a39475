package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// roadsCSV is a one-way map with travel times in seconds: A to B 2 slots of a minute, C to D 3.
const roadsCSV = "from,to,length,travel_time,colour\n" +
	"A,B,500,120,red\nB,C,400,60,red\nC,D,1000,180,blue\nA,D,2000,600,blue\nD,E,80,20,red\n"

// Walks of several starts that end where they first come to an end, with moves of several slots, by hand.
func TestGraphImportSlots(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "roads.csv", roadsCSV)
	base := strings.Fields("graph import roads.csv --merge 0 --directed --no-wait --start A=3 --start B --end D --end " +
		"E --absorb --slot 60s --from 8:00")
	_, notes := good(t, append(base, "--depth", "9", "-o", "g.json")...)
	for _, want := range []string{"columns not used: colour", `travel times from column "travel_time"`,
		"9 layers every 1m0s", "slots to the nearest end: 6 from A, 4 from B",
		"1 of 5 moves take longer than all layers"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "whatever its length") {
		t.Errorf("notes of moves of one step:\n%s", notes)
	}
	out, _ := good(t, "paths", "list", "g.json")
	got := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(got)
	want := []string{"A → B → C → D", "B → C → D"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	out, _ = good(t, "paths", "make", "g.json", "--how", "all", "--vertices", "timed")
	if want := "A,B,C,D,,,,,,8:00,8:02,8:03,8:06,,,,,,1\n"; !strings.Contains(out, want) {
		t.Errorf("with times:\n%s", out)
	}
	good(t, "paths", "make", "g.json", "--how", "starts", "-n", "4000", "-o", "p.csv")
	rows := strings.Split(strings.TrimSpace(clitest.Read(t, "p.csv")), "\n")
	for _, r := range rows[1:] { // 3000 and 1000 ± 5 standard errors
		n := r[strings.LastIndex(r, ",")+1:]
		if lo, hi := map[byte]string{'A': "2863", 'B': "0863"}[r[0]], map[byte]string{'A': "3137", 'B': "1137"}[r[0]]; len(
			rows) != 3 || pad(n) < lo || pad(n) > hi {
			t.Errorf("row %q", r)
		}
	}
	// every start counts, not only the last
	for _, s := range []string{"A", "B"} {
		good(t, "graph", "import", "roads.csv", "--merge", "0", "--start", s, "--depth", "4", "-o", s+".json")
	}
	good(t, "graph", "import", "roads.csv", "--merge", "0", "--start", "A", "--start", "B", "--depth", "4", "-o",
		"AB.json")
	count := func(file string) int {
		text, _ := good(t, "paths", "list", file, "-n", "10000", "-q")
		return strings.Count(text, "\n")
	}
	if a, b, both := count("A.json"), count("B.json"), count("AB.json"); both != a+b || a == 0 || b == 0 {
		t.Errorf("%d paths of two starts, %d and %d of one", both, a, b)
	}
	// a file of times of its own, a speed for what it lacks
	clitest.Write(t, "times.csv", "from,to,travel_time\nA,B,60\n")
	bad(t, exitError, []string{"times.csv", "4 moves have no travel time", "--speed"}, append(base, "--depth", "9",
		"--travel-times", "times.csv")...)
	_, notes = good(t, append(base, "--depth", "40", "--travel-times", "times.csv", "--speed", "5km/h", "-o", "h.json")...)
	if !strings.Contains(notes, `column "travel_time", in seconds: not used`) {
		t.Errorf("the column is not used:\n%s", notes)
	}
	for args, want := range map[string][]string{
		"--start A --absorb":                 {"--absorb goes with --end"},
		"--start A --speed 5km/h":            {"go with --slot"},
		"--start A=x":                        {"--start A=x", "weight"},
		"--start A --slot 1.5s":              {"--slot", "whole number of seconds"},
		"--start A --slot 60 --speed 5":      {"--speed", "5km/h"},
		"--start A --start B --dummies":      {"--dummies goes with one start"},
		"--start A --end B --absorb --early": {"absorb", "early"},
	} {
		bad(t, exitUsage, want, append(strings.Fields("graph import roads.csv --merge 0 --depth 4"),
			strings.Fields(args)...)...)
	}
	for args, want := range map[string][]string{
		"--start A --start Q":          {"start Q is not on the map"},
		"--start A --end Q":            {"end Q is not on the map"},
		"--start A --start A":          {"A"},
		"--start E --end A --directed": {"E"},
	} {
		bad(t, exitError, want, append(strings.Fields("graph import roads.csv --merge 0 --depth 4"),
			strings.Fields(args)...)...)
	}
}

// pad makes numbers below 10,000 comparable as text.
func pad(n string) string { return strings.Repeat("0", max(0, 4-len(n))) + n }
