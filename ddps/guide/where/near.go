package where

import (
	"fmt"
	"strings"
)

// near asks about a name that is like the one that was not found.
func (c *compiler) near(name string) string {
	want := strings.ToLower(strings.Join(strings.Fields(name), " "))
	best, least := "", max(1, len(want)/3)+1
	for v := range c.g.NumVertices() {
		if d := distance(want, strings.ToLower(c.g.Name(v)), least); d < least {
			best, least = c.g.Name(v), d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the number of single-letter changes between a and b (Levenshtein's), or limit if it is no less.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost = 1 + min(last, row[j], row[j+1])
			}
			last, row[j+1] = row[j+1], cost
		}
	}
	return min(row[len(b)], limit)
}
