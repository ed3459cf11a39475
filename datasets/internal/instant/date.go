package instant

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// named are dates with the name of the month.
var named = []string{"2-Jan-2006", "2 Jan 2006", "2 January 2006", "2. Jan 2006", "2. January 2006", "Jan 2, 2006",
	"January 2, 2006", "Jan 2 2006", "January 2 2006"}

// clocks are times of day; a fraction may follow the seconds.
var clocks = []string{"15:04:05", "15:04", "15:04:05Z07:00", "15:04Z07:00", "15:04:05Z0700", "15:04Z0700",
	"15:04:05Z07",
	"15:04Z07", "3:04:05 PM", "3:04 PM", "3:04:05PM", "3:04PM"}

// compact is a date and time without anything between the numbers.
const compact = "20060102T150405Z0700"

// date is what stands in a text: a date, a time of day, or both.
type date struct {
	year       int
	a, b       int // month and day, or where last, the two numbers before the year
	last       bool
	dotted     bool          // 31.12.2024, which has the day first
	day        bool          // there is a date
	clock      time.Duration // after midnight, in UTC where zoned
	timed      bool
	zoned, off bool // there is a zone, and it is not UTC
}

// at returns the time of a date with its month and day.
func (d *date) at(month, day int) (Time, error) {
	if t := time.Date(d.year, time.Month(month), day, 0, 0, 0, 0, time.UTC); !d.day {
		return stamp(time.Unix(0, 0).Add(d.clock)), nil
	} else if int(t.Month()) == month && t.Day() == day {
		return stamp(t.Add(d.clock)), nil
	}
	return Time{}, fmt.Errorf("there is no day %d of a month %d", day, month)
}

// stamp is a date as a Time.
func stamp(t time.Time) Time {
	at := Time{x: float64(t.Unix()), rest: ".000000000"}
	if n := t.Nanosecond(); n > 0 {
		at.rest = fmt.Sprintf(".%09d", n)
	}
	return at
}

var errDate = errors.New("neither a number nor a date, like 2006-01-02 15:04:05")

// dateOf takes a text apart. *like is the clock that the text before had, and becomes that of this one.
func dateOf(text string, like *string) (d date, err error) {
	if len(text) > 8 && text[8] == 'T' && strings.Trim(text[:8], "0123456789") == "" {
		t, err := time.Parse(compact, text)
		if err != nil {
			return d, errDate
		}
		u := t.UTC()
		midnight := time.Date(u.Year(), u.Month(), u.Day(), 0, 0, 0, 0, time.UTC)
		return date{year: u.Year(), a: int(u.Month()), b: u.Day(), day: true, clock: u.Sub(midnight), timed: true,
			zoned: true}, nil
	}
	before, clock := text, ""
	if i := strings.IndexByte(text, ':'); i >= 0 {
		for i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			i--
		}
		before, clock = text[:i], text[i:]
		if n := len(before); n > 0 && !strings.ContainsRune("Tt ,", rune(before[n-1])) {
			return d, errDate
		}
		before = strings.TrimRight(before, "Tt, ")
	}
	if before != "" {
		if err := d.days(before); err != nil {
			return d, err
		}
	}
	if clock != "" {
		return d, d.hours(clock, like)
	}
	return d, nil
}

// days reads a date without a time of day.
func (d *date) days(text string) error {
	d.day = true
	for _, layout := range named {
		if !strings.ContainsFunc(text, unicode.IsLetter) {
			break
		}
		if t, err := time.Parse(layout, text); err == nil {
			d.year, d.a, d.b = t.Year(), int(t.Month()), t.Day()
			return nil
		}
	}
	sep := strings.TrimLeft(text, "0123456789")
	if sep == "" && len(text) == 8 { // 20241231, beside a time of day
		text = text[:4] + "-" + text[4:6] + "-" + text[6:]
		sep = "-"
	}
	if sep == "" || !strings.Contains("-/.", sep[:1]) {
		return errDate
	}
	parts, n := strings.Split(text, sep[:1]), [3]int{}
	if len(parts) != 3 {
		return errDate
	}
	for i, p := range parts {
		k, err := strconv.Atoi(p)
		if n[i] = k; err != nil || strings.ContainsAny(p, "+-") {
			return errDate
		}
	}
	switch {
	case len(parts[0]) == 4:
		d.year, d.a, d.b = n[0], n[1], n[2]
	case len(parts[2]) == 4:
		d.a, d.b, d.year, d.last, d.dotted = n[0], n[1], n[2], true, sep[0] == '.'
	default:
		return fmt.Errorf("%w: a year has four digits", errDate)
	}
	return nil
}

// hours reads a time of day. Hours of 24 to 47 without a date are past midnight, as in timetables.
func (d *date) hours(text string, like *string) error {
	for _, zone := range []string{"UTC", "GMT"} {
		if bare, is := strings.CutSuffix(text, zone); is {
			text = strings.TrimSpace(bare) + "Z"
		}
	}
	if i := strings.LastIndexAny(text, "+-Z"); i > 0 && text[i-1] == ' ' {
		text = text[:i-1] + text[i:]
	}
	if rest := strings.TrimRight(text, "APMapm"); rest != text {
		text = rest + strings.ToUpper(text[len(rest):])
	}
	var past time.Duration
	if h, rest, _ := strings.Cut(text, ":"); !d.day && len(h) == 2 && h >= "24" && h < "48" {
		past, text = 24*time.Hour, fmt.Sprintf("%02d:%s", int(h[0]-'0')*10+int(h[1]-'0')-24, rest)
	}
	for i := -1; i < len(clocks); i++ {
		layout := *like
		if i >= 0 {
			layout = clocks[i]
		}
		t, err := time.Parse(layout, text)
		if layout == "" || err != nil {
			continue
		}
		*like, d.timed, d.zoned = layout, true, strings.Contains(layout, "Z07")
		_, offset := t.Zone()
		d.off = offset != 0
		d.clock = past + t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC))
		return nil
	}
	return errDate
}
