package where

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// vertices finds those that p names, in layers lo…hi, from 0.
func (c *compiler) vertices(p Place, lo, hi int) (in []int, err error) {
	if p.Kind == ByFile {
		return c.listed(p, lo, hi)
	}
	all := c.is(p)
	for _, v := range all {
		if l := c.g.LayerOf(v); l >= lo && l <= hi {
			in = append(in, v)
		}
	}
	switch {
	case len(in) > 0:
		return in, nil
	case len(all) > 0 && lo == hi:
		return nil, &Error{c.text, p.At, fmt.Sprintf("layer %d has no %v", lo+1, p)}
	case len(all) > 0:
		return nil, &Error{c.text, p.At, fmt.Sprintf("layers %d to %d have no %v", lo+1, hi+1, p)}
	case p.Kind == ByName && c.listInQuotes(p.Name) != nil:
		return nil, &Error{c.text, p.At, fmt.Sprintf(`no vertex is called %v: several places are {"%s"}`, p,
			strings.Join(c.listInQuotes(p.Name), `", "`))}
	case p.Kind == ByName:
		return nil, &Error{c.text, p.At, fmt.Sprintf("no vertex on any path is called %v%s", p, c.near(p.Name))}
	}
	return nil, &Error{c.text, p.At, fmt.Sprintf("there is no %v on any path", p)}
}

// is returns the vertices that p names.
func (c *compiler) is(p Place) (in []int) {
	switch p.Kind {
	case ByPlace:
		for v, place := range c.g.Meta().Place {
			if place == p.Number {
				in = append(in, v)
			}
		}
	case ByVertex:
		for v := range c.g.NumVertices() {
			if c.g.ID(v) == p.Number {
				in = append(in, v)
			}
		}
	default:
		if in = c.named[p.Name]; in != nil {
			return in
		}
		for _, name := range c.env.Alias[p.Name] {
			in = append(in, c.named[name]...)
		}
		if in == nil {
			in = c.label()[p.Name]
		}
		slices.Sort(in)
		in = slices.Compact(in)
	}
	return in
}

// label returns the vertices by what people call their places: by the whole label, and by each street of it.
func (c *compiler) label() map[string][]int {
	if c.labelled != nil {
		return c.labelled
	}
	c.labelled = map[string][]int{}
	for v, label := range c.g.Labels() {
		if label == "" {
			continue
		}
		c.labelled[label] = append(c.labelled[label], v)
		if streets := strings.Split(label, ddps.LabelSeparator); len(streets) > 1 {
			for _, s := range streets {
				c.labelled[s] = append(c.labelled[s], v)
			}
		}
	}
	return c.labelled
}

// listed finds the vertices that a file of names lists, one a line; blank lines are skipped. It is an error if the
// graph lacks one, or no vertex is in the layers.
func (c *compiler) listed(p Place, lo, hi int) (in []int, err error) {
	if c.env.ReadFile == nil {
		return nil, &Error{c.text, p.At, "files of names are not read here: write the names in braces"}
	}
	data, err := c.env.ReadFile(p.Name)
	if err != nil {
		return nil, &Error{c.text, p.At, err.Error()}
	}
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		name := strings.TrimSpace(line)
		if name == "" {
			continue
		}
		all := c.is(Place{Kind: ByName, Name: name})
		if len(all) == 0 {
			return nil, &Error{c.text, p.At, fmt.Sprintf("%s:%d: no vertex on any path is called %q%s", p.Name, i+1,
				name, c.near(name))}
		}
		for _, v := range all {
			if l := c.g.LayerOf(v); l >= lo && l <= hi {
				in = append(in, v)
			}
		}
	}
	if len(in) == 0 {
		return nil, &Error{c.text, p.At, fmt.Sprintf("%s names no vertex of layers %d to %d", p.Name, lo+1, hi+1)}
	}
	slices.Sort(in)
	return slices.Compact(in), nil
}

// near returns a question about a name that is like the one that was not found.
func (c *compiler) near(name string) string {
	want := strings.ToLower(strings.Join(strings.Fields(name), " "))
	best, least := "", max(1, len(want)/3)+1
	try := func(s string) {
		if d := distance(want, strings.ToLower(s), least); d < least {
			best, least = s, d
		}
	}
	for v := range c.g.NumVertices() {
		try(c.g.Name(v))
	}
	aliases := make([]string, 0, len(c.env.Alias))
	for s := range c.env.Alias {
		aliases = append(aliases, s)
	}
	for s := range c.label() {
		aliases = append(aliases, s)
	}
	slices.Sort(aliases)
	for _, s := range aliases {
		try(s)
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance is the number of letters to change, or of neighbours to swap, to make b of a (optimal string alignment), or
// limit if it is no less.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)} // i, i−1, i−2 by turns
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, above, higher := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			if row[j] = above[j-1]; a[i-1] != b[j-1] {
				row[j] = 1 + min(above[j-1], above[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], higher[j-2]+1)
			}
		}
	}
	return min(rows[len(a)%3][len(b)], limit)
}
