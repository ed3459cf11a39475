// Package kernel is the DDPS kernel of Jupyter: a Go process that owns the five sockets of the protocol, answers
// itself what it can, and has GoNB compile and run the cells behind it.
//
//	wire.go, socket.go, connection.go   messages and signatures; sockets on zmq4's connections
//	kernel.go, dispatch.go, calls.go    the process, its queue of requests, its talk with GoNB
//	cell.go, execute.go, screen.go      a cell: where it goes, how it is run, what it shows
//	failure.go, place.go                why it failed, at which line of the notebook
//	compiler.go, folder.go              GoNB, the scripts before its tools, the folder that goes with the kernel
//	shim.go, outcome.go                 what stands between GoNB and a cell's programs, and notes how they end
//	controls.go, page.js                what pages send to the controls of live and compiled cells
//	complete.go, history.go, assist.go, magic.go   the protocol's other questions; %ddps
//	setup.go, tools.go, install.go, doctor.go      tools, kernelspec, what may be wrong
//	client.go, bench.go                 a front end without a face, for times and tests
//
// Cells go one of three ways. Lines %ddps run this program. A cell %%live goes to a Live session in this process. All
// others GoNB compiles: the kernel forwards the request with its identities and key unchanged, so that replies and
// output pass back without a table. GoNB calls every program's end a success; so the kernel puts scripts before the go
// tool and before what the cell runs, in GoNB's PATH and in the cell's code, and a Shim notes each bad end in a ledger.
package kernel
