// Package instant reads times, dates or numbers, and compares them exactly.
package instant

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
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

// layouts are how dates and times are written, the year first.
var layouts = []string{
	"2006-01-02 15:04:05",
	"2006-01-02T15:04:05",
	time.RFC3339,
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04",
	"2006-01-02T15:04",
	"2006-01-02",
	"2006/01/02 15:04:05",
	"2006/01/02 15:04",
	"2006/01/02",
	"20060102T150405Z0700",
}

// Form is how a time is written.
type Form int

// The forms.
const (
	Number Form = iota
	Zoned       // a date with a time zone
	Local       // a date without
	Forms
)

// Parse reads seconds, or any number that orders, or a date with or without a time, in UTC where it has no zone. The
// error names the text.
func Parse(text string) (at Time, form Form, err error) {
	text = strings.TrimSpace(text)
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return number(x, text), Number, nil
	}
	if text == "" {
		return Time{}, 0, errors.New("no time")
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		at := Time{x: float64(t.Unix()), rest: ".000000000"}
		if n := t.Nanosecond(); n > 0 {
			at.rest = fmt.Sprintf(".%09d", n)
		}
		if form = Local; strings.Contains(layout, "Z0") {
			form = Zoned
		}
		return at, form, nil
	}
	return Time{}, 0, fmt.Errorf(
		"time %q is neither a number nor a date with the year first, like 2006-01-02 15:04:05",
		text,
	)
}
