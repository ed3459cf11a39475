package kernel

import (
	"context"

	"github.com/ddps-go/ddps/kernelext"
)

// Live is an interpreter session inside the kernel: a cell whose first line is %%live goes there instead of to the
// compiler, and what it declares stays in memory. The kernel calls its methods one at a time, but for Complete and
// Inspect, which may come while Eval runs.
type Live interface {
	// EvalCell runs code, the cell with empty lines in place of %%live and what stands above it, and returns when it
	// is done or ctx is cancelled. number is the cell's in the notebook. A panic in the code is an error like any
	// other, and the session lives on. The error may be a LineError and a Tracebacker.
	EvalCell(ctx context.Context, number int, code string, out Output) error
	// Complete returns what may stand at byte pos of code, and the byte at which it starts: it replaces code[start:pos].
	Complete(code string, pos int) (list []kernelext.Candidate, start int)
	// Inspect tells what stands at byte pos of code, as plain text, "" if it does not know.
	Inspect(code string, pos int) string
	// Members returns the exported names of the package that cells call name without importing it, nil if there is
	// none; with "" the names of those packages.
	Members(name string) []string
	// Variables returns the variables, or with a variable's Ref its parts, as long as they are not listed anew.
	Variables(ref int) []kernelext.Variable
	// Stop ends what runs between cells, as a page's controls ask for it.
	Stop()
	// Reset forgets all that was declared.
	Reset()
}

// StillRunning is an error of an interrupted cell that may not have ended: its code, or that of the cell before it,
// runs on beside the session.
type StillRunning interface{ StillRunning() bool }

// Output is where a live cell shows what it has to show.
type Output = kernelext.Output

// LineError is an error that knows where in the code it arose.
type LineError interface {
	error
	Line() int // in the code handed to EvalCell, from 1; 0 if not known
}

// Tracebacker is an error with lines of a traceback, the innermost call last.
type Tracebacker interface {
	error
	Traceback() []string
}
