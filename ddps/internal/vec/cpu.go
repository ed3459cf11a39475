package vec

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// level is the instruction set that the kernels use.
type level int

const (
	plainGo level = iota
	avx2          // AVX2 and FMA
	avx512        // AVX-512 F, CD, BW, DQ and VL
)

// best is what the CPU and the system support; GODEBUG=cpu.avx512f=off or cpu.avx2=off leaves features out.
// at is what is used: best, but in tests that lower it.
var (
	best = supported()
	at   = best
)

func supported() level {
	x := &cpu.X86
	switch {
	case runtime.GOARCH != "amd64" || !x.HasAVX2 || !x.HasFMA:
		return plainGo
	case x.HasAVX512F && x.HasAVX512CD && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
		return avx512
	}
	return avx2
}

// Kind names the instructions that the kernels use: "AVX-512", "AVX2" or "plain Go".
func Kind() string { return [...]string{"plain Go", "AVX2", "AVX-512"}[at] }

// Vectors reports whether the kernels use vector instructions.
func Vectors() bool { return at > plainGo }
