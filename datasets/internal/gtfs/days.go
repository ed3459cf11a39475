package gtfs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// weekdays are the columns of calendar.txt in the order of time.Weekday.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// Service says on which days trips run. Dates are YYYYMMDD.
type Service struct {
	From, To   string
	Weekday    [7]bool // by time.Weekday
	line       int     // of calendar.txt, 0 if it is not there
	exceptions map[string]exception
}

// exception says of a date whether the service runs, by a line of calendar_dates.txt.
type exception struct {
	on   bool
	line int
}

// dateForm is how a feed writes dates.
const dateForm = "20060102"

// Date checks a date of the form YYYYMMDD or YYYY-MM-DD and returns the first.
func Date(s string) (string, error) {
	plain := strings.ReplaceAll(s, "-", "")
	if _, err := time.Parse(dateForm, plain); err != nil {
		return "", fmt.Errorf("%q is not a date YYYYMMDD", s)
	}
	return plain, nil
}

func (f *Feed) service(id string) (*Service, error) {
	if id == "" {
		return nil, errors.New("no service_id")
	}
	if f.Days[id] == nil {
		f.Days[strings.Clone(id)] = &Service{exceptions: map[string]exception{}}
	}
	return f.Days[id], nil
}

func (f *Feed) addService(line int, v []string) error {
	s, err := f.service(v[0])
	if err != nil {
		return err
	}
	row := Service{line: line, exceptions: s.exceptions}
	if row.From, err = Date(v[1]); err != nil {
		return fmt.Errorf("start_date %w", err)
	}
	if row.To, err = Date(v[2]); err != nil {
		return fmt.Errorf("end_date %w", err)
	}
	for d, name := range weekdays {
		if row.Weekday[d], err = flag(name, v[3+d], "0", "1"); err != nil {
			return err
		}
	}
	switch {
	case s.line == 0:
		*s = row
	case s.From != row.From || s.To != row.To || s.Weekday != row.Weekday:
		return fmt.Errorf("service %s is in line %d, too, with other days", v[0], s.line)
	default:
		f.Repeated++
	}
	return nil
}

func (f *Feed) addException(line int, v []string) error {
	s, err := f.service(v[0])
	if err != nil {
		return err
	}
	date, err := Date(v[1])
	if err != nil {
		return fmt.Errorf("date %w", err)
	}
	on, err := flag("exception_type", v[2], "2", "1")
	if err != nil {
		return err
	}
	before, twice := s.exceptions[date]
	switch {
	case !twice:
		s.exceptions[date] = exception{on, line}
	case before.on != on:
		return fmt.Errorf("service %s on %s is in line %d, too, with the other exception_type", v[0], date, before.line)
	default:
		f.Repeated++
	}
	return nil
}

// flag returns whether the value of a column is yes rather than no; the error names the column.
func flag(column, value, no, yes string) (bool, error) {
	if value != no && value != yes {
		return false, fmt.Errorf("%s %q is neither %s nor %s", column, value, min(no, yes), max(no, yes))
	}
	return value == yes, nil
}

// shift returns the date k days after a date, and how many seconds after that one's it begins: a day of service begins
// at noon minus twelve hours, 23 or 25 hours after the one before where the clocks change at the feed's place.
func (f *Feed) shift(date string, k int) (string, int) {
	zone, err := time.LoadLocation(f.Zone)
	if err != nil {
		zone = time.UTC
	}
	t, err := time.Parse(dateForm, date)
	if err != nil {
		return date, 86400 * k
	}
	noon := func(k int) time.Time { return time.Date(t.Year(), t.Month(), t.Day()+k, 12, 0, 0, 0, zone) }
	return noon(k).Format(dateForm), int(noon(k).Sub(noon(0)).Seconds())
}

// Runs reports whether the service runs on a date YYYYMMDD.
func (s *Service) Runs(date string) bool {
	if s == nil {
		return false
	}
	if e, ok := s.exceptions[date]; ok {
		return e.on
	}
	return s.regular(date)
}

// regular reports whether the service runs on a date by its calendar, exceptions apart.
func (s *Service) regular(date string) bool {
	day, err := time.Parse(dateForm, date)
	return err == nil && s.From != "" && date >= s.From && date <= s.To && s.Weekday[day.Weekday()]
}

// trips returns how many times trips run on a day of each service: a trip that headways repeat as often as it starts.
func (f *Feed) trips() map[string]int {
	n := map[string]int{}
	for i := range f.Trips {
		t := &f.Trips[i]
		if len(t.timed()) < 2 {
			continue
		}
		starts := 1
		if len(t.Headways) > 0 {
			starts = 0
			for _, h := range t.Headways {
				starts += max(0, (h.To-h.From+h.Every-1)/h.Every)
			}
		}
		n[t.Service] += starts
	}
	return n
}

// Busiest returns the date on which most trips run, the first of several, "" if
// no day has any. All days of all services are looked at. A trip that headways
// repeat counts as often as it starts. O(days + exceptions).
func (f *Feed) Busiest() string {
	starts := f.trips()
	// change is by how many more trips run on a day of the week from a day on; extra on a day alone.
	change, extra := map[int]*[7]int{}, map[int]int{}
	add := func(day int, s *Service, n int) {
		if change[day] == nil {
			change[day] = &[7]int{}
		}
		for w, on := range s.Weekday {
			if on {
				change[day][w] += n
			}
		}
	}
	for id, s := range f.Days {
		n := starts[id]
		if s.From != "" && s.From <= s.To {
			add(dayOf(s.From), s, n)
			add(dayOf(s.To)+1, s, -n)
		}
		for date, e := range s.exceptions {
			if e.on != s.regular(date) {
				extra[dayOf(date)] += map[bool]int{true: n, false: -n}[e.on]
			}
		}
	}
	return busiest(change, extra)
}

// busiest goes through all days from the first change to the last.
func busiest(change map[int]*[7]int, extra map[int]int) string {
	days := slices.Concat(slices.Collect(maps.Keys(change)), slices.Collect(maps.Keys(extra)))
	if len(days) == 0 {
		return ""
	}
	var running [7]int
	best, most := 0, 0
	for day, last := slices.Min(days), slices.Max(days); day <= last; day++ {
		if by := change[day]; by != nil {
			for w, n := range by {
				running[w] += n
			}
		}
		if n := running[dateOf(day).Weekday()] + extra[day]; n > most {
			best, most = day, n
		}
	}
	if most == 0 {
		return ""
	}
	return dateOf(best).Format(dateForm)
}

// dayOf returns the number of the day, from 1970, of a date that Date checked.
func dayOf(date string) int {
	t, _ := time.Parse(dateForm, date)
	return int(t.Unix() / 86400)
}

func dateOf(day int) time.Time { return time.Unix(int64(day)*86400, 0).UTC() }

// Range returns the first and the last date of the feed on which a service may run, "" of a feed without days.
func (f *Feed) Range() (first, last string) {
	add := func(date string) {
		if date == "" {
			return
		}
		if first == "" || date < first {
			first = date
		}
		last = max(last, date)
	}
	for _, s := range f.Days {
		add(s.From)
		add(s.To)
		for date, e := range s.exceptions {
			if e.on {
				add(date)
			}
		}
	}
	return first, last
}
