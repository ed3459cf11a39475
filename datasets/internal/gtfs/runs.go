package gtfs

import (
	"cmp"
	"fmt"
	"slices"
)

// Run is a vehicle on its way on the day: two calls or more, all with a stop and
// with times, in the order of time.
type Run struct {
	Name  string // the trip's id, and for one that a headway repeats its start
	Calls []Call
}

// maxRuns bounds what headways may repeat.
const maxRuns = 1 << 18

// Runs returns the runs that are on their way at some time in from…to, seconds
// after midnight of a date, YYYYMMDD: those of the date in the order of trips.txt,
// then those of the days before that are still on their way, and of the days after
// that begin by then. A feed without days (neither calendar.txt nor
// calendar_dates.txt) runs all its trips every day. The error says so if they are
// more than 262,144.
func (f *Feed) Runs(date string, from, to int) (runs []Run, err error) {
	if runs, err = f.runs(runs, date, "", from, to); err != nil {
		return nil, err
	}
	for k := -1; k >= -f.longest()/86400-1; k-- {
		if runs, err = f.others(runs, date, k, from, to); err != nil {
			return nil, err
		}
	}
	for k := 1; k <= to/82800+1; k++ { // a day has 23 hours at least
		if runs, err = f.others(runs, date, k, from, to); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// longest returns the last time of any trip.
func (f *Feed) longest() (last int) {
	for i := range f.Trips {
		calls, end := f.Trips[i].timed(), 0
		if len(calls) == 0 {
			continue
		}
		end = calls[len(calls)-1].Arrive
		for _, h := range f.Trips[i].Headways {
			end = max(end, h.To+end-calls[0].Depart)
		}
		last = max(last, end)
	}
	return last
}

// others adds the runs of the day k days after a date, in that date's seconds.
func (f *Feed) others(runs []Run, date string, k, from, to int) ([]Run, error) {
	day, by := f.shift(date, k)
	name := " of " + day
	if date == "" {
		name = fmt.Sprintf(" of day %+d", k)
	}
	first := len(runs)
	runs, err := f.runs(runs, day, name, from-by, to-by)
	if err != nil {
		return nil, err
	}
	for i := range runs[first:] {
		runs[first+i].Calls = shifted(runs[first+i].Calls, by)
	}
	return runs, nil
}

// runs adds the runs of a date, their names with an end.
func (f *Feed) runs(runs []Run, date, name string, from, to int) ([]Run, error) {
	on := map[string]bool{}
	for id, s := range f.Days {
		on[id] = s.Runs(date)
	}
	for i := range f.Trips {
		t := &f.Trips[i]
		calls := t.timed()
		if len(calls) < 2 || len(f.Days) > 0 && !on[t.Service] {
			continue
		}
		first, last := calls[0].Depart, calls[len(calls)-1].Arrive
		if len(t.Headways) == 0 && first <= to && last >= from {
			if len(runs) == maxRuns {
				return nil, fmt.Errorf("gtfs: trip %s: more than %d runs", t.ID, maxRuns)
			}
			runs = append(runs, Run{t.ID + name, calls})
		}
		seen := map[int]bool{} // starts, where headways overlap
		for _, h := range t.Headways {
			// The first start that is still on its way at from.
			start := h.From + max(0, (from-(last-first)-h.From+h.Every-1)/h.Every)*h.Every
			for ; start < h.To && start <= to; start += h.Every {
				if len(runs) == maxRuns {
					return nil, fmt.Errorf("gtfs: trip %s: more than %d runs", t.ID, maxRuns)
				}
				if !seen[start] {
					runs = append(runs, Run{t.ID + "@" + clockText(start) + name, shifted(calls, start-first)})
				}
				seen[start] = true
			}
		}
	}
	return runs, nil
}

// timed returns the calls that have a stop and times.
func (t *Trip) timed() []Call {
	var out []Call
	for _, c := range t.Calls {
		if c.Stop >= 0 && c.Arrive >= 0 {
			out = append(out, c)
		}
	}
	return out
}

func shifted(calls []Call, by int) []Call {
	out := slices.Clone(calls)
	for i := range out {
		out[i].Arrive, out[i].Depart = out[i].Arrive+by, out[i].Depart+by
	}
	return out
}

// clockText writes seconds as H:MM:SS.
func clockText(s int) string { return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60) }

// After returns the index of the first call of the run that is reached after time
// t, len(Calls) if none is.
func (r *Run) After(t int) int {
	i, _ := slices.BinarySearchFunc(r.Calls, t+1, func(c Call, t int) int { return cmp.Compare(c.Arrive, t) })
	return i
}
