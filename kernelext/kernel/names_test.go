//go:build unix

package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What cells declare is known by name, the newest of each, also of cells that do not parse to their end.
func TestDeclared(t *testing.T) {
	var h history
	for i, code := range []string{
		"var gone = 1", "%reset", "%noautoget\n// double doubles.\nfunc double(n int) int {\n\treturn 2 * n\n}\n%%\nlocal " +
			":= 1\nfmt.Println(local)",
		"type T[X any] struct {\n\tA X\n}\nfunc (t *T[X]) Do(s string) error { return nil }\nconst (\n\tone = " +
			"iota\n\ttwo\n)\nvar a, b = 1, 2",
		"%%live\nfunc live() {}", "%%bash\nfunc bash", "func double(s string) string { return s + s }", "func half(",
	} {
		h.add(i+1, code)
	}
	got := h.declared(newCell("func own() int { return"))
	for name, want := range map[string]string{"double": "func double(s string) string",
		"T":    "type T[X any] struct {\n\tA X\n}",
		"T.Do": "func (t *T[X]) Do(s string) error", "two": "const two", "b": "var a, b = 1, 2", "own": "func own() int"} {
		if got[name] != want {
			t.Errorf("%s: %q, not %q", name, got[name], want)
		}
	}
	for _, name := range []string{"gone", "local", "live", "bash"} {
		if text, ok := got[name]; ok {
			t.Errorf("%s is declared: %q", name, text)
		}
	}
	if text := (&history{}).declared(newCell("// up\n// there\nfunc f()"))["f"]; text != "up\nthere\nfunc f()" {
		t.Errorf("%q", text)
	}
}

func TestNames(t *testing.T) {
	var h history
	h.add(1, "func double(n int) int { return 2 * n }\nfunc (t *T) Dote() {}")
	members := (&fakeLive{}).Members
	for _, c := range []struct{ code, want string }{ // the cursor is |
		{"%%\ndo|", "[double] 3"},
		{"%%\nfmt.|", "[Print Println Sprint] 7"},
		{"%%\nx := fmt.Sp| + 1", "[Sprint] 12"},
		{"import p \"fmt\"\n%%\np.S|", "[Sprint] 20"},
		{"%%\nvalue := 3\nva| + 1", "[value var] 14"},
		{"%%\nva|\nvalue := 3", "[value var] 3"},
		{"!ls\n%%\nnothing.|", "[] 15"},
		{"so|", "[sort] 0"},
		{"\xff.|", "[] 2"},
	} {
		at := strings.IndexByte(c.code, '|')
		names, start := h.names(c.code[:at]+c.code[at+1:], at, members)
		if got := fmt.Sprint(names, " ", start); got != c.want {
			t.Errorf("%q: %s, not %s", c.code, got, c.want)
		}
	}
	if all, _ := h.names("", 0, members); !slices.Contains(all, "func") || !slices.Contains(all, "append") ||
		slices.Contains(all, "T.Dote") {
		t.Error(all)
	}
}
