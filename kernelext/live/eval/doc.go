// Package eval evaluates Go: cells that share names, checked by go/types and run as closures over their syntax tree.
//
// Everything a cell handles is a real Go value of a real runtime type (package rtype), so that compiled code (fmt,
// encoding/json, errors.As, sort) sees what it would see in a program. A cell is parsed and checked against what the
// session knows before anything runs. Each function is compiled once into closures, at its first call or, for those
// that a cell declares, before the cell runs. Locals live in one block of memory per call, typed for the garbage
// collector; a variable has memory of its own only where its address is taken or a function literal uses it.
//
//	session.go check.go mend.go imports.go   a cell against the session's names
//	split.go item.go                         its declarations and statements
//	revise.go earlier.go remethod.go lift.go remember.go   what depends on names that a cell changes is checked once more
//	retype.go holds.go                       variables of types that get methods
//	define.go run.go look.go                 names become known; the statements run; what a session holds
//	program.go programtext.go                a cell as a part of a program
//	native.go nativemethod.go                go/types packages of compiled ones, from their runtime types
//	runtypes.go layout.go subst.go           runtime types of types of cells; type arguments
//	std.go std/                              Go's generic functions as code of cells: compiled code cannot offer them
//	comp.go vars.go escape.go                one function: variables and where they live
//	expr.go constant.go binary.go compare.go convert.go interface.go literal.go selector.go assert.go
//	order.go operands.go devirtual.go        which operands come first: calls, as Go's compiler has it
//	call.go invoke.go nativecall.go builtin.go make.go extreme.go effect.go   calls
//	stmt.go flow.go range.go rangefunc.go switch.go concurrent.go assign.go assignone.go place.go update.go
//	index.go slicing.go runtimeerror.go      what is out of range, and errors as the Go runtime makes them
//	frame.go goroutine.go                    calls under way: depth, interrupts, defer and recover, where a panic was
//	locks.go maplocks.go pull.go             what would end the process is an error of the cell; iter.Pull
//	closure.go dispatch.go source.go world.go   functions and methods as compiled code calls them
//
// A Run ends what cells began: loops, calls and operations on channels look at it. A call of compiled code that waits
// for something else cannot be ended.
//
// What is refused, with an error that names compiled cells: package unsafe and packages that are not compiled in,
// types declared in generic functions, conversions in go and defer statements. Known differences: runtime.Caller and
// stack traces show the evaluator; a method value that package reflect made cannot recover; a function value makes
// values of the types as they were when it was made; calls nest 100,000 deep and not to a gigabyte of stack; append
// may give a short slice another capacity than where the compiler keeps it on the stack; memory may stay reachable
// until the function that used it returns.
package eval
