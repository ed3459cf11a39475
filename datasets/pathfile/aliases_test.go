package pathfile

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

func TestReadAliases(t *testing.T) {
	g := ddps.Example()
	for _, c := range []struct {
		in   string
		want map[string][]string
		note string
	}{
		{"alias,name\nx,A\ny,B\nx,C\nx,A\n", map[string][]string{"x": {"A", "C"}, "y": {"B"}}, ""},
		{"name;note;Alias\r\nA;;  x \r\n", map[string][]string{"x": {"A"}}, "columns not used: note"},
		{"alias\tname\nx y\tA\n", map[string][]string{"x y": {"A"}}, ""},
		{"\ufeffstop_id,stop_name\nA,\"Harbour, East\"\n", map[string][]string{"Harbour, East": {"A"}}, ""},
		{"\xff\xfea\x00l\x00i\x00a\x00s\x00,\x00n\x00a\x00m\x00e\x00\n\x00x\x00,\x00A\x00\n\x00",
			map[string][]string{"x": {"A"}}, "the text is in UTF-16"},
		{"alias,name\ne\u0301,A\n", map[string][]string{"\u00e9": {"A"}}, ""},
		{"alias,name\nB,A\nx,A\n", map[string][]string{"x": {"A"}},
			`aliases that vertices have as their names, which mean those vertices: "B" for "A"`},
		{"alias,name\nA,A\nx,A\n", map[string][]string{"x": {"A"}}, ""},
		{"alias,name\nx,zz\ny,A\n", map[string][]string{"y": {"A"}},
			`aliases of no vertex of the graph, which are left out: "x" for "zz"`},
		{"alias,name\nx,a\n", map[string][]string{}, `"x" for "a", did you mean "A"?`},
	} {
		var notes []string
		got, err := ReadAliases("a.csv", strings.NewReader(c.in), g, func(s string) { notes = append(notes, s) })
		if err != nil || !maps.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%q: %v, %v, want %v", c.in, got, err, c.want)
		}
		if all := strings.Join(notes, "\n"); !strings.Contains(all, c.note) || c.note == "" && all != "" {
			t.Errorf("%q: notes %q, want %q", c.in, notes, c.note)
		}
	}
	for in, want := range map[string]string{
		"":                         "a.csv: no aliases",
		"alias,name\n":             "a.csv: no aliases",
		"x,A\n":                    `a.csv:1: is "x,A" a header?`,
		"alias,nane\nx,A\n":        `a.csv:1: no column name: is "nane" to be it?`,
		"alias,name,Name\nx,A,B\n": "a.csv:1: columns 2 and 3 are both called name",
		"alias,name\nx\n":          "a.csv:2: no name",
		"alias,name\n,A\n":         "a.csv:2: no alias",
		"alias,name\nx,A,B\n":      "a.csv:2: 3 fields, but 2 in the header",
		"alias,name\nx,\"A\n":      "a.csv:",
	} {
		if _, err := ReadAliases("a.csv", strings.NewReader(in), g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}
