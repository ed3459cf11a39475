package frame

import "github.com/ddps-go/ddps/kernelext"

// Table returns the frame as text, the middle of a long one left out, with how many rows there are above it.
func (f *Frame) Table() *kernelext.Table { return kernelext.ColumnTable(f.names, f.cols) }

// Bundle returns the frame as text, HTML and Markdown.
func (f *Frame) Bundle() map[string]any { return f.Table().Bundle() }

// String returns the frame as text.
func (f *Frame) String() string { return f.Table().String() }
