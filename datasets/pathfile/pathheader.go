package pathfile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/internal/names"
)

// pathColumns says where in a row the vertices and the count of a path are.
type pathColumns struct {
	vertex []int // [L]; −1 for one that a header lacks
	count  int   // −1 for none
	width  int   // cells of the header; 0 without
	last   bool  // rows may have a count after the vertices though the header has none
	unused []string
	twice  string // a name that two columns have
}

// vertexWords are what headers call the vertices of a path before their numbers; countWords what they call its count.
var (
	vertexWords = []string{"v", "vertex", "node", "place", "step", "layer", "stop", "position", "pos"}
	countWords  = []string{"count", "counts", "n", "times", "frequency", "freq", "multiplicity"}
)

// inOrder is the columns of a row without a header.
func inOrder(L int) *pathColumns {
	c := &pathColumns{vertex: make([]int, L), count: -1, last: true}
	for l := range c.vertex {
		c.vertex[l] = l
	}
	return c
}

// pathHeader returns the columns that a header of paths of L layers names, nil if row is none: if not two of its cells
// are a word of vertexWords and a number, all the same word.
func pathHeader(row []string, L int) *pathColumns {
	word, numbers := "", map[int][]int{} // number → columns
	plain := make([]string, len(row))
	for i, name := range row {
		plain[i] = names.Folded(name)
		bare := strings.TrimRight(plain[i], "0123456789")
		n, err := strconv.Atoi(plain[i][len(bare):])
		if err != nil || !slices.Contains(vertexWords, bare) || word != "" && bare != word {
			continue
		}
		word = bare
		numbers[n] = append(numbers[n], i)
	}
	if len(numbers) < min(2, L) {
		return nil
	}
	c, used, base := &pathColumns{vertex: make([]int, L), count: -1, width: len(row)}, make([]bool, len(row)), 1
	if _, zero := numbers[0]; zero {
		base = 0
	}
	for l := range c.vertex {
		c.vertex[l] = -1
		if at := numbers[l+base]; len(at) > 0 {
			c.vertex[l], used[at[0]] = at[0], true
			if len(at) > 1 {
				c.twice = strings.TrimSpace(row[at[1]])
			}
		}
	}
	for _, w := range countWords {
		if i := slices.Index(plain, w); i >= 0 && c.count < 0 {
			c.count, used[i] = i, true
			if slices.Contains(plain[i+1:], w) {
				c.twice = strings.TrimSpace(row[i])
			}
		}
	}
	c.last = c.count < 0 && len(row) == L
	for i, name := range row {
		if name = names.Normal(name); !used[i] && name != "" {
			c.unused = append(c.unused, name)
		}
	}
	return c
}

// err returns what is wrong with a header.
func (c *pathColumns) err(row []string, L int) error {
	if c.twice != "" {
		return fmt.Errorf("two columns are called %s", c.twice)
	}
	for l, i := range c.vertex {
		if i < 0 {
			return fmt.Errorf("no column v%d: the graph has %d layers, and the header is %q", l+1, L, strings.Join(row, ","))
		}
	}
	for _, name := range c.unused {
		if bare := strings.TrimRight(names.Folded(name), "0123456789"); bare != names.Folded(name) &&
			slices.Contains(vertexWords, bare) {
			return fmt.Errorf("column %s is of no layer: the graph has %d", name, L)
		}
	}
	return nil
}

// notes says which columns are not used.
func (c *pathColumns) notes() []string {
	if len(c.unused) == 0 {
		return nil
	}
	list := slices.Clone(c.unused)
	for k, name := range list {
		if c.count < 0 && names.Near(name, countWords[:1]) != "" {
			list[k] += " (did you mean count?)"
		}
	}
	return []string{"columns not used: " + strings.Join(list, ", ")}
}

// cells returns the vertices of a row and, where it has one, its count after them.
func (c *pathColumns) cells(row []string, L int) ([]string, error) {
	for len(row) > L && len(row) > c.width && strings.TrimSpace(row[len(row)-1]) == "" {
		row = row[:len(row)-1] // separators at the end of a line
	}
	if c.width == 0 || c.last {
		if len(row) != L && len(row) != L+1 {
			return row, fmt.Errorf("%d fields, expected %d vertices and at most a count", len(row), L)
		}
		return row, nil
	}
	if len(row) > c.width || len(row) < c.width-1 {
		return row, fmt.Errorf("%d fields, but %d in the header", len(row), c.width)
	}
	out := make([]string, 0, L+1)
	for _, i := range c.vertex {
		if i >= len(row) {
			return row, errors.New("a field too few for the header")
		}
		out = append(out, row[i])
	}
	if c.count >= 0 && c.count < len(row) {
		out = append(out, row[c.count])
	}
	return out, nil
}
