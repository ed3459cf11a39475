package rtype

// trampolineBase returns the address of the first trampoline.
func trampolineBase() uintptr

const stride = 32 // bytes of code of a trampoline

// G returns a number that no other goroutine has while this one lives.
func G() uintptr
