package live_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Lines that start with % show and set what belongs to the session.
func TestMagic(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("DDPS_LIVE_MAGIC", "")
	s := session(t)
	for _, c := range []struct{ code, out string }{
		{"x := []int{1, 2}\nfunc f(n int) int { return n }\ntype T struct{ A int }\ns := []any{nil}\ns[0] = s", "^$"},
		{"%who", `(?s)f +func +\(n int\) int.*s +\[\]interface \{\} +1 +a value of type.*x +\[\]int +2 +\[1 2\]`},
		{"%env DDPS_LIVE_MAGIC=7\nos.Getenv(`DDPS_LIVE_MAGIC`)", "^7$"},
		{"%env DDPS_LIVE_MAGIC", "^7$"},
		{"%cd ..", "^$"},
		{"%cd nowhere", "^line 1: chdir nowhere"},
		{"%%time\nx[1]", `(?s)2\n[0-9.]+.?s$`},
		{"%%timeit\nx[1] * 2", `^[0-9.]+[nµm]?s ± [0-9.]+[nµm]?s a time \(mean and standard deviation of 7 rounds of [0-9]+\)$`},
		{"%timeit x[1] * 2", "^[0-9.]+[nµm]?s ± .* a time"},
		{"%timeit x[1]\nx[0]", "^line 1: %timeit CODE stands in a cell of its own"},
		{"%timeit x[7]", "^line 1: runtime error: index out of range"},
		{"n := 0\n%%timeit\nn++", "^line 2: "},
		{"n := 0", "^$"},
		{"%%timeit\nn++", "a time"},
		{"n > 100", "^true$"},
		{"%%timeit\nvar l []int\nl[2]++", "^line 3: "},
		{"\n%none", "^line 2: %none is unknown in live cells"},
		{"7 %\n4", "^3$"},
	} {
		out, err := eval(s, c.code)
		if err != nil {
			out = err.Error()
		}
		if !regexp.MustCompile(c.out).MatchString(out) {
			t.Errorf("%q: %q, want %s", c.code, out, c.out)
		}
	}
	if dir, err := os.Getwd(); err != nil || dir == filepath.Clean(t.TempDir()) {
		t.Error(dir, err)
	}
}
