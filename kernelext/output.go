package kernelext

import "io"

// Output is where a cell's results go: a Jupyter front end, a terminal, a file. It is safe for concurrent use.
type Output interface {
	Stdout() io.Writer
	Stderr() io.Writer
	// Display shows a bundle, its forms by MIME type: text and SVG as strings, PNG as bytes in base64. With an id
	// and update set it takes the place of what was shown under that id; without update it is shown anew and may
	// be replaced later. metadata may be nil.
	Display(data, metadata map[string]any, id string, update bool)
	// Result shows a bundle as the value of the cell, which front ends number: Out [3].
	Result(data, metadata map[string]any)
}
