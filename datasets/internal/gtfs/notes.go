package gtfs

import (
	"fmt"
	"time"
)

// Notes says what of the feed is left out, a line each.
func (f *Feed) Notes() (list []string) {
	add := func(n int, one, many string) {
		if n == 1 {
			list = append(list, "1 "+one)
		} else if n > 1 {
			list = append(list, fmt.Sprintf("%d %s", n, many))
		}
	}
	short, idle := 0, 0
	for i := range f.Trips {
		if t := &f.Trips[i]; len(t.timed()) < 2 {
			short++
		} else if len(f.Days) > 0 && f.Days[t.Service] == nil {
			idle++
		}
	}
	add(f.Missing, "call names a stop or a trip that is not in the feed, and is skipped", "calls name a stop or a trip "+
		"that is not in the feed, and are skipped")
	add(f.Headways, "headway is of a trip that is not in the feed, and is skipped", "headways are of trips that are "+
		"not in the feed, and are skipped")
	add(short, "trip has fewer than two calls with a stop and times, and never runs", "trips have fewer than two calls "+
		"with a stop and times, and never run")
	add(idle, "trip is of a service without days, and never runs", "trips are of services without days, and never run")
	add(f.Nowhere, "entry of stops.txt is a station, an entrance or the like, and no stop", "entries of stops.txt are "+
		"stations, entrances or the like, and no stops")
	add(f.Limited, "call has pickup_type or drop_off_type 1: boarding or alighting there is not ruled out",
		"calls have pickup_type or drop_off_type 1: boarding or alighting there is not ruled out")
	add(f.Repeated, "row of the days or the headways is given twice, alike, and counts once", "rows of the days or the "+
		"headways are given twice, alike, and count once")
	add(f.Zones, "agency has another agency_timezone than the first: the first's is taken", "agencies have another "+
		"agency_timezone than the first: the first's is taken")
	if f.Transfers {
		list = append(list, "transfers.txt is not used")
	}
	if f.Zone == "" {
		list = append(list, "the feed has no agency_timezone (of agency.txt): times are taken as UTC, each day with 24 hours")
	} else if _, err := time.LoadLocation(f.Zone); err != nil {
		list = append(list, fmt.Sprintf("agency_timezone %q is not known: each day is taken to have 24 hours", f.Zone))
	}
	return list
}
