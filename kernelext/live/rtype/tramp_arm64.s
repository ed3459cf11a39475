#include "textflag.h"

// Each trampoline loads the closure of its slot into the context register and jumps to the closure's code. Registers
// and stack stay as the caller of the method left them.

#define ONE(n) PCALIGN $32; MOVD ·slots+(n)*8(SB), R26; MOVD (R26), R19; JMP (R19)
#define FOUR(n) ONE(n); ONE((n)+1); ONE((n)+2); ONE((n)+3)
#define SIXTEEN(n) FOUR(n); FOUR((n)+4); FOUR((n)+8); FOUR((n)+12)
#define SIXTYFOUR(n) SIXTEEN(n); SIXTEEN((n)+16); SIXTEEN((n)+32); SIXTEEN((n)+48)
#define MANY(n) SIXTYFOUR(n); SIXTYFOUR((n)+64); SIXTYFOUR((n)+128); SIXTYFOUR((n)+192)
#define THOUSAND(n) MANY(n); MANY((n)+256); MANY((n)+512); MANY((n)+768)

TEXT trampolines<>(SB),NOSPLIT|NOFRAME,$0
	THOUSAND(0)
	THOUSAND(1024)
	THOUSAND(2048)
	THOUSAND(3072)
	THOUSAND(4096)
	THOUSAND(5120)
	THOUSAND(6144)
	THOUSAND(7168)

// func trampolineBase() uintptr
TEXT ·trampolineBase(SB),NOSPLIT,$0-8
	MOVD $trampolines<>(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func G() uintptr
TEXT ·G(SB),NOSPLIT,$0-8
	MOVD g, R0
	MOVD R0, ret+0(FP)
	RET
