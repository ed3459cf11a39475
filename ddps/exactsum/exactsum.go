// Package exactsum adds numbers so that the sum does not depend on their order: as whole numbers of 2⁻⁶⁴ in 128 bits.
// Statistics of data that many workers share are the same bits however the data are split and the parts merged.
//
// A Vector is cut into pieces of PieceLen numbers, each of which is written as bytes of its own (zeros take none), so
// that a vector of any length travels in small messages.
package exactsum

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// Number is a whole number of 2⁻⁶⁴, at least 0 and below 2⁶³.
type Number struct{ hi, lo uint64 }

// Whole returns n as a number.
func Whole(n uint64) Number { return Number{hi: n} }

// Units returns n·2⁻⁶⁴.
func Units(n uint64) Number { return Number{lo: n} }

// Of returns x ≥ 0, below 2⁶³, rounded down to a whole number of 2⁻⁶⁴. It panics if x is out of range.
func Of(x float64) Number {
	if !(x >= 0 && x < 1<<63) {
		panic(fmt.Sprintf("exactsum: %v, must be in [0, 2⁶³)", x))
	}
	whole, part := math.Modf(x)
	return Number{uint64(whole), uint64(part * (1 << 64))}
}

// Plus returns a + b.
func (a Number) Plus(b Number) Number {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return Number{hi, lo}
}

// Times returns n·a, which must be below 2⁶³.
func (a Number) Times(n uint64) Number {
	hi, lo := bits.Mul64(a.lo, n)
	return Number{hi + a.hi*n, lo}
}

// Float returns the number, rounded.
func (a Number) Float() float64 { return float64(a.hi) + float64(a.lo)*0x1p-64 }

// Vector is a vector of sums.
type Vector []Number

// PieceLen is how many numbers a piece has.
const PieceLen = 1 << 14

// Pieces returns the number of pieces.
func (v Vector) Pieces() int { return (len(v) + PieceLen - 1) / PieceLen }

// piece returns the numbers of piece k.
func (v Vector) piece(k int) Vector { return v[k*PieceLen : min((k+1)*PieceLen, len(v))] }

// Piece returns piece k as bytes: of each number that is not 0 how many zeros are before it, twice its whole part, plus
// 1 where it has a fraction, both as unsigned varints, and the fraction, 8 bytes, the highest first.
func (v Vector) Piece(k int) []byte {
	var out []byte
	zeros := uint64(0)
	for _, x := range v.piece(k) {
		if x == (Number{}) {
			zeros++
			continue
		}
		out, zeros = binary.AppendUvarint(out, zeros), 0
		if x.lo == 0 {
			out = binary.AppendUvarint(out, x.hi<<1)
			continue
		}
		out = binary.BigEndian.AppendUint64(binary.AppendUvarint(out, x.hi<<1|1), x.lo)
	}
	return out
}

// ErrPiece is the error of bytes that are no piece.
var ErrPiece = errors.New("exactsum: these bytes are no piece of a vector")

// AddPiece adds piece k, as Piece wrote it. The error is ErrPiece, or of a piece beyond the end.
func (v Vector) AddPiece(k int, piece []byte) error {
	if k < 0 || k >= v.Pieces() {
		return fmt.Errorf("exactsum: piece %d of %d", k, v.Pieces())
	}
	to, at := v.piece(k), uint64(0)
	for len(piece) > 0 {
		zeros, n := binary.Uvarint(piece)
		if n <= 0 || zeros >= uint64(len(to))-at {
			return ErrPiece
		}
		at, piece = at+zeros, piece[n:]
		hi, n := binary.Uvarint(piece)
		if n <= 0 {
			return ErrPiece
		}
		x := Number{hi: hi >> 1}
		if piece = piece[n:]; hi&1 == 1 {
			if len(piece) < 8 {
				return ErrPiece
			}
			x.lo, piece = binary.BigEndian.Uint64(piece), piece[8:]
		}
		to[at] = to[at].Plus(x)
		at++
	}
	return nil
}

// Add adds o, which has the same length.
func (v Vector) Add(o Vector) {
	for i, x := range o {
		v[i] = v[i].Plus(x)
	}
}

// Floats returns the numbers, rounded.
func (v Vector) Floats() []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x.Float()
	}
	return out
}

// Write writes all pieces: of each its length in bytes, as an unsigned varint, and its bytes.
func (v Vector) Write(w io.Writer) error {
	for k := range v.Pieces() {
		piece := v.Piece(k)
		if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(piece)))); err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// AddFrom reads what Write wrote of a vector of the same length to its end, and adds it. The error is r's, or ErrPiece.
func (v Vector) AddFrom(r io.Reader) error {
	in := bufio.NewReader(r)
	for k := range v.Pieces() {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if n > PieceLen*(2*binary.MaxVarintLen64+8) {
			return ErrPiece
		}
		piece := make([]byte, n)
		if _, err := io.ReadFull(in, piece); err != nil {
			return err
		}
		if err := v.AddPiece(k, piece); err != nil {
			return err
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return errors.Join(err, ErrPiece)
	}
	return nil
}
