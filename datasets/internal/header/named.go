package header

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/names"
)

// Named returns the columns of a header that a list names, in which a..b stands for those from a to b; all but a count
// if the list is nil.
func Named(row, list []string) (*Wide, error) {
	c := &Wide{Count: -1}
	find := func(name string) (int, error) {
		is := func(s string) bool { return names.Normal(s) == names.Normal(name) }
		i := slices.IndexFunc(row, is)
		if i < 0 {
			return 0, fmt.Errorf("no column %q among those of the header%s", name, names.Meant(name, row))
		}
		if j := slices.IndexFunc(row[i+1:], is); j >= 0 {
			return 0, fmt.Errorf("columns %d and %d are both called %s", i+1, i+j+2, names.Normal(name))
		}
		return i, nil
	}
	for _, name := range list {
		if i, err := find(name); err == nil {
			c.At = append(c.At, i)
			continue
		}
		a, b, ranged := strings.Cut(name, "..")
		if !ranged {
			_, err := find(name)
			return nil, err
		}
		lo, err := find(a)
		if err != nil {
			return nil, err
		}
		hi, err := find(b)
		if err != nil {
			return nil, err
		}
		if hi < lo {
			return nil, fmt.Errorf("column %q stands after %q", a, b)
		}
		for ; lo <= hi; lo++ {
			c.At = append(c.At, lo)
		}
	}
	if list == nil {
		for i, name := range row {
			if names.Normal(name) != "" && !IsCount(name) {
				c.At = append(c.At, i)
			}
		}
	}
	return c, c.Rest(row)
}
