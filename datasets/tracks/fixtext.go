package tracks

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/datasets/internal/instant"
	"github.com/ddps-go/ddps/internal/names"
)

// point reads latitude and longitude, which may stand in one text.
func (t *Tracks) point(get func(role) string, value func(role) (string, bool)) (lat, lon float64, err error) {
	first, second := get(roleLat), get(roleLon)
	for _, r := range []role{roleLatLon, roleLonLat} {
		if _, given := value(r); !given {
			continue
		}
		a, b, ok := earth.Pair(get(r))
		if !ok {
			return 0, 0, fmt.Errorf("%s %q is not two numbers", r, get(r))
		}
		if first, second = a, b; r == roleLonLat {
			first, second = b, a
		}
	}
	if lat, err = t.degrees(first, "latitude", earth.MaxLat); err == nil {
		lon, err = t.degrees(second, "longitude", earth.MaxLon)
	}
	return lat, lon, err
}

// degrees reads an angle of at most limit either way.
func (t *Tracks) degrees(s, what string, limit float64) (float64, error) {
	x, comma, ok := earth.Degrees(s, limit)
	if !ok {
		return 0, fmt.Errorf("%s %q is not a number within ±%v degrees%s", what, s, limit, names.CommaHint(s))
	}
	if comma {
		t.commas++
	}
	return x, nil
}

// latest is more seconds since 1970 than any track has, and fewer milliseconds: those of 1973.
const latest = 1e11

// parseTime reads a date and time, or seconds, or milliseconds, microseconds or nanoseconds where they are too many.
func (t *Tracks) parseTime(s string) (float64, error) {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		form := inSeconds
		for ; form < inNanos && math.Abs(x) >= latest; form++ {
			x /= 1000
		}
		if t.forms[clock] > 0 {
			return 0, fmt.Errorf("time %q: some times of the file are times of day and others are numbers", s)
		}
		if math.Abs(x) < latest {
			t.forms[form]++
			return x, nil
		}
		return 0, fmt.Errorf("time %q is neither seconds nor a date", s)
	}
	at, form, open, err := t.times.Parse(s)
	if err != nil {
		return 0, err
	}
	numbers := t.forms[inSeconds] + t.forms[inMillis] + t.forms[inMicros] + t.forms[inNanos]
	if form == instant.Clock && numbers > 0 {
		return 0, fmt.Errorf("time %q: some times of the file are numbers and others are times of day", s)
	}
	t.swappable = open
	t.forms[map[instant.Form]timeForm{instant.Zoned: zoned, instant.Local: local, instant.Clock: clock}[form]]++
	return at.Seconds(), nil
}

// timeOf reads the time of a fix. A time of day before that of the track's fix before may be of the next day.
func (t *Tracks) timeOf(track, s string) (float64, error) {
	days := t.forms[clock]
	x, err := t.parseTime(s)
	if err != nil || t.forms[clock] == days {
		return x, err
	}
	if before, met := t.clocks[track]; met && x < before {
		return 0, fmt.Errorf("time %q is before that of the row before: past midnight (24:00 and more), or out of order?", s)
	}
	t.clocks[track] = x
	return x, nil
}
