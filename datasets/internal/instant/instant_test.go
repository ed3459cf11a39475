package instant

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// TestInstantNumbers compares decimals near each other as rational numbers.
func TestInstantNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	texts := []string{"0", "-0", "0.0", "1e-400", "2e-400", "-1e-400", "5e-324", "1e-310", "1.0000001e-310", "0.1",
		"0x1p-2", "0.25", "0.1000000000000000055511151231257827", "1e308", "1.00000000000000000001e308", "9007199254740992",
		"9007199254740993", "9007199254740993.0", "-9007199254740993", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "1.000000000000000000000", "1", "+1", "1E0"}
	for range 300 {
		n := 1_700_000_000_000_000_000 + rng.Int64N(300)
		texts = append(texts, fmt.Sprint(n), fmt.Sprintf("%d.%d", n/1e9, n%1e9), fmt.Sprintf("-%d.%03d", n, rng.IntN(9)))
	}
	for range 200_000 {
		a, b := texts[rng.IntN(len(texts))], texts[rng.IntN(len(texts))]
		x, _, errX := Parse(a)
		y, _, errY := Parse(b)
		r, okR := new(big.Rat).SetString(a)
		s, okS := new(big.Rat).SetString(b)
		if errX != nil || errY != nil || !okR || !okS {
			t.Fatal(a, b, errX, errY)
		}
		if got, want := x.Compare(y), r.Cmp(s); got != want {
			t.Fatalf("%s and %s: %d, want %d", a, b, got, want)
		}
	}
}

// TestInstantDates compares dates nanoseconds apart, before 1970 too, as package time does.
func TestInstantDates(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 20_000 {
		at := time.Unix(rng.Int64N(3)*850_000_000-2, rng.Int64N(1e9)).UTC()
		next := at.Add(time.Duration(rng.IntN(5) - 2))
		x, form, err := Parse(at.Format(time.RFC3339Nano))
		y, _, errY := Parse(next.Format(time.RFC3339Nano))
		if err != nil || errY != nil || form != Zoned || x.Compare(y) != at.Compare(next) {
			t.Fatalf("%v and %v: %d, %v, %v", at, next, x.Compare(y), err, errY)
		}
	}
}

// TestForms tells numbers, dates with a zone and dates without apart.
func TestForms(t *testing.T) {
	for text, want := range map[string]Form{"7": Number, "20240101": Number, "2024-01-01T10:00:00+05:00": Zoned,
		"2024-01-01 10:00:00Z": Zoned, "20240101T100000Z": Zoned, "2024-01-01 10:00": Local, "2024/01/01": Local} {
		if _, form, err := Parse(text); err != nil || form != want {
			t.Errorf("%s: %d, %v", text, form, err)
		}
	}
}
