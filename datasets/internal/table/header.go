package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/names"
)

// Column is a column with a meaning.
type Column struct {
	Name string
	Also []string // other names, the best first
	Must bool     // a header has to have it
}

// Match is a header: where the columns are, in the order of those asked for, −1 for none.
type Match struct {
	At     []int
	Found  int      // how many there are
	Unused []string // names of the others, but for empty ones
	near   []string // by name of Unused, the column that it was probably to be; "" for none
}

// Header finds columns by name: in any order, whatever the case, spaces, hyphens, underscores and accents. Of several
// columns with the same meaning the one whose name is first in Name, Also is taken. The error is of two columns
// with the same name.
func Header(row []string, columns []Column) (Match, error) {
	m := Match{At: make([]int, len(columns))}
	plain, used := make([]string, len(row)), make([]bool, len(row))
	for i, name := range row {
		plain[i] = names.Folded(name)
	}
	for k, c := range columns {
		m.At[k] = -1
		for _, name := range append([]string{c.Name}, c.Also...) {
			name = names.Folded(name)
			i := slices.Index(plain, name)
			if i < 0 {
				continue
			}
			if j := slices.Index(plain[i+1:], name); j >= 0 {
				return m, fmt.Errorf("columns %d and %d are both called %s", i+1, i+j+2, names.Normal(row[i]))
			}
			m.At[k], used[i] = i, true
			m.Found++
			break
		}
	}
	for i, name := range row {
		if name = names.Normal(name); !used[i] && name != "" {
			m.Unused, m.near = append(m.Unused, name), append(m.near, m.missed(name, columns))
		}
	}
	return m, nil
}

// missed returns the column without a place that a name was probably to be, "" for none.
func (m Match) missed(name string, columns []Column) string {
	for k, c := range columns {
		if m.At[k] < 0 && names.Near(name, append([]string{c.Name}, c.Also...)) != "" {
			return c.Name
		}
	}
	return ""
}

// Missing returns the error for a header that lacks a column it must have, nil if it lacks none.
func (m Match) Missing(columns []Column) error {
	for k, c := range columns {
		if !c.Must || m.At[k] >= 0 {
			continue
		}
		for _, name := range m.Unused {
			if names.Near(name, append([]string{c.Name}, c.Also...)) != "" {
				return fmt.Errorf("no column %s: is %q to be it?", c.Name, name)
			}
		}
		return fmt.Errorf("no column %s among those of the header", c.Name)
	}
	return nil
}

// Ask is the error for a first row that may be a header with unknown names, or data.
func Ask(row []string, columns []Column) error {
	list := make([]string, len(columns))
	for k, c := range columns {
		if list[k] = c.Name; !c.Must {
			list[k] = "[" + c.Name + "]"
		}
	}
	cells := make([]string, len(row))
	for k, c := range row {
		cells[k] = names.Normal(c)
	}
	return fmt.Errorf("is %q a header? none of its names is known: name the columns %s", strings.Join(cells, ","),
		strings.Join(list, ", "))
}

// NotUsed is the note on columns without a meaning, "" if there are none.
func (m Match) NotUsed() string {
	if len(m.Unused) == 0 {
		return ""
	}
	list := slices.Clone(m.Unused)
	for k, near := range m.near {
		if near != "" {
			list[k] += " (did you mean " + near + "?)"
		}
	}
	return "columns not used: " + strings.Join(list, ", ")
}
