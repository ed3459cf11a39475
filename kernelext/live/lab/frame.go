package lab

import "github.com/ddps-go/ddps/kernelext/frame"

// NewFrame makes a frame, a table with named columns, of a slice of structs or maps, or of a map. It sorts, filters,
// groups, joins, describes and plots itself.
//
//	f := must(NewFrame([]struct{ Kind string; Reward float64 }{{"a", 1}, {"b", 2}, {"a", 3}}))
//	must(f.Group([]string{"Kind"}, "count", "mean Reward"))
func NewFrame(rows any) (*Frame, error) { return frame.Of(rows) }

// ReadCSV reads a frame from a CSV file whose first line names the columns.
//
//	must(must(ReadCSV("results.csv")).Sort("-reward")).Head(10)
func ReadCSV(path string) (*Frame, error) { return frame.ReadCSV(path) }
