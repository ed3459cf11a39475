// Package kernel is the DDPS kernel of Jupyter: a Go process that owns the five sockets of the protocol, answers
// itself what it can, and has GoNB compile and run the cells behind it.
//
//	kernel.go, dispatch.go, queue.go    the process and its queue of requests
//	compiler.go, calls.go               GoNB, and the talk with it
//	execute.go, compiled.go, screen*.go a cell: where it goes, how it is run, what it shows
//	failure.go, place.go                why it failed, at which line of the notebook
//	controls.go, page.js                what pages send to the controls of live and compiled cells
//	assist.go, inspect.go, magic.go     the protocol's other requests; %ddps
//	input.go, debug.go                  what is typed for live cells; their variables
//	stale.go                            source that is newer than the kernel
//	bench.go                            times
//
//	cells     what a cell says: magics, declarations, completeness; history
//	jupyter   messages and signatures, sockets, a front end without a face
//	gonb      GoNB's process, and what stands between it and a cell's programs
//	usage     memory and time of the kernel
//	setup     tools, kernelspec, what may be wrong
//
// Cells go one of three ways. Lines %ddps run this program. A cell %%live goes to a Live session in this process. All
// others GoNB compiles: the kernel forwards the request with its identities and key unchanged, so that replies and
// output pass back without a table.
package kernel
