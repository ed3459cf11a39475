package sequences

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// numberedName splits a cell such as "step 2" into a word of placeWords and its number; ok is false if it is none.
func numberedName(cell string) (word string, n int, ok bool) {
	plain := names.Folded(cell)
	word = strings.TrimRight(plain, "0123456789")
	n, err := strconv.Atoi(plain[len(word):])
	return word, n, err == nil && slices.Contains(placeWords, word)
}

// numberedBelow reports whether a row below the first has a cell with a word and a number as one of the first has:
// places are called so.
func numberedBelow(rows [][]string) bool {
	used := map[string]bool{}
	for _, cell := range rows[0] {
		if word, _, ok := numberedName(cell); ok {
			used[word] = true
		}
	}
	return slices.ContainsFunc(rows[1:], func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool {
			word, _, ok := numberedName(cell)
			return ok && used[word]
		})
	})
}

// knownNames reports whether the first row is one of names that tables have for columns: more than half of its cells
// are, and none of its cells stands in a row below it.
func knownNames(rows [][]string, columns []table.Column) bool {
	known, all, first := 0, 0, map[string]bool{}
	for _, cell := range rows[0] {
		name := names.Folded(cell)
		if name == "" {
			continue
		}
		all, first[name] = all+1, true
		if _, _, numbered := numberedName(cell); numbered || len(name) > 1 && (slices.Contains(walkKeys, name) || slices.Contains(countWords, name) ||
			slices.ContainsFunc(columns, func(c table.Column) bool {
				return slices.ContainsFunc(append([]string{c.Name}, c.Also...), func(s string) bool {
					return names.Folded(s) == name
				})
			})) {
			known++
		}
	}
	return 2*known > all && !numberedBelow(rows) && !slices.ContainsFunc(rows[1:], func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool { return first[names.Folded(cell)] })
	})
}

// headerLine takes the first of the lines off where it names a column of whole walks, the only one, and the walks
// below are not quoted as the cells of a table are.
func (f *file) headerLine(lines []string) (rest []string, name string) {
	if len(lines) < 2 || f.o.Header == "no" || f.o.Format == NGram || f.o.Format == Events || len(f.o.Columns) > 0 {
		return lines, ""
	}
	name = names.Normal(strings.Trim(strings.TrimSpace(lines[0]), `"`))
	if f.o.Walk != "" && name != names.Normal(f.o.Walk) || f.o.Walk == "" &&
		!slices.Contains(walkKeys, names.Folded(name)) {
		return lines, ""
	}
	if slices.ContainsFunc(lines[1:], func(s string) bool { return strings.Contains(s, `"`) || s == lines[0] }) {
		return lines, ""
	}
	return lines[1:], name
}

// askLine is the error of a first line of walks that may be the header of a table; nil if it is none.
func (f *file) askLine(lines []string, sep string) error {
	if f.o.Header != "" || len(lines) == 0 {
		return nil
	}
	rows := make([][]string, len(lines))
	for i, line := range lines {
		if rows[i] = []string{line}; sep != sepLetters {
			rows[i] = split(nil, line, sep)
		}
	}
	if len(lines) < 2 || !knownNames(rows, f.events()) {
		return nil
	}
	return fmt.Errorf("is the first line, %q, a header? say --header no if it is a walk; the columns of a table are "+
		"separated by commas, semicolons or tabs", shorten(lines[0]))
}
