package cells

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestIsComplete(t *testing.T) {
	for _, c := range []struct{ code, want, indent string }{
		{"", complete, ""}, {"\n  ", complete, ""}, {"x := 3", complete, ""}, {"1 + 1", complete, ""},
		{"func f() {}", complete, ""},
		{"type T struct {\n\tA int\n}", complete, ""}, {"import \"fmt\"\n%%\nfmt.Println()", complete, ""},
		{"%%\nx++", complete, ""}, {"return", complete, ""}, {"%%live\nfunc f() int { return 1 }\nf()", complete, ""},
		{"%%live\nx := 1\nx", complete, ""}, {"%%live", incomplete, ""}, {"%%", incomplete, ""},
		{"func f() {}\n%%", incomplete, ""},
		{"%%bash", incomplete, ""}, {"%%live\n", complete, ""}, {"%%\n", complete, ""}, {"%ddps", complete, ""},
		{"%ddps help", complete, ""}, {"!ls (", complete, ""}, {"%%bash\nif true", complete, ""},
		{"?fmt", complete, ""}, {"fmt.Println?", complete, ""}, {"//gonb:%%\nf()", complete, ""}, {"s := \"(\"", complete,
			""},
		{"// (", complete, ""}, {"go f()", complete, ""}, {"for {\n\tbreak\n}", complete, ""},
		{"func f() {", incomplete, "\t"}, {"f(g(", incomplete, "\t\t"}, {"x := 1 +", incomplete, ""}, {"a = `raw", incomplete,
			""},
		{"/* c", incomplete, ""}, {"import (", incomplete, "\t"}, {"%%\nfor {\n\tif x {", incomplete, "\t\t"},
		{"f(1,", incomplete, "\t"},
		{"x =", incomplete, ""}, {"!ls \\", incomplete, ""}, {"%%live\nfunc f() {", incomplete, "\t"}, {"x.", incomplete, ""},
		{"var", incomplete, ""}, {"for i := range", incomplete, ""},
		{"}", invalid, ""}, {"f(]", invalid, ""}, {"func 3() {}", invalid, ""}, {"x := := 1", invalid, ""},
		{"\"abc", invalid, ""},
		{"func f() {\n%%\n}", invalid, ""}, {"if x", invalid, ""},
	} {
		if got := IsComplete(c.code); got.Status != c.want || got.Indent != c.indent {
			t.Errorf("%q is %q with indent %q, not %q and %q", c.code, got.Status, got.Indent, c.want, c.indent)
		}
	}
}

func FuzzIsComplete(f *testing.F) {
	for _, s := range []string{"func f() {", "%%live\nfunc", "%%\n`", "?x", "!a\\", "//gonb:%%", "/*", "'\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if s := IsComplete(code).Status; s != complete && s != incomplete && s != invalid {
			t.Errorf("%q is %q", code, s)
		}
	})
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct{ code, want, err string }{
		{"%%\nf()", "%%\nf()", ""},
		{"!ls", "!'/r' shell 1 'ls'", ""},
		{"//gonb:! * echo 'it'", "!*'/r' shell 1 ' echo '\\''it'\\'''", ""},
		{"x\n!a \\\nb\ny", "x\n!'/r' shell 2 'a  b'\n\ny", ""},
		{"%%bash\n!x", "%%script \"/r\" script bash\n!x", ""},
		{"%%script python -u\nprint()", "%%script \"/r\" script python -u\nprint()", ""},
		{"%%writefile f\n%nope", "%%writefile f\n%nope", ""},
		{"%cd x\n%% -flag=1", "%cd x\n%% -flag=1", ""},
		{"%nope", "", "line 1: %nope is no magic"},
		{"x\n%%bash", "", "line 2: %%bash can only stand in a cell's first line"},
		{"", "", ""}, {"%", "%", ""}, {"!", "!", ""},
	} {
		got, err := New(c.code).Rewrite("/r")
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%q becomes %q, %v", c.code, got, err)
		}
		if err == nil && strings.Count(got, "\n") != strings.Count(c.code, "\n") {
			t.Errorf("%q: lines moved", c.code)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	for _, s := range []string{"!a\\\n", "% ", "!*", "%%script", "//gonb:%", "%%%", "!\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		c := New(code)
		c.Query()
		c.Live()
		DDPS(code)
		if got, err := c.Rewrite("/r"); err == nil && strings.Count(got, "\n") != strings.Count(code, "\n") {
			t.Errorf("%q: lines moved", code)
		}
	})
}

