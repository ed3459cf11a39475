// Package cells reads the code of a notebook's cells, as the kernel sees it, and runs none.
//
//	cell.go       magics, and what GoNB is given in their place
//	constants.go  groups of constants, whose values GoNB would change
//	complete.go   whether a cell could be run as it stands
//	names.go      what cells declare, and the names that may stand at a byte
//	history.go    the cells that were run
package cells
