package gtfs

import (
	"errors"
	"fmt"
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
	exceptions map[string]bool
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
		f.Days[strings.Clone(id)] = &Service{exceptions: map[string]bool{}}
	}
	return f.Days[id], nil
}

func (f *Feed) addService(v []string) error {
	s, err := f.service(v[0])
	if err != nil {
		return err
	}
	if s.From, err = Date(v[1]); err != nil {
		return fmt.Errorf("start_date %w", err)
	}
	if s.To, err = Date(v[2]); err != nil {
		return fmt.Errorf("end_date %w", err)
	}
	for d := range s.Weekday {
		s.Weekday[d] = v[3+d] == "1"
	}
	return nil
}

func (f *Feed) addException(v []string) error {
	s, err := f.service(v[0])
	if err != nil {
		return err
	}
	date, err := Date(v[1])
	if err != nil {
		return err
	}
	if v[2] != "1" && v[2] != "2" {
		return fmt.Errorf("exception_type %q is neither 1 nor 2", v[2])
	}
	s.exceptions[date] = v[2] == "1"
	return nil
}

// Runs tells whether the service runs on a date YYYYMMDD.
func (s *Service) Runs(date string) bool {
	if s == nil {
		return false
	}
	if on, ok := s.exceptions[date]; ok {
		return on
	}
	day, err := time.Parse(dateForm, date)
	return err == nil && s.From != "" && date >= s.From && date <= s.To && s.Weekday[day.Weekday()]
}

// Count returns how many trips run on a date.
func (f *Feed) Count(date string) (n int) {
	on := map[string]bool{}
	for id, s := range f.Days {
		on[id] = s.Runs(date)
	}
	for _, t := range f.Trips {
		if on[t.Service] {
			n++
		}
	}
	return n
}

// Busiest returns the date on which most trips run, the first of several, "" if
// no day has any. The days looked at are the first four weeks of each service
// and all exceptions.
func (f *Feed) Busiest() (best string) {
	dates := map[string]bool{}
	for _, s := range f.Days {
		for d := range s.exceptions {
			dates[d] = true
		}
		day, err := time.Parse(dateForm, s.From)
		for k := 0; err == nil && k < 28; k++ {
			dates[day.AddDate(0, 0, k).Format(dateForm)] = true
		}
	}
	list := make([]string, 0, len(dates))
	for d := range dates {
		list = append(list, d)
	}
	slices.Sort(list)
	most := 0
	for _, d := range list {
		if n := f.Count(d); n > most {
			best, most = d, n
		}
	}
	return best
}
