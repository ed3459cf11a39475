// Command gen writes the symbol tables of package symbols: one file a package that live cells can import, from the
// export data that the Go command keeps of it.
//
//	go run ./kernelext/live/symbols/gen DIR
package main

import (
	"fmt"
	"os"

	"github.com/ddps-go/ddps/kernelext/live/symbols/internal/table"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen DIR")
		os.Exit(2)
	}
	files, err := table.Files(os.Args[1])
	if err == nil {
		err = table.Write(os.Args[1], files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
