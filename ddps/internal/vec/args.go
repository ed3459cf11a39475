package vec

// Args are the arguments of the assembly kernels over lanes, each a pointer to the first number of an array. The
// generator reads the offsets from this type. A kernel for AVX2 works on half of the lanes at a time; half returns the
// arguments of the second half.
type Args struct {
	Layer, First, Head, Edge, Rows *int32 // the graph, or the product graph with the edges under it
	Layers, Vertices, NumRows      int    // of the graph
	P                              *float64
	Pi, Out, M, Tops, B            *Lane
	U, Reach, Grad                 *Lane
	X, X0                          *Choice
	At, As, Rest                   *Lane
	LikeMove, LikeKeep             *Lane
	FromMove, FromKeep             *Lane
	ToMove, ToKeep                 *Lane
	Move0, Keep0, Move1, Keep1     *Lane // Step.Path
	Single                         *Single
	Exps                           *Single
	Top                            *Single
	Stride                         int // of Single, in bytes
	Odd                            *uint8
	Lambda                         float64
	Logs                           int
	Bad                            int // set by the kernel: bit k reports that lane k left the range
	Lost                           int // set by the kernel: the lanes in any entry of Odd
}
