// Package live is an interpreter session: cells of Go that take milliseconds, with values that stay.
//
//	session.go   a session: a cell in, results to an Output, an error with the cell's line
//	split.go     a cell's top-level declarations and statements
//	item.go      one of them parsed, the names that it defines and uses
//	names.go     what names mean: the session's own, the facade's, packages imported as they are used
//	rewrite.go   must(…), goroutines whose panic does not end the process, types declared anew
//	run.go       running with a context: what stops an endless loop
//	lines.go     the line at which a function or block stands when it panics
//	errors.go    panics, compile errors and returned errors as one kind, with line and traceback
//	show.go      the last expression shows itself
//	complete.go  names that go on from a prefix, and what a name is
//	symbols/     the compiled packages that cells can import
//	lab/         the project in short names
//
// The interpreter is github.com/traefik/yaegi. It knows generics of interpreted code only, so what the facade offers
// has none. Heavy work is compiled code behind it.
package live
