//go:build goexperiment.simd && amd64

package octet

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

type (
	vecWide    = archsimd.Float64x8
	intsWide   = archsimd.Int64x8
	singleWide = archsimd.Float32x8

	vecNarrow    = archsimd.Float64x4
	intsNarrow   = archsimd.Int64x4
	singleNarrow = archsimd.Float32x4
)

// How many lanes a vector holds.
const stepWide, stepNarrow = 8, 4

// Numbers as what they are stored as.
var (
	bitsOfOne                   = math.Float64bits(1)
	bitsOfLeast                 = math.Float64bits(least)
	bitsOfMost                  = math.Float64bits(most)
	bitsOfTiny                  = math.Float64bits(0x1p-120)
	bitsOfSmall                 = math.Float64bits(0x1p-900)
	bitsOfGreatest              = math.Float64bits(math.MaxFloat64)
	bitsOfLowest                = math.Float64bits(math.Inf(-1))
	bitsOfNormal                = math.Float64bits(normal)
	bitsOfLimit, bitsOfLowLimit = math.Float64bits(limit), math.Float64bits(-limit)
	bitsOfLeastOfAll            = math.Float64bits(-math.MaxFloat64)
)

// asBits returns the numbers of x as what they are stored as.
func asBits(x []float64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func loadWide(x *Lane, _ int) vecWide                { return archsimd.LoadFloat64x8(x) }
func storeWide(y *Lane, _ int, x vecWide)            { x.Store(y) }
func loadIntsWide(x *Choice, _ int) intsWide         { return archsimd.LoadInt64x8(x) }
func storeIntsWide(y *Choice, _ int, x intsWide)     { x.Store(y) }
func loadSingleWide(x *Single, _ int) singleWide     { return archsimd.LoadFloat32x8(x) }
func storeSingleWide(y *Single, _ int, x singleWide) { x.Store(y) }
func broadcastWide(bits uint64) vecWide              { return archsimd.BroadcastUint64x8(bits).AsFloat64x8() }
func broadcastIntsWide(i int64) intsWide             { return archsimd.BroadcastInt64x8(i) }

func load8(x *Single) archsimd.Float32x8 { return archsimd.LoadFloat32x8(x) }

func loadNarrow(x *Lane, k int) vecNarrow {
	return archsimd.LoadFloat64x4((*[4]float64)(unsafe.Add(unsafe.Pointer(x), k*8)))
}
func storeNarrow(y *Lane, k int, x vecNarrow) {
	x.Store((*[4]float64)(unsafe.Add(unsafe.Pointer(y), k*8)))
}
func loadIntsNarrow(x *Choice, k int) intsNarrow {
	return archsimd.LoadInt64x4((*[4]int64)(unsafe.Add(unsafe.Pointer(x), k*8)))
}
func storeIntsNarrow(y *Choice, k int, x intsNarrow) {
	x.Store((*[4]int64)(unsafe.Add(unsafe.Pointer(y), k*8)))
}
func loadSingleNarrow(x *Single, k int) singleNarrow {
	return archsimd.LoadFloat32x4((*[4]float32)(unsafe.Add(unsafe.Pointer(x), k*4)))
}
func storeSingleNarrow(y *Single, k int, x singleNarrow) {
	x.Store((*[4]float32)(unsafe.Add(unsafe.Pointer(y), k*4)))
}
func broadcastNarrow(bits uint64) vecNarrow {
	return archsimd.BroadcastUint64x4(bits).AsFloat64x4()
}
func broadcastIntsNarrow(i int64) intsNarrow { return archsimd.BroadcastInt64x4(i) }

func bitsWide(x vecWide) archsimd.Uint64x8           { return x.AsUint64x8() }
func numberWide(x archsimd.Uint64x8) vecWide         { return x.AsFloat64x8() }
func broadcastBitsWide(x uint64) archsimd.Uint64x8   { return archsimd.BroadcastUint64x8(x) }
func bitsNarrow(x vecNarrow) archsimd.Uint64x4       { return x.AsUint64x4() }
func numberNarrow(x archsimd.Uint64x4) vecNarrow     { return x.AsFloat64x4() }
func broadcastBitsNarrow(x uint64) archsimd.Uint64x4 { return archsimd.BroadcastUint64x4(x) }

// The constants of Log and ExpDown, each in every lane.
var (
	logNumbers = spread(0x1p54, 54, 0x1p52+1022, math.Sqrt2/2, 1, 2, 0.5, ln2High, ln2Low)
	logPoly    = spread(logSeries[:]...)
	expNumbers = spread(lowest, math.Log2E, rounder, ln2High, ln2Low, 1)
	expPowers  = spread(expSeries[:]...)
)

func spread(x ...float64) []Lane {
	y := make([]Lane, len(x))
	for i := range x {
		y[i] = Spread(x[i])
	}
	return y
}
