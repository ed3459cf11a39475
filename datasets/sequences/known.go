package sequences

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/header"
	"github.com/ddps-go/ddps/datasets/internal/tokens"
	"github.com/ddps-go/ddps/internal/names"
)

// headerLine takes the first of the lines off where it names a column of whole walks, the only one, and the walks
// below are not quoted as the cells of a table are.
func (f *file) headerLine(lines []string) (rest []string, name string) {
	if len(lines) < 2 || f.o.Header == "no" || f.o.Format == NGram || f.o.Format == Events || len(f.o.Columns) > 0 {
		return lines, ""
	}
	name = names.Normal(strings.Trim(strings.TrimSpace(lines[0]), `"`))
	if f.o.Walk != "" && name != names.Normal(f.o.Walk) || f.o.Walk == "" &&
		!header.IsWalk(name) {
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
		if rows[i] = []string{line}; sep != tokens.Letters {
			rows[i] = tokens.Split(nil, line, sep)
		}
	}
	if len(lines) < 2 || !header.Known(rows, f.events()) {
		return nil
	}
	return undecided("is the first line, %q, a header? say --header no if it is a walk; the columns of a table are "+
		"separated by commas, semicolons or tabs", shorten(lines[0]))
}

// UndecidedError is the error of a file that an option decides how to read; its text names the command's flag.
type UndecidedError struct{ error }

// Unwrap returns the error of which it came, if any.
func (e UndecidedError) Unwrap() error { return errors.Unwrap(e.error) }

func undecided(format string, args ...any) error { return UndecidedError{fmt.Errorf(format, args...)} }
