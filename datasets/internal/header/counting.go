package header

import (
	"slices"
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

// Unlike reports whether a first row may name columns: it has no number, and none of its cells stands in another
// row.
func Unlike(rows [][]string) bool {
	if len(rows) < 3 || slices.ContainsFunc(rows[0], isWhole) {
		return false
	}
	first := map[string]bool{}
	for _, c := range rows[0] {
		first[strings.TrimSpace(c)] = true
	}
	for _, row := range rows[1:] {
		for _, c := range row {
			if c = strings.TrimSpace(c); c != "" && first[c] {
				return false
			}
		}
	}
	return true
}

func isWhole(s string) bool {
	_, err := strconv.Atoi(strings.TrimSpace(s))
	return err == nil
}
