package live

import (
	"strings"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// Complete reports whether code is whole: no bracket, string or comment is left open, and it does not end in an
// operator that expects something after it, nor in %%time or %%timeit.
func Complete(code string) bool {
	lines := strings.Split(strings.TrimRight(code, " \t\n"), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last == "%%time" || last == "%%timeit" {
		return false
	}
	return eval.Whole(code)
}
