package names

import (
	"strings"
	"testing"
)

func TestOddAndAlike(t *testing.T) {
	for what, c := range map[string]struct {
		list       []string
		odd, alike string // in the note, "" for none
	}{
		"plain":        {[]string{"a", "b", "a", "", "a b", "ab", "ä"}, "", ""},
		"end of line":  {[]string{"x\ny", "x", "y"}, `"x\ny"`, ""},
		"tab":          {[]string{"\t"}, `"\t"`, ""},
		"blank":        {[]string{" ", " "}, `: " "`, ""},
		"wide blank":   {[]string{"a\u00a0"}, `"a\u00a0"`, ""},
		"control":      {[]string{"a\x00b", "c\u2028d"}, `"a\x00b", "c\u2028d"`, ""},
		"blank around": {[]string{"a", " a"}, `" a"`, `"a" and " a"`},
		"case":         {[]string{"Bath", "bath"}, "", `"Bath" and "bath"`},
		"form":         {[]string{"\u00e4", "a\u0308"}, "", "\"\u00e4\" and \"a\u0308\""},
		"invisible":    {[]string{"ab", "a\u200bb"}, "", "\"ab\" and \"a\\u200bb\""},
		"many":         {[]string{"a", "A", "b", "B", "c", "C", "d", "D"}, "", "and 1 more"},
	} {
		for _, n := range []struct {
			notes []string
			want  string
		}{{OddNote(c.list), c.odd}, {AlikeNote(c.list, "nodes"), c.alike}} {
			if (n.want == "") != (n.notes == nil) || len(n.notes) > 1 || n.want != "" && !strings.Contains(n.notes[0], n.want) {
				t.Errorf("%s: %q, want %q", what, n.notes, n.want)
			}
		}
	}
}
