package live

import "github.com/ddps-go/ddps/kernelext/live/eval"

// Complete reports whether code is whole: no bracket, string or comment is left open, and it does not end in an
// operator that expects something after it.
func Complete(code string) bool { return eval.Whole(code) }
