package header

import (
	"strconv"
	"strings"
)

// Counting reports whether a first row may number columns, as data frames are written: 0, 1, 2, …, or from 1, the first
// cell perhaps empty.
func Counting(row []string) bool {
	if len(row) > 0 && strings.TrimSpace(row[0]) == "" {
		row = row[1:]
	}
	for k, c := range row {
		n, err := strconv.Atoi(strings.TrimSpace(c))
		if first, wrong := strconv.Atoi(strings.TrimSpace(row[0])); err != nil || wrong != nil || first > 1 || first < 0 ||
			n != first+k {
			return false
		}
	}
	return len(row) > 1
}
