package sequences

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestInstantNumbers compares decimals near each other as rational numbers.
func TestInstantNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	texts := []string{"0", "-0", "0.0", "1e-400", "2e-400", "-1e-400", "5e-324", "1e-310", "1.0000001e-310", "0.1", "0x1p-2",
		"0.25", "0.1000000000000000055511151231257827", "1e308", "1.00000000000000000001e308", "9007199254740992",
		"9007199254740993", "9007199254740993.0", "-9007199254740993", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "1.000000000000000000000", "1", "+1", "1E0"}
	for range 300 {
		n := 1_700_000_000_000_000_000 + rng.Int64N(300)
		texts = append(texts, fmt.Sprint(n), fmt.Sprintf("%d.%d", n/1e9, n%1e9), fmt.Sprintf("-%d.%03d", n, rng.IntN(9)))
	}
	for range 200_000 {
		a, b := texts[rng.IntN(len(texts))], texts[rng.IntN(len(texts))]
		x, _, errX := parseTime(a)
		y, _, errY := parseTime(b)
		r, okR := new(big.Rat).SetString(a)
		s, okS := new(big.Rat).SetString(b)
		if errX != nil || errY != nil || !okR || !okS {
			t.Fatal(a, b, errX, errY)
		}
		if got, want := x.compare(y), r.Cmp(s); got != want {
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
		x, dated, err := parseTime(at.Format(time.RFC3339Nano))
		y, _, errY := parseTime(next.Format(time.RFC3339Nano))
		if err != nil || errY != nil || !dated || x.compare(y) != at.Compare(next) {
			t.Fatalf("%v and %v: %d, %v, %v", at, next, x.compare(y), err, errY)
		}
	}
}

// TestEventsNanosecondsApart: the order of events is that of their times in tables and in JSON, whatever the size.
func TestEventsNanosecondsApart(t *testing.T) {
	for late, early := range map[string]string{
		"1700000000000000201": "1700000000000000200", "1700000000.000000201": "1700000000.0000002",
		"9007199254740993": "9007199254740992", "99999999999999999999999": "99999999999999999999998",
		"2024-01-01T00:00:00.000000201Z": "2024-01-01T00:00:00.0000002Z",
	} {
		quote := ""
		if strings.Contains(late, "T") {
			quote = `"`
		}
		for name, row := range map[string]string{"x.csv": "a,%s,%s\n",
			"x.jsonl": `{"case":"a","time":` + quote + "%s" + quote + `,"place":"%s"}` + "\n"} {
			text := fmt.Sprintf(row, late, "late") + fmt.Sprintf(row, early, "early")
			if name == "x.csv" {
				text = "case,time,place\n" + text
			}
			w, err := Read(name, strings.NewReader(text), ReadOptions{})
			if err != nil || w.Len() != 1 || strings.Join(w.Names(0), " ") != "early late" {
				t.Errorf("%s, %s: %v, %v", name, late, w, err)
			}
		}
	}
}
