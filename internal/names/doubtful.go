package names

import (
	"fmt"
	"strings"
	"unicode"
)

// AlikeNote is the warning on names that differ by case, by blanks or by their form of Unicode alone (Cased), nil if
// there are none. what are the things called so. Empty names, and a name that is there again, do not count.
func AlikeNote(list []string, what string) []string {
	var pairs []string
	known, seen := map[string]bool{}, map[string]string{}
	for _, name := range list {
		if name == "" || known[name] {
			continue
		}
		known[name] = true
		cased := Cased(name)
		if other, twice := seen[cased]; twice {
			pairs = append(pairs, fmt.Sprintf("%q and %q", other, name))
		} else {
			seen[cased] = name
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	return []string{"warning: names that differ only by case, blanks or form of Unicode are different " + what + ": " +
		SomeOf(pairs)}
}

// OddNote is the warning on names that a table does not keep: with control characters or ends of lines in them, or with
// blanks around them; nil if there are none.
func OddNote(list []string) []string {
	var odd []string
	known := map[string]bool{}
	for _, name := range list {
		if !known[name] && (strings.TrimSpace(name) != name || strings.ContainsFunc(name, control)) {
			known[name] = true
			odd = append(odd, fmt.Sprintf("%q", name))
		}
	}
	if odd == nil {
		return nil
	}
	return []string{"warning: names with blanks around them or with control characters, which tables do not keep: " +
		SomeOf(odd)}
}

func control(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }
