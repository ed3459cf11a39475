//go:build xla && cgo && linux

package backend

/*
#include <malloc.h>

__attribute__((constructor)) static void keep_memory(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, 2147483647);
	mallopt(M_TOP_PAD, 64 << 20);
#endif
}
*/
import "C"

// The C library of a program with XLA keeps what is given back, from its start, before there are threads. Each run of a
// graph takes and frees its scratch, which glibc would otherwise take from the system page by page every time:
// a quarter of a U-Net's training step. Compilation, whose threads then share one heap, takes a third longer. Go's own
// memory is apart from it.
