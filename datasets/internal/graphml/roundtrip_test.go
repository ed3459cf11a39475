package graphml

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRoundTrip: what is written is read back.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a", "b", "x & <y>", "é\n")
	f.Fuzz(func(t *testing.T, a, b, value, more string) {
		for _, s := range []string{a, b, value, more} { // what XML can hold, and leaves as it is
			if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
				return r < ' ' || r == 0x7f || r == 0xfffe ||
					r == 0xffff || r == utf8.RuneError
			}) {
				return
			}
		}
		if a == "" || b == "" {
			return
		}
		keys := []Key{{"graph", "name", "string"}, {"node", "what", "string"}, {"edge", "long", "double"}}
		nodes := []Element{{ID: a, Values: []Value{{"what", value}}}, {ID: b}}
		edges := []Element{{Source: a, Target: b, Values: []Value{{"long", more}}}}
		var out bytes.Buffer
		if err := Write(&out, keys, []Value{{"name", value}}, slices.Values(nodes), slices.Values(edges)); err != nil {
			t.Fatal(err)
		}
		g, err := Read(&out)
		if err != nil {
			t.Fatal(err)
		}
		if !g.Directed || g.Data["name"] != value || len(g.Nodes) != 2 || g.Nodes[0].ID != a ||
			g.Nodes[0].Data["what"] != value || g.Nodes[1].ID != b ||
			len(g.Edges) != 1 || g.Edges[0].Source != a || g.Edges[0].Target != b || !g.Edges[0].Directed ||
			g.Edges[0].Data["long"] != more {
			t.Errorf("%+v", g)
		}
	})
}
