package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/ddps/guide/where"
)

// BadCondition points at the character of a condition that err is about, and names its flag, or the file that it is of.
func (a *App) BadCondition(flag string, err error) error {
	var at *where.Error
	if !errors.As(err, &at) {
		return err
	}
	fmt.Fprintln(a.Stderr, at.Caret()) // part of the error: --quiet keeps it
	hint := ""
	if total, missing := strings.CutPrefix(at.Problem, "no "); missing {
		if total, missing = strings.CutSuffix(total, " is given"); missing {
			hint = ": add --" + total
		}
	}
	return fmt.Errorf("%s: %w%s", flag, err, hint)
}
