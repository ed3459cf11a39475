// Package header finds the columns of walks by what the first row of a table calls them.
package header

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/internal/names"
)

// Wide says where in a row the places and the count are.
type Wide struct {
	At     []int
	Count  int      // −1 for none
	Unused []string // names of the others
}

// What headers call places before their numbers, counts, and the ends of edges.
var (
	edgeWords  = []string{"from", "to", "source", "target", "origin", "destination"}
	placeWords = []string{"v", "vertex", "node", "place", "step", "layer", "stop", "position", "pos", "t", "token", "x"}
	countWords = []string{"count", "counts", "n", "times", "frequency", "freq", "multiplicity", "weight"}
)

// Numbered returns the columns that a header names: two or more of a word of placeWords and a number, or one and a
// count; nil if it is none. The error is of a header whose columns do not number the places, all by one word, from 0 or
// 1 without a gap.
func Numbered(row []string) (*Wide, error) {
	word, at, last := "", map[int]int{}, -1
	for i, name := range row {
		w, n, ok := numberedName(name)
		if !ok || w == "t" && last >= 0 && word != w { // times beside the places, as timed walks are written
			continue
		}
		if j, twice := at[n]; twice && w == word {
			return nil, fmt.Errorf("columns %d and %d are both called %s", j+1, i+1, names.Normal(row[j]))
		}
		if last >= 0 && w != word {
			return nil, fmt.Errorf("columns %q and %q: one word is to number all places", names.Normal(row[last]),
				names.Normal(name))
		}
		word, at[n], last = w, i, i
	}
	c := &Wide{Count: -1}
	if last < 0 {
		return nil, nil
	}
	err := c.Rest(row)
	if len(at) < 2 && (c.Count < 0 || len(row) > 2) {
		return nil, nil
	}
	base := 1
	if _, zero := at[0]; zero {
		base = 0
	}
	for n := base; n < base+len(at); n++ {
		i, ok := at[n]
		if !ok {
			bare := strings.TrimRight(names.Normal(row[last]), "0123456789")
			return nil, fmt.Errorf("no column %s%d among those of the header", bare, n)
		}
		c.At = append(c.At, i)
	}
	if err != nil {
		return nil, err
	}
	return c, c.Rest(row)
}

// Rest finds the count, by the first of countWords that a column has, and the names that are not used. The error is of
// two columns of that name.
func (c *Wide) Rest(row []string) error {
	c.Count, c.Unused = -1, nil
	for _, word := range countWords {
		for i, name := range row {
			switch {
			case names.Folded(name) != word || slices.Contains(c.At, i):
			case c.Count < 0:
				c.Count = i
			case names.Folded(row[c.Count]) == word:
				return fmt.Errorf("columns %d and %d are both called %s", c.Count+1, i+1, names.Normal(name))
			}
		}
	}
	for i, name := range row {
		if name = names.Normal(name); i != c.Count && name != "" && !slices.Contains(c.At, i) {
			c.Unused = append(c.Unused, name)
		}
	}
	return nil
}

// numberedName splits a cell such as "step 2" into a word of placeWords and its number; ok is false if it is none.
func numberedName(cell string) (word string, n int, ok bool) {
	plain := names.Folded(cell)
	word = strings.TrimRight(plain, "0123456789")
	n, err := strconv.Atoi(plain[len(word):])
	return word, n, err == nil && slices.Contains(placeWords, word)
}

// numberedWord returns what stands before the number at the end of a name, "" if nothing or no number does.
func numberedWord(name string) string {
	if word := strings.TrimRight(name, "0123456789"); word != name {
		return word
	}
	return ""
}

// NumberedBelow reports whether a row below the first has a cell with a word and a number as one of the first has:
// places are called so.
func NumberedBelow(rows [][]string) bool {
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

// Known reports whether the first row is one of names that tables have for columns, or that number them by one
// word: more than half of its cells are, and none of its cells stands in a row below it.
func Known(rows [][]string, columns []table.Column) bool {
	known, all, first, series := 0, 0, map[string]bool{}, map[string]int{}
	for _, cell := range rows[0] {
		if word := numberedWord(names.Folded(cell)); word != "" && len(rows) > 1 {
			series[word]++
		}
	}
	for _, row := range rows[1:] {
		for _, cell := range row {
			delete(series, numberedWord(names.Folded(cell))) // of places
		}
	}
	for _, cell := range rows[0] {
		name := names.Folded(cell)
		if name == "" {
			continue
		}
		all, first[name] = all+1, true
		if _, _, numbered := numberedName(cell); numbered || series[numberedWord(name)] > 1 ||
			slices.Contains(edgeWords, name) ||
			len(name) > 1 && (IsWalk(cell) || IsCount(cell) ||
				slices.ContainsFunc(columns, func(c table.Column) bool {
					return slices.ContainsFunc(append([]string{c.Name}, c.Also...), func(s string) bool {
						return names.Folded(s) == name
					})
				})) {
			known++
		}
	}
	return 2*known > all && !NumberedBelow(rows) && !slices.ContainsFunc(rows[1:], func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool { return first[names.Folded(cell)] })
	})
}

// CountWords returns what columns and keys of counts are called, the best first.
func CountWords() []string { return slices.Clone(countWords) }

// IsWalk reports whether a name is that of a column of whole walks.
func IsWalk(name string) bool { return slices.Contains(input.WalkWords(), names.Folded(name)) }

// IsCount reports whether a name is that of a column of counts.
func IsCount(name string) bool { return slices.Contains(countWords, names.Folded(name)) }