func TestCells(t *testing.T) {
	for code, want := range map[string]string{"?fmt": "fmt", "fmt.Println?": "fmt.Println", "??x": "x", "x": "", "?": "",
		"a ? b": "", "!ls ?": "",
		"?a\nb": "", "%x?": ""} {
		if got, _ := New(code).Query(); got != want {
			t.Errorf("%q asks for %q", code, got)
		}
	}
	if code, above, ok := New("\n%%live \na\nb").Live(); code != "a\nb" || above != 2 || !ok {
		t.Errorf("%q %d %v", code, above, ok)
	}
	for line, want := range map[string][]string{`a "b c" 'd "e' ""`: {"a", "b c", `d "e`, ""}, "": nil, " x ": {"x"},
		`a"b"c`: {"abc"}} {
		if got := splitArgs(line); !slices.Equal(got, want) {
			t.Errorf("%q is %q", line, got)
		}
	}
}

// Groups of constants mean the same when each name stands on a line of its own.
func TestWithValues(t *testing.T) {
	for code, want := range map[string]string{
		"const (\n\ta, b = iota, iota*10\n\tc, d\n\t_, _\n\te, f // five\n)": "const (\n\ta, b = 0, 0*10\n" +
			"\tc, d = 1, 1*10\n\t_a_2_0, _a_2_1 = 2, 2*10\n\te, f = 3, 3*10 // five\n)",
		"const ( _ = iota; A = 1 << iota; B )\nconst (\n\tC = iota\n\t_\n\tD\n)": "const ( _A_0_0 = iota; A = 1 << iota; B )" +
			"\nconst (\n\tC = iota\n\t_C_1_0\n\tD\n)",
		"%noautoget\nconst (\n\ta, b T = 1 << iota, `iota`\n\tc, d\n)\n%%\nconst (\n x, y = iota, iota\n)": "%noautoget\n" +
			"const (\n\ta, b T = 1 << 0, `iota`\n\tc, d T = 1 << 1, `iota`\n)\n%%\nconst (\n x, y = iota, iota\n)",
		"const ( a, b = iota, iota + 1; c, d )":    "const ( a, b = 0, 0 + 1; c, d = 1, 1 + 1 )",
		"const (\n\ta = iota\n\tb\n)":              "const (\n\ta = iota\n\tb\n)",
		"const a, b = iota, iota":                  "const a, b = iota, iota",
		"func f() {":                               "func f() {",
		"const (\n\ta, b = 1\n)":                   "const (\n\ta, b = 1\n)",
		"func iota2() int { return 1 }\nvar x = 3": "func iota2() int { return 1 }\nvar x = 3",
	} {
		if got := New(code).WithValues().Code; got != want {
			t.Errorf("%q\nis   %q\nwant %q", code, got, want)
		}
	}
}

func TestHistory(t *testing.T) {
	var h History
	for i, code := range []string{"a/b", "c", "a/b", "d\ne"} {
		h.Add(i+1, code)
	}
	h.Result("5")
	for ask, want := range map[string]string{
		`{"hist_access_type":"tail","n":2}`:                           "[[1 3 a/b] [1 4 d\ne]]",
		`{"hist_access_type":"tail"}`:                                 "[[1 1 a/b] [1 2 c] [1 3 a/b] [1 4 d\ne]]",
		`{"hist_access_type":"tail","n":0}`:                           "[]",
		`{"hist_access_type":"range","session":1,"start":2,"stop":4}`: "[[1 2 c] [1 3 a/b]]",
		`{"hist_access_type":"range","session":0,"start":4}`:          "[[1 4 d\ne]]",
		`{"hist_access_type":"range","session":7,"start":1}`:          "[]",
		`{"hist_access_type":"search","pattern":"a*"}`:                "[[1 1 a/b] [1 3 a/b]]",
		`{"hist_access_type":"search","pattern":"a*","unique":true}`:  "[[1 3 a/b]]",
		`{"hist_access_type":"search","pattern":"*","n":1}`:           "[[1 4 d\ne]]",
		`{"hist_access_type":"search","pattern":"?"}`:                 "[[1 2 c]]",
		`{"hist_access_type":"search","pattern":"[","n":3}`:           "[]",
		`{"hist_access_type":"tail","n":1,"output":true}`:             "[[1 4 [d\ne 5]]]",
	} {
		got, err := h.Answer([]byte(ask))
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v", ask, got, err)
		}
	}
}

