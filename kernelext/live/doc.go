// Package live is a session of Go: cells that take milliseconds, with values that stay.
//
//	session.go   a session: a cell in, results to an Output, an error with the cell's line
//	override.go  what cells see differently from programs: streams, exits, waits
//	input.go     what a cell's user types, as standard input
//	errors.go    panics, compile errors and returned errors as one kind, with line and traceback
//	page.go      what a page asks for between cells
//	magic.go     lines that start with %
//	timing.go    how long cells take
//	cyclic.go    values that hold themselves
//	show.go      the last expression shows itself
//	variables.go what variables hold
//	complete.go  names that go on from a prefix
//	inspect.go   what a name is
//	eval/        the evaluator: go/types checks a cell, closures over its syntax tree run it
//	rtype/       types of cells as runtime types, with methods
//	symbols/     the compiled packages that cells can import
//	lab/         the project in short names
//
// A cell does what Go does, or fails with an error that says so and that the same cell compiled can (without %%live).
package live
