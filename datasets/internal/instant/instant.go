// Package instant reads times, dates or numbers, and compares them exactly.
package instant

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Time is a time that is compared exactly: x is the number rounded to a float64, or the whole seconds of a date, and
// rest tells apart those that share it. Rounding keeps the order (IEEE 754, 4.3), so rest matters only then. Numbers
// are not comparable with dates.
type Time struct {
	x float64
	// rest is what was written of a number of more than 15 digits, fewer of which a float64 always tells apart, "" of
	// others; the nanoseconds of a date, as nine digits after a point.
	rest string
}

// Row is the time of row n where rows have none: they are in their order.
func Row(n int) Time { return Time{x: float64(n)} }

// Compare returns −1, 0 or 1: whether a is before b, at the same time, or after it.
func (a Time) Compare(b Time) int {
	if c := cmp.Compare(a.x, b.x); c != 0 || a.rest == b.rest {
		return c
	}
	if m, err := strconv.ParseInt(a.rest, 10, 64); err == nil {
		if n, err := strconv.ParseInt(b.rest, 10, 64); err == nil {
			return cmp.Compare(m, n)
		}
	}
	return a.exact().Cmp(b.exact())
}

// exact returns what rest says, or else the shortest number that rounds to x, as it was written.
func (a Time) exact() *big.Rat {
	text := a.rest
	if text == "" {
		text = strconv.FormatFloat(a.x, 'g', -1, 64)
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok { // an exponent below −10⁶
		return new(big.Rat)
	}
	return exact
}

// exactDigits is how many significant decimal digits of every number a float64 keeps.
const exactDigits = 15

// number is the time of a number as it is written, which x rounds.
func number(x float64, text string) Time {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	digits := strings.TrimLeft(strings.ReplaceAll(strings.TrimLeft(mantissa, "+-"), ".", ""), "0")
	normal := x == 0 && digits == "" || math.Abs(x) >= 0x1p-1022 // below, a float64 keeps fewer digits
	if len(digits) <= exactDigits && normal && !strings.ContainsAny(text, "xX") {
		return Time{x: x}
	}
	return Time{x, strings.Clone(text)}
}

// Parse reads a time as a column of one does; see Column.Parse.
func Parse(text string) (at Time, form Form, err error) {
	at, form, _, err = new(Column).Parse(text)
	return at, form, err
}
