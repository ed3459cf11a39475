package kernel

import (
	"context"
	"io"
)

// Live is an interpreter session inside the kernel: a cell whose first line is %%live goes there instead of to the
// compiler, and what it declares stays in memory. The kernel calls its methods one at a time, but for Complete and
// Inspect, which may come while Eval runs.
type Live interface {
	// Eval runs code, the cell without its %%live line, and returns when all it started is done or ctx is
	// cancelled. A panic in the code is an error like any other, and the session lives on. The error may be a
	// LineError and a Tracebacker.
	Eval(ctx context.Context, code string, out Output) error
	// Complete returns the names that may stand at byte pos of code, and the byte at which they start: they
	// replace code[start:pos].
	Complete(code string, pos int) (names []string, start int)
	// Inspect tells what stands at byte pos of code, as plain text, "" if it does not know.
	Inspect(code string, pos int) string
	// Reset forgets all that was declared.
	Reset()
}

// Output is where a cell shows what it has to show.
type Output interface {
	// Stdout and Stderr are the cell's two streams.
	Stdout() io.Writer
	Stderr() io.Writer
	// Display shows a bundle, MIME type to content: a string for text and SVG, base64 text for PNG and the like, or
	// anything that JSON can write for the types application/*json. Bundles with an id ≠ "" can be shown anew:
	// update replaces what stands under that id.
	Display(data, metadata map[string]any, id string, update bool)
	// Result shows a bundle as the value of the cell, after which front ends number it: Out [3].
	Result(data, metadata map[string]any)
}

// LineError is an error that knows where in the code it arose.
type LineError interface {
	error
	Line() int // in the code handed to Eval, from 1; 0 if not known
}

// Tracebacker is an error with lines of a traceback, the innermost call last.
type Tracebacker interface {
	error
	Traceback() []string
}
