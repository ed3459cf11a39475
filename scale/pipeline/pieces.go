package pipeline

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ddps-go/ddps/ddps/exactsum"
)

// A vector of sums is a collection of (number of the piece, piece) of exactsum, which a Combine adds up: the same bits
// whatever the bundles, in messages of at most 300 kB.

// registerPieces registers the functions that add pieces.
func registerPieces() {
	register.Combiner1[[]byte](&addPieces{})
	register.DoFn2x1[int, []byte, Piece](&asPiece{})
	register.Iter1[Piece]()
}

// addPieces adds pieces of one number.
type addPieces struct{}

// MergeAccumulators adds two pieces.
func (addPieces) MergeAccumulators(a, b []byte) []byte {
	sum := make(exactsum.Vector, exactsum.PieceLen)
	for _, piece := range [][]byte{a, b} {
		if err := sum.AddPiece(0, piece); err != nil {
			panic(err) // this program wrote them: Beam fails the bundle
		}
	}
	return sum.Piece(0)
}

// emitPieces emits a vector's pieces, but for those of zeros.
func emitPieces(v exactsum.Vector, emit func(int, []byte)) {
	for k := range v.Pieces() {
		if piece := v.Piece(k); len(piece) > 0 {
			emit(k, piece)
		}
	}
}

// sumPieces adds up pieces, and returns them as a collection of Piece.
func sumPieces(s beam.Scope, pieces beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &asPiece{}, beam.CombinePerKey(s, &addPieces{}, pieces))
}

// Piece is a piece of a vector, and its number.
type Piece struct {
	Number int
	Data   []byte
}

// asPiece makes a Piece of number and bytes.
type asPiece struct{}

// ProcessElement returns the piece.
func (f *asPiece) ProcessElement(k int, data []byte) Piece { return Piece{k, data} }

// vectorOf adds pieces to a vector.
func vectorOf(v exactsum.Vector, next func(*Piece) bool) error {
	for p := (Piece{}); next(&p); {
		if err := v.AddPiece(p.Number, p.Data); err != nil {
			return err
		}
	}
	return nil
}