func BenchmarkIsComplete(b *testing.B) {
	code := strings.Repeat("func f(x int) int {\n\treturn x + 1\n}\n\n", 50)
	for b.Loop() {
		IsComplete(code)
	}
}

// What cells declare is known by name, the newest of each, also of cells that do not parse to their end.
func TestDeclared(t *testing.T) {
	var h History
	for i, code := range []string{
		"var gone = 1", "%reset", "%noautoget\n// double doubles.\nfunc double(n int) int {\n\treturn 2 * n\n}\n%%\nlocal " +
			":= 1\nfmt.Println(local)",
		"type T[X any] struct {\n\tA X\n}\nfunc (t *T[X]) Do(s string) error { return nil }\nconst (\n\tone = " +
			"iota\n\ttwo\n)\nvar a, b = 1, 2",
		"%%live\nfunc live() {}", "%%bash\nfunc bash", "func double(s string) string { return s + s }", "func half(",
	} {
		h.Add(i+1, code)
	}
	got := h.Declared(New("func own() int { return"))
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
	if text := (&History{}).Declared(New("// up\n// there\nfunc f()"))["f"]; text != "up\nthere\nfunc f()" {
		t.Errorf("%q", text)
	}
}

func TestNames(t *testing.T) {
	var h History
	h.Add(1, "func double(n int) int { return 2 * n }\nfunc (t *T) Dote() {}")
	members := func(name string) []string { // of a session that knows fmt
		return map[string][]string{"": {"fmt", "sort"}, "fmt": {"Print", "Println", "Sprint"}}[name]
	}
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
		names, start := h.Names(c.code[:at]+c.code[at+1:], at, members)
		if got := fmt.Sprint(names, " ", start); got != c.want {
			t.Errorf("%q: %s, not %s", c.code, got, c.want)
		}
	}
	if all, _ := h.Names("", 0, members); !slices.Contains(all, "func") || !slices.Contains(all, "append") ||
		slices.Contains(all, "T.Dote") {
		t.Error(all)
	}
}

// A byte order mark is dropped where code begins and stays elsewhere.
func TestClean(t *testing.T) {
	for code, want := range map[string]string{
		"\ufeffx\r\ny":                "x\ny",
		"\ufeff%%live\n\ufeffx":       "%%live\nx",
		"%%live\n%%time\n\n\ufeffx":   "%%live\n%%time\n\nx",
		"\ufefff()\n%%\n\ufeffg()":    "f()\n%%\ng()",
		"%env A=1\n\ufeffx":           "%env A=1\nx",
		"%%live\nx\n\ufeffy\n\ufeffz": "%%live\nx\n\ufeffy\n\ufeffz",
		"x\u00a0y\u200b":              "x\u00a0y\u200b",
	} {
		if got := Clean(code); got != want {
			t.Errorf("%q becomes %q, want %q", code, got, want)
		}
	}
}

func TestWaits(t *testing.T) {
	for code, want := range map[string]bool{
		"%with_inputs\n%%\nfmt.Scan(&k)":                               true,
		"%with_inputs\n%%\ngonbui.RequestInput(``, false)\nfmt.Scan()": false,
		"%with_inputs\n!read x":                                        false, "%%\nfmt.Scan(&k)": false,
	} {
		if got := New(code).Waits(); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}
