package run

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/internal/ram"
)

// maxConfig is the most bytes of a configuration file.
const maxConfig = 1 << 20

var seed = regexp.MustCompile(`^(\s*(?:hold_seed|init_seed|seed)\s*=\s*)([-+]?[0-9_]+)(.*)$`)

// decodable returns the text of a configuration as the TOML parser takes it: seeds of more than 2⁶³−1, which TOML's
// integers do not reach, as the negative number of the same bits. It is an error, which begins with the line, if a seed
// is negative or above 2⁶⁴−1, or too much is nested.
func decodable(text string) (string, error) {
	if err := ram.CheckTOML(text); err != nil {
		return "", err
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
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
