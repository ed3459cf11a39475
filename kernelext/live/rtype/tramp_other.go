//go:build !amd64 && !arm64

package rtype

import (
	"bytes"
	"runtime"
	"strconv"
)

const stride = 1

// trampolineBase is not there: types cannot have methods.
func trampolineBase() uintptr { panic("rtype: no code for methods on this CPU") }

// G returns a number that no other goroutine has.
func G() uintptr {
	var buf [64]byte
	b := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	n, _ := strconv.ParseUint(string(b[:max(0, bytes.IndexByte(b, ' '))]), 10, 64)
	return uintptr(n)
}
