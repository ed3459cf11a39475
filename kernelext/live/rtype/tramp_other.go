//go:build !amd64 && !arm64

package rtype

const stride = 1

// trampolineBase is not there: types cannot have methods.
func trampolineBase() uintptr { panic("rtype: no code for methods on this processor") }
