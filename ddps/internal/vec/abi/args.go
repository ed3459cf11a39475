// Package abi is what the kernels of package vec and their generator share: the layout of their arguments, and the
// constants of the functions they compute.
package abi

import "unsafe"

// Classes is the number of classes of a mixture that vec.Weigh takes together.
const Classes = 4

type (
	Lane   = [8]float64 // a number of each of eight samples
	Choice = [8]int64   // a choice of each sample
	Single = [8]float32 // an output of a network for each sample
)

// Args are the arguments of the kernels over lanes, each a pointer to the first number of an array. The generator reads
// the offsets from this type. A kernel for AVX2 works on half of the lanes: Half moves on to the other half.
type Args struct {
	Layer, First, Head, Edge, Rows *int32 // the graph, or the product graph and the edges that its edges project to
	Layers, Vertices, NumRows      int    // of the graph; Vertices: how many the kernel visits
	Groups                         *int32 // of vec.Groups
	P                              *float64
	Pi, Out, M, Tops, B            *Lane
	U, Reach, Grad, Rates          *Lane
	X, X0                          *Choice
	At, As, Rest                   *Lane
	LikeMove, LikeKeep             *Lane
	FromMove, FromKeep             *Lane
	ToMove                         *Lane
	Move0, Keep0, Move1, Keep1     *Lane // Step.Path
	Single, Exps                   *Single
	Stride                         int // of Single, in bytes
	Odd                            *uint8
	OddSize                        int // Odd has that many entries for each half
	Lambda                         float64
	Logs                           int
	Bad                            int // set by the kernel: bit k reports that lane k left the range
	Lost                           int // set by the kernel: the lanes in any entry of Odd

	bad, lost int // of the first half
}

// Half moves the arguments on to the lanes 4…7.
func (a *Args) Half() {
	for _, x := range []**Lane{&a.Pi, &a.Out, &a.M, &a.Tops, &a.B, &a.U, &a.Reach, &a.Grad, &a.Rates, &a.At, &a.As,
		&a.Rest,
		&a.LikeMove, &a.LikeKeep, &a.FromMove, &a.FromKeep, &a.ToMove, &a.Move0, &a.Keep0, &a.Move1, &a.Keep1} {
		if *x != nil {
			*x = (*Lane)(unsafe.Add(unsafe.Pointer(*x), unsafe.Sizeof(Lane{})/2))
		}
	}
	for _, x := range []**Choice{&a.X, &a.X0} {
		if *x != nil {
			*x = (*Choice)(unsafe.Add(unsafe.Pointer(*x), unsafe.Sizeof(Choice{})/2))
		}
	}
	for _, x := range []**Single{&a.Single, &a.Exps} {
		if *x != nil {
			*x = (*Single)(unsafe.Add(unsafe.Pointer(*x), unsafe.Sizeof(Single{})/2))
		}
	}
	if a.Odd != nil {
		a.Odd = (*uint8)(unsafe.Add(unsafe.Pointer(a.Odd), a.OddSize))
	}
	a.bad, a.lost, a.Bad, a.Lost = a.Bad, a.Lost, 0, 0
}

// Join puts the lanes of both halves together.
func (a *Args) Join() { a.Bad, a.Lost = a.bad|a.Bad<<4, a.lost|a.Lost<<4 }
