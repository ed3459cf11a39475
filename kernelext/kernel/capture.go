package kernel

import "io"

// capture is an Output that keeps the last value it is shown, and nothing else.
type capture struct{ data, metadata map[string]any }

// Stdout and Stderr drop what is written.
func (*capture) Stdout() io.Writer { return io.Discard }

// Stderr is the other one.
func (*capture) Stderr() io.Writer { return io.Discard }

// Display keeps nothing: displays are no values.
func (*capture) Display(map[string]any, map[string]any, string, bool) {}

// Result keeps the value.
func (c *capture) Result(data, metadata map[string]any) { c.data, c.metadata = data, metadata }

// Clear does nothing.
func (*capture) Clear(bool) {}
