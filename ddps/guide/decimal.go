package guide

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// decimals are numbers by edge as whole multiples of 10^exp. A float64 stands for the shortest decimal that reads as
// it, so that what a file says is what is added up: 0.1 + 0.2 is 0.3.
type decimals struct {
	n   []int64
	exp int
	// tol is how far two sums may be apart, in multiples, and still be one number: what rounding in float64 may make of
	// the sum of several numbers of more than 15 digits, such as 1/3; 0 where no path has several.
	tol int64
	cut bool // some numbers are less than half of 10^exp, and rounded to 0
}

// maxUnits bounds the sums of decimals, so that no arithmetic on them overflows.
const maxUnits = 1 << 60

// newDecimals returns u, by edge of g, as decimals. Where their digits do not fit, the last ones are rounded off: sums
// are then still finer than those in float64.
func newDecimals(g *ddps.LayeredGraph, u []float64) *decimals {
	d := &decimals{exp: math.MaxInt}
	long, slack := make([]float64, len(u)), make([]float64, len(u))
	for i, x := range u {
		if x == 0 {
			continue
		}
		digits, e := shortest(x)
		d.exp = min(d.exp, e)
		if whole := x == math.Trunc(x) && math.Abs(x) < 1<<53; (digits >= 1e15 || digits <= -1e15) && !whole {
			long[i], slack[i] = 1, math.Abs(x)*0x1p-52
		}
	}
	if d.exp == math.MaxInt {
		d.exp = 0
	}
	size := make([]float64, len(u))
	for e, x := range u {
		size[e] = math.Abs(x)
	}
	most := max(g.Best(size), 0) // bounds every sum along a path, in size
	for scaled(most, -d.exp) >= maxUnits {
		d.exp++
	}
	if g.Best(long) > 1 {
		d.tol = int64(math.Ceil(scaled(g.Best(slack), -d.exp)))
	}
	d.n = make([]int64, len(u))
	for e, x := range u {
		d.n[e] = d.round(x, math.RoundToEven)
		d.cut = d.cut || x != 0 && d.n[e] == 0
	}
	return d
}

// note says what of sums is not exact, "" if all is.
func (d *decimals) note() string {
	switch {
	case d.cut:
		return fmt.Sprintf("totals are counted in steps of %.3g, as no finer ones fit: some numbers are less and count as 0",
			scaled(1, d.exp))
	case d.tol > 0:
		return fmt.Sprintf("totals that differ by %.2g or less count as equal: paths add up several numbers of more than 15 "+
			"digits", scaled(float64(d.tol), d.exp))
	}
	return ""
}

// scaled is x·10^n, also where 10^n alone is out of range.
func scaled(x float64, n int) float64 {
	return x * math.Pow(10, float64(n/2)) * math.Pow(10, float64(n-n/2))
}

// shortest returns the digits of the shortest decimal that reads as x, at most 17, and its exponent: x = digits·10^exp.
func shortest(x float64) (digits int64, exp int) {
	text := strconv.FormatFloat(x, 'e', -1, 64)
	mantissa, tail, _ := strings.Cut(text, "e")
	exp, _ = strconv.Atoi(tail) // it is one
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, _ = strconv.ParseInt(whole+fraction, 10, 64)
	return digits, exp - len(fraction)
}

// round returns x as a multiple of 10^exp, rounded by one of math.Floor, math.Ceil and math.RoundToEven, within
// ±2·maxUnits.
func (d *decimals) round(x float64, to func(float64) float64) int64 {
	if approx := scaled(x, -d.exp); math.Abs(approx) > 2*maxUnits {
		return int64(math.Copysign(2*maxUnits, approx))
	}
	digits, exp := shortest(x)
	if digits == 0 {
		return 0
	}
	for ; exp > d.exp; exp-- { // within range, as approx is
		digits *= 10
	}
	if exp == d.exp {
		return digits
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.exp-exp)), nil)
	floor, rest := new(big.Int).DivMod(big.NewInt(digits), ten, new(big.Int))
	share, _ := new(big.Rat).SetFrac(rest, ten).Float64()
	if rest.Sign() > 0 && share == 0 {
		share = math.SmallestNonzeroFloat64
	}
	return floor.Int64() + int64(to(share))
}

// extremes returns the least and the greatest sum of n over the walks from each vertex to the last layer. Vertices
// from which none leads there, to which no edge leads either, have 0.
func extremes(g *ddps.LayeredGraph, n []int64) (worst, best []int64) {
	worst, best = make([]int64, g.NumVertices()), make([]int64, g.NumVertices())
	for v := g.NumVertices() - 1; v >= 0; v-- {
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			least, most := n[e]+worst[g.Head(e)], n[e]+best[g.Head(e)]
			if e == lo {
				worst[v], best[v] = least, most
			}
			worst[v], best[v] = min(worst[v], least), max(best[v], most)
		}
	}
	return worst, best
}
