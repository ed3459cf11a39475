package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is misspelt is an error that says what was meant.
func TestSuggestions(t *testing.T) {
	writeWalks(t)
	good(t, "train", "--paths", "walks.txt", "-o", "run")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"did you mean shipped:heights?", []string{"sample", "shiped:heights"}},
		{"did you mean shipped:heights?", []string{"sample", "heights"}},
		{"did you mean shipped:toy?", []string{"evaluate", "toy"}},
		{"ridge is a graph, and 'ddps train --graph ridge", []string{"score", "ridge", "walks.txt"}},
		{"did you mean heights?", []string{"train", "--graph", "heigths", "-o", "x"}},
		{"did you mean heights?", []string{"graph", "info", "hieghts"}},
	} {
		bad(t, exitError, []string{c.want}, c.args...)
	}
	bad(t, exitUsage, []string{`"abc" is not a whole number`}, "sample", "run", "--seed", "abc")
	bad(t, exitError, []string{"lacks", `"Q"`}, "graph", "draw", "run/graph.json", "--path", "A,Q", "-o", "x.svg")
	// the caret is part of the error: --quiet keeps it; two letters that changed places are like the name
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	for text, want := range map[string]string{`visit("A", 8.10..8.45)`: "a time of day is written 8:10", `start("D")`: "no vertex"} {
		status, _, errs := call("explain", "run", "--where", text, "-q")
		if status == exitOK || !strings.Contains(errs, "^") || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q", text, status, errs)
		}
	}
	status, _, errs := call("explain", "shipped:heights", "--where", `visit("297100737")`)
	if status == exitOK || !strings.Contains(errs, `did you mean "297100377"?`) {
		t.Errorf("two digits that changed places: %q", errs)
	}
}

func TestGraphInfoPlaces(t *testing.T) {
	writeWalks(t)
	good(t, "graph", "make", "sequences", "walks.txt", "-o", "g.json")
	out, _ := good(t, "graph", "info", "g.json", "--places")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 4 || !strings.Contains(lines[1], "A") ||
		strings.Contains(out, "END") {
		t.Error(out)
	}
	js, _ := good(t, "graph", "info", "heights", "--places", "--json")
	var list []struct {
		Place int
		Name  string
	}
	if err := json.Unmarshal([]byte(js), &list); err != nil || len(list) != 42 || list[0].Place != 0 {
		t.Errorf("%v: %d places", err, len(list))
	}
	bad(t, exitError, []string{"no places"}, "graph", "info", "toy", "--places")
}
