package gen

import (
	"bytes"
	"go/format"
	"regexp"
)

var function = regexp.MustCompile(`(?m)^//go:noescape\n(func .*)$`)

// elsewhere returns the file that declares the kernels of stubs, which are never called there, on other CPUs.
func elsewhere(stubs []byte) ([]byte, error) {
	stubs = bytes.Replace(stubs, []byte("//go:build amd64"), []byte("//go:build !amd64"), 1)
	return format.Source(function.ReplaceAll(stubs, []byte("$1 {}")))
}
