package instant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/datasets/internal/instant"
)

// read returns the times of a column, in seconds since 1970.
func read(t *testing.T, c *instant.Column, texts ...string) (list []float64, note string, err error) {
	t.Helper()
	var at []instant.Time
	var open []bool
	for _, s := range texts {
		x, _, o, err := c.Parse(s)
		if err != nil {
			return nil, "", err
		}
		at, open = append(at, x), append(open, o)
	}
	swap, note, err := c.Done()
	for i, x := range at {
		if swap && open[i] {
			x = x.Swapped()
		}
		list = append(list, x.Seconds())
	}
	return list, note, err
}

func at(text string) float64 {
	t, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		panic(err)
	}
	return float64(t.Unix())
}

// Dates whose year comes last are read by what the whole column says.
func TestOrderOfDates(t *testing.T) {
	for _, c := range []struct {
		order instant.Order
		texts []string
		want  []string // nil: an error that has err
		said  string   // of the note, or the error
	}{
		{"", []string{"03/04/2024 14:05", "31/12/2024 14:06"},
			[]string{"2024-04-03 14:05:00", "2024-12-31 14:06:00"}, "day first"},
		{"", []string{"31/12/2024 14:06", "03/04/2024 14:05"},
			[]string{"2024-12-31 14:06:00", "2024-04-03 14:05:00"}, "day first"},
		{"", []string{"3/4/2024 2:05 PM", "12/31/2024 2:06 pm", "1/2/2024 12:00 AM"},
			[]string{"2024-03-04 14:05:00", "2024-12-31 14:06:00", "2024-01-02 00:00:00"}, "month first"},
		{"", []string{"03-04-2024", "05-05-2024"}, nil, `"03-04-2024" may have the day or the month first`},
		{"day", []string{"03-04-2024"}, []string{"2024-04-03 00:00:00"}, ""},
		{"month", []string{"03-04-2024"}, []string{"2024-03-04 00:00:00"}, ""},
		{"month", []string{"31/12/2024"}, nil, "no day 12 of a month 31"},
		{"year", []string{"31/12/2024"}, nil, "the year comes last"},
		{"", []string{"31/12/2024", "12/31/2024"}, nil, `as "12/31/2024"`},
		{"", []string{"05/05/2024"}, []string{"2024-05-05 00:00:00"}, ""},
		{"", []string{"03.04.2024 7:05"}, []string{"2024-04-03 07:05:00"}, ""}, // dots: the day first
		{"", []string{"31-Dec-2024 14:05", "Jan 2, 2025 3:04:05 PM", "2 January 2025"},
			[]string{"2024-12-31 14:05:00", "2025-01-02 15:04:05", "2025-01-02 00:00:00"}, ""},
		{"", []string{"2024-1-5 9:05", "2024/12/31T14:05:06", "2024-12-31 14:05:06 UTC", "2024-12-31 16:05:06 +02:00"},
			[]string{"2024-01-05 09:05:00", "2024-12-31 14:05:06", "2024-12-31 14:05:06", "2024-12-31 14:05:06"}, ""},
		{"day", []string{"5/1/2024T10:00"}, []string{"2024-01-05 10:00:00"}, ""},
		{"", []string{"20241231T160506+0200"}, []string{"2024-12-31 14:05:06"}, ""},
		{"", []string{"14:05", "24:10:01", "1:05 PM"}, []string{"1970-01-01 14:05:00", "1970-01-02 00:10:01",
			"1970-01-01 13:05:00"}, ""},
		{"", []string{"1/2/24 9:00"}, nil, "a year has four digits"},
		{"", []string{"2024-02-30"}, nil, "no day 30 of a month 2"},
		{"", []string{"14:05+02:00"}, nil, "has no date"},
		{"", []string{"03/04/2024 14:05+02:00"}, nil, "has the year first"},
	} {
		got, note, err := read(t, &instant.Column{Order: c.order}, c.texts...)
		if c.want == nil {
			if err == nil || !strings.Contains(err.Error(), c.said) {
				t.Errorf("%q: error %v, expected %q", c.texts, err, c.said)
			}
			continue
		}
		if err != nil || !strings.Contains(note, c.said) || (note != "") != (c.said != "") {
			t.Errorf("%q: note %q, error %v", c.texts, note, err)
			continue
		}
		for i, want := range c.want {
			if got[i] != at(want) {
				t.Errorf("%q: %s, expected %s", c.texts, time.Unix(int64(got[i]), 0).UTC(), want)
			}
		}
	}
}

// All of a column are numbers, dates or times of day, where it is said so.
func TestAlike(t *testing.T) {
	for _, texts := range [][]string{{"1", "2024-01-01"}, {"14:05", "2024-01-01"}, {"14:05", "7"}} {
		if _, _, err := read(t, &instant.Column{Alike: true}, texts...); err == nil ||
			!strings.Contains(err.Error(), "some times of the file are") {
			t.Errorf("%q: %v", texts, err)
		}
		if _, _, err := read(t, &instant.Column{}, texts...); err != nil {
			t.Errorf("%q: %v", texts, err)
		}
	}
}

func TestJoined(t *testing.T) {
	for _, c := range [][3]string{
		{"31.12.2024", "14:05", "31.12.2024 14:05"}, {"2024-12-31 00:00:00", "14:05", "2024-12-31 14:05"},
		{"", "14:05", "14:05"}, {"2024-12-31", "2024-12-30 14:05", "2024-12-30 14:05"}, {"2024-12-31", "17", "17"},
	} {
		if got := instant.Joined(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q: %q, expected %q", c[0], c[1], got, c[2])
		}
	}
}

// What is no date, or no time of the column, is no sign of the order of the others.
func TestColumnRefused(t *testing.T) {
	for _, list := range [][]string{{"45/67/2024"}, {"00/05/2024"}, {"31/02/2024"}, {"02/31/2024"}, {"1", "03/04/2024"},
		{"10:15", "13/04/2024"}} {
		c := instant.Column{Alike: true}
		var err error
		for _, text := range list {
			_, _, _, err = c.Parse(text)
		}
		if err == nil {
			t.Errorf("%q: no error of the last", list)
		}
		if _, note, err := c.Done(); note != "" || err != nil {
			t.Errorf("%q: %q, %v", list, note, err)
		}
	}
}
