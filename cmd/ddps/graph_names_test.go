package main

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// TestGraphValidateNames: names that files may mistake for others are warned about, once each kind; the graph is valid.
func TestGraphValidateNames(t *testing.T) {
	t.Chdir(t.TempDir())
	graph := func(a, b string) {
		clitest.Write(t, "g.json", `{"format": "ddps-graph", "version": 1, "layers": [[[0, 1]], [[0], [0]], [[]]],
			"names": [["s"], [`+a+`, `+b+`], ["t"]]}`)
	}
	for names, want := range map[[2]string]string{
		{`"a"`, `" a"`}:       `"a" and " a"`,
		{`"x\ny"`, `"b"`}:     `control characters, which tables do not keep: "x\ny"`,
		{`"é"`, `"e\u0301"`}:  "form of Unicode are different vertices",
		{`"Bath"`, `"bath"`}:  `"Bath" and "bath"`,
		{`" "`, `"b"`}:        `keep: " "`,
		{`"Bath"`, `"Wells"`}: "",
	} {
		graph(names[0], names[1])
		out, said := good(t, "graph", "validate", "g.json")
		if !strings.HasPrefix(out, "g.json: valid: ") || !strings.Contains(said, want) ||
			(want == "") != (said == "") || strings.Count(said, want) != 1 && want != "" {
			t.Errorf("%v: %q, %q", names, out, said)
		}
	}
}
