package exactsum

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// exact is the number as a fraction.
func exact(a Number) *big.Rat {
	x := new(big.Int).Lsh(new(big.Int).SetUint64(a.hi), 64)
	x.Add(x, new(big.Int).SetUint64(a.lo))
	return new(big.Rat).SetFrac(x, new(big.Int).Lsh(big.NewInt(1), 64))
}

func TestNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		x, y, n := rng.Float64()*math.Exp(rng.Float64()*30), rng.Float64(), rng.Uint64N(1<<18)
		a, b := Of(x), Of(y)
		if d := new(big.Rat).Sub(new(big.Rat).SetFloat64(x), exact(a)); d.Sign() < 0 || d.Cmp(big.NewRat(1, 1<<62)) > 0 {
			t.Fatalf("Of(%v) is %v", x, exact(a))
		}
		if got, want := exact(a.Plus(b)), new(big.Rat).Add(exact(a), exact(b)); got.Cmp(want) != 0 {
			t.Fatalf("%v + %v = %v", x, y, got)
		}
		want := new(big.Rat).Mul(exact(a), new(big.Rat).SetFrac(new(big.Int).SetUint64(n), big.NewInt(1)))
		if got := exact(a.Times(n)); got.Cmp(want) != 0 {
			t.Fatalf("%d·%v = %v", n, x, got)
		}
		if got := a.Float(); math.Abs(got-x) > 1e-15*max(x, 1) {
			t.Fatalf("%v became %v", x, got)
		}
	}
	for _, x := range []float64{-1, math.NaN(), math.Inf(1), 1 << 63} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Of(%v) does not panic", x)
				}
			}()
			Of(x)
		}()
	}
}

// Sums of pieces are the same bits in any order and grouping.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n, parts = 2*PieceLen + 77, 9
	var list []Vector
	want := make(Vector, n)
	for range parts {
		v := make(Vector, n)
		for range 5000 {
			x := Of(rng.ExpFloat64() * 1e3)
			if rng.IntN(2) == 0 {
				x = Whole(rng.Uint64N(1 << 40))
			}
			v[rng.IntN(n)] = x
		}
		list = append(list, v)
		want.Add(v)
	}
	for range 5 {
		got := make(Vector, n)
		for _, i := range rng.Perm(parts) {
			for k := range got.Pieces() {
				if err := got.AddPiece(k, list[i].Piece(k)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatal("another sum")
		}
	}
	var b bytes.Buffer
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	got := make(Vector, n)
	if err := got.AddFrom(bytes.NewReader(b.Bytes())); err != nil || !slices.Equal(got, want) {
		t.Errorf("written and read: another vector, %v", err)
	}
	for _, data := range [][]byte{b.Bytes()[:b.Len()-1], append(bytes.Clone(b.Bytes()), 0), nil} {
		if err := make(Vector, n).AddFrom(bytes.NewReader(data)); err == nil {
			t.Errorf("%d bytes of %d are a vector", len(data), b.Len())
		}
	}
	piece, v := list[0].Piece(0), make(Vector, 3)
	if err := make(Vector, n).AddPiece(0, piece[:len(piece)-1]); !errors.Is(err, ErrPiece) {
		t.Errorf("cut off: %v", err)
	}
	if err := v.AddPiece(0, []byte{3, 2}); !errors.Is(err, ErrPiece) {
		t.Errorf("beyond the end: %v", err)
	}
	if err := v.AddPiece(1, nil); err == nil {
		t.Error("a piece that there is not")
	}
}
