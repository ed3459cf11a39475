package model

import (
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/internal/xla"
)

// CheckBackend opens the backend that spec names ("go", "go:large", "xla:cpu", "xla:cuda", "xla:" and a plugin file's
// absolute path, "auto") and computes a small gradient there. It returns one line on what was opened. The error says
// what is missing, or what the backend computed; nothing panics.
func CheckBackend(spec string) (description string, err error) { return xla.CheckBackend(spec) }

// Vectors names the instructions that samplers and native networks use here: "AVX-512", or "AVX2" with FMA, where the
// CPU has them, else "plain Go".
func Vectors() string { return vec.Kind() }
