package rtype

// trampolineBase returns the address of the first trampoline.
func trampolineBase() uintptr

const stride = 16 // bytes of code of a trampoline
