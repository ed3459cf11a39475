package ram

import (
	"fmt"
	"regexp"
	"strings"
)

// maxNested is how many keys or brackets of TOML may be within each other: a parser's time and memory grow with the
// square of that.
const maxNested = 100

// quoted are strings of one line.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'`)

// CheckTOML refuses a text of TOML of which too much is nested; the error begins with the line.
func CheckTOML(text string) error {
	depth, n := 0, 0
	for line := range strings.Lines(text) {
		n++
		plain, _, _ := strings.Cut(quoted.ReplaceAllString(line, ""), "#")
		dots := strings.Count(plain, ".")
		for _, c := range plain {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			if depth > maxNested || dots > maxNested {
				return fmt.Errorf(":%d: more than %d keys or brackets within each other", n, maxNested)
			}
		}
	}
	return nil
}
