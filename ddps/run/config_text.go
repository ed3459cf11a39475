package run

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A configuration file has at most so many bytes, and so many keys or brackets one within the other: the parser's time
// and memory grow with the square of the latter.
const (
	maxConfig = 1 << 20
	maxNested = 100
)

var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'`) // strings of one line
	seed   = regexp.MustCompile(`^(\s*(?:hold_seed|init_seed|seed)\s*=\s*)([-+]?[0-9_]+)(.*)$`)
)

// decodable returns the text of a configuration as the TOML parser takes it: seeds of more than 2⁶³−1, which TOML's
// integers do not reach, as the negative number of the same bits. It is an error, which begins with the line, if a seed
// is negative or above 2⁶⁴−1, or too much is nested.
func decodable(text string) (string, error) {
	var b strings.Builder
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
				return "", fmt.Errorf(":%d: more than %d keys or brackets within each other", n, maxNested)
			}
		}
		if m := seed.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			v, err := strconv.ParseUint(strings.TrimPrefix(strings.ReplaceAll(m[2], "_", ""), "+"), 10, 64)
			if err != nil {
				return "", fmt.Errorf(":%d: %s is %s, must be in 0…2⁶⁴−1", n, strings.TrimRight(strings.TrimSpace(m[1]), " \t="),
					m[2])
			}
			line = fmt.Sprintf("%s%d%s\n", m[1], int64(v), m[3])
		}
		b.WriteString(line)
	}
	return b.String(), nil
}
