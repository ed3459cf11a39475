// Package vec is the vector code of the project: kernels over eight samples of a layered graph at a time, float64, and
// over arrays of float32, in assembly for AVX-512 and AVX2 with FMA on amd64, chosen when the program starts.
//
// The kernels over lanes (Posterior, Reach, Draw, the reverse steps, Keep, Weigh, Guide, …) are what a reverse step is
// made of. An array by edge or by vertex has eight numbers in each place, one per sample. Each lane gets the bits that
// the scalar code gives its sample, which is the reference (packages chain and d3pm): the arithmetic is the same in the
// same order, and no product is fused into a sum. They run only where Vectors reports so; elsewhere the scalar code
// runs.
//
// The kernels over arrays (Dense, Silu, AdamW, …) are what the native networks are made of, 32 samples at a time. They
// fuse products into sums, and are plain Go where there are no vectors.
//
// Functions do not check their arguments: arrays have the lengths that their comments state. The assembly is written by
// package gen, one text for both widths; go test ./ddps/internal/vec/gen -regen writes it.
package vec
