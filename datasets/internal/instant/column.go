package instant

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Order says what comes first in dates whose year comes last, such as 03/04/2024: "day", "month", or "" where the
// column decides. "year" refuses them.
type Order string

// The orders.
const (
	DayFirst   Order = "day"
	MonthFirst Order = "month"
	YearFirst  Order = "year"
)

// CheckOrder returns the order of a name.
func CheckOrder(name string) (Order, error) {
	switch o := Order(name); o {
	case "", DayFirst, MonthFirst, YearFirst:
		return o, nil
	}
	return "", fmt.Errorf("--dates %s is none of day, month, year", name)
}

// Form is how a time is written.
type Form int

// The forms.
const (
	Number Form = iota
	Zoned       // a date with a time zone
	Local       // a date without
	Clock       // a time of day alone, or of the next day from 24:00 on
	Forms
)

// Column reads the times of a column, whose dates have one order.
type Column struct {
	Order Order // as given, "" where the column is to decide; then what was found, "" while nothing was
	// Alike refuses times of another kind than those before: numbers, dates and times of day.
	Alike bool

	forms [Forms]int // how often times of each form were read
	like  string     // the clock of the time before
	given bool       // Order was, with the first time
	met   bool
	sure  [2]string // the first date that can have the day first alone, and the month
	open  int       // dates that may have either
	first string    // one of them
}

// Parse reads seconds, or any number that orders, a date with or without a time, in UTC where it has no zone, or a time
// of day. open says that day and month may be the other way round: where Done says so, the time is Swapped. The error
// names the text.
func (c *Column) Parse(text string) (at Time, form Form, open bool, err error) {
	if !c.met {
		c.given, c.met = c.Order != "", true
	}
	text = strings.TrimSpace(text)
	at, form, parts, err := c.read(text)
	if err != nil {
		return Time{}, 0, false, err
	}
	if c.Alike {
		for f, n := range c.forms {
			if n > 0 && kinds[f] != kinds[form] {
				return Time{}, 0, false, fmt.Errorf("time %q: some times of the file are %s and others are %s", text,
					kinds[min(f, int(form))], kinds[max(f, int(form))])
			}
		}
	}
	c.forms[form]++
	return at, form, c.learn(parts, text), nil
}

// kinds are what forms are called, of which a column has one.
var kinds = [Forms]string{"numbers", "dates", "dates", "times of day"}

// read reads a time by what the column's dates have shown so far.
func (c *Column) read(text string) (at Time, form Form, parts order, err error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return number(x, text), Number, settled, nil
	}
	if text == "" {
		return Time{}, 0, settled, errors.New("no time")
	}
	d, err := dateOf(text, &c.like)
	if err == nil && d.last {
		parts, err = c.order(&d)
	}
	if err == nil {
		at, err = d.at(d.a, d.b)
	}
	switch {
	case errors.Is(err, errDate):
		return Time{}, 0, settled, fmt.Errorf("time %q is %w", text, err)
	case err != nil:
		return Time{}, 0, settled, fmt.Errorf("time %q: %w", text, err)
	case !d.day && d.off:
		return Time{}, 0, settled, fmt.Errorf("time %q: a time of day with a zone has no date", text)
	case !d.day:
		form = Clock
	case d.zoned:
		form = Zoned
	default:
		form = Local
	}
	return at, form, parts, nil
}

// order is what the two numbers before the year of a date can be.
type order int

const (
	settled    order = iota // as the column's order says, or the same either way
	dayAlone                // the day first alone
	monthAlone              // the month first alone
	either
)

// order puts month and day of a date with the year last in their places.
func (c *Column) order(d *date) (order, error) {
	x, y := d.a, d.b
	d.a, d.b = y, x // the day first
	switch {
	case c.Order == YearFirst:
		return settled, errors.New("the year comes last")
	case d.dotted || c.given && c.Order == DayFirst || x == y:
		return settled, nil
	case c.given:
		d.a, d.b = x, y
		return settled, nil
	case x > 12:
		return dayAlone, nil
	case y > 12:
		d.a, d.b = x, y
		return monthAlone, nil
	case d.off:
		return settled, errors.New("a date with a zone has the year first")
	case c.Order == MonthFirst:
		d.a, d.b = x, y
	}
	return either, nil
}

// learn takes what a date of the column shows; a text that is no date shows nothing. open is as Parse has it.
func (c *Column) learn(parts order, text string) (open bool) {
	switch parts {
	case dayAlone:
		c.found(0, DayFirst, text)
	case monthAlone:
		c.found(1, MonthFirst, text)
	case either:
		if c.open++; c.first == "" {
			c.first = strings.Clone(text)
		}
		return c.Order == ""
	}
	return false
}

// found takes a date that can have one order alone.
func (c *Column) found(i int, o Order, text string) {
	if c.sure[i] == "" {
		c.sure[i] = strings.Clone(text)
	}
	if c.Order == "" {
		c.Order = o
	}
}

// Done decides the order of the column's dates. swap says that those that Parse said are open have the month first.
// note says what was found, "" for nothing. The error is of dates of which none shows the order, or that contradict
// each other.
func (c *Column) Done() (swap bool, note string, err error) {
	const tell = "say --dates day or --dates month"
	switch {
	case c.sure[0] != "" && c.sure[1] != "":
		return false, "", fmt.Errorf("some dates have the day first, as %q, and some the month, as %q: write the year "+
			"first, or %s, which leaves the others out", c.sure[0], c.sure[1], tell)
	case c.given || c.open == 0 && c.Order == "":
		return false, "", nil
	case c.Order == "":
		return false, "", fmt.Errorf("dates such as %q may have the day or the month first, and no date of the file "+
			"shows which: %s", c.first, tell)
	case c.Order == DayFirst:
		return false, fmt.Sprintf("dates have the day first, as %q shows", c.sure[0]), nil
	}
	return true, fmt.Sprintf("dates have the month first, as %q shows", c.sure[1]), nil
}

// Forms returns how many times of a form were read.
func (c *Column) Forms(f Form) int { return c.forms[f] }

// Swapped returns the time of a date that Parse said is open with day and month the other way round.
func (a Time) Swapped() Time {
	t := time.Unix(int64(a.x), 0).UTC()
	t = time.Date(t.Year(), time.Month(t.Day()), int(t.Month()), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	return Time{float64(t.Unix()), a.rest}
}

// Seconds returns the time in seconds, those of dates since 1970.
func (a Time) Seconds() float64 {
	if strings.HasPrefix(a.rest, ".") {
		f, _ := strconv.ParseFloat("0"+a.rest, 64)
		return a.x + f
	}
	return a.x
}

// Joined returns a date and a time of day in one text; clock alone where it has a date, or is none.
func Joined(day, clock string) string {
	like := ""
	if d, err := dateOf(strings.TrimSpace(clock), &like); err != nil || d.day || !d.timed {
		return clock
	}
	day = strings.TrimSpace(day)
	for _, midnight := range []string{" 00:00:00", " 00:00", " 0:00", "T00:00:00"} {
		day = strings.TrimSuffix(day, midnight) // as spreadsheets write a date
	}
	if day == "" {
		return clock
	}
	return day + " " + strings.TrimSpace(clock)
}

// SwappedSeconds is Swapped of the seconds of a date.
func SwappedSeconds(x float64) float64 {
	whole := math.Floor(x)
	return Time{x: whole}.Swapped().x + x - whole
}
