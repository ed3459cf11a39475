package maps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// TestTimetableRows: a day is 0 or 1, an exception 1 or 2, and a row that is given twice says the same both times.
func TestTimetableRows(t *testing.T) {
	const head = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
	const days = "20240101,20240131\n"
	o := TimetableOptions{Start: "a", From: "8:00", Slot: 300, Depth: 5, Date: "20240103"}
	for what, c := range map[string]struct{ file, text, want string }{
		"a word": {"calendar.txt", head + "week,yes,1,1,1,1,0,0," + days,
			`calendar.txt:2: monday "yes" is neither 0 nor 1`},
		"no cell":   {"calendar.txt", head + "week,1,,1,1,1,0,0," + days, `calendar.txt:2: tuesday "" is neither 0 nor 1`},
		"two":       {"calendar.txt", head + "\nweek,1,1,1,1,1,0,2," + days, `calendar.txt:3: sunday "2" is neither`},
		"short row": {"calendar.txt", head + "week,1,1,1\n", `calendar.txt:2: start_date "" is not a date`},
		"exception": {"calendar_dates.txt", "service_id,date,exception_type\nweek,20240103,3\n",
			`calendar_dates.txt:2: exception_type "3" is neither 1 nor 2`},
		"no exception": {"calendar_dates.txt", "service_id,date,exception_type\nweek,20240103\n",
			`calendar_dates.txt:2: exception_type "" is neither 1 nor 2`},
		"date": {"calendar_dates.txt", "service_id,date,exception_type\nweek,2024,1\n",
			`calendar_dates.txt:2: date "2024" is not a date`},
		"other days": {"calendar.txt", head + "week,1,1,1,1,1,0,0," + days + "week,0,0,0,0,0,1,1," + days,
			"calendar.txt:3: service week is in line 2, too, with other days"},
		"other months": {"calendar.txt", head + "week,1,1,1,1,1,0,0," + days + "week,1,1,1,1,1,0,0,20240201,20240229\n",
			"calendar.txt:3: service week is in line 2, too, with other days"},
		"other exception": {"calendar_dates.txt", "service_id,date,exception_type\nweek,20240103,1\nweek,20240103,2\n",
			"calendar_dates.txt:3: service week on 20240103 is in line 2, too, with the other exception_type"},
	} {
		_, err := Timetable(feedFile(t, map[string]string{c.file: c.text}), o)
		fixture.WantError(t, what, err, "feed.zip: gtfs: ", c.want)
	}
}

// TestTimetableRowsTwice: rows that say the same twice count once, also where days are compared, and are said.
func TestTimetableRowsTwice(t *testing.T) {
	twice := func(text string) string {
		head, rows, _ := strings.Cut(text, "\n")
		return head + "\n" + rows + rows
	}
	const agency = "agency_name,agency_url,agency_timezone\nA,x,Europe/Paris\n"
	headway := "trip_id,start_time,end_time,headway_secs\nt3,7:00:00,7:40:00,600\n"
	bus := fixture.BusFeed()
	date := func(change map[string]string) (string, []string) {
		var notes []string
		o := TimetableOptions{Start: "c", From: "7:00", Slot: 1800, Depth: 5,
			Note: func(s string) { notes = append(notes, s) }}
		return fixture.Must[*ddps.LayeredGraph](t)(Timetable(feedFile(t, change), o)).Meta().Attr["date"], notes
	}
	want, notes := date(map[string]string{"frequencies.txt": headway, "agency.txt": agency})
	if said(notes, "given twice") || said(notes, "timezone") {
		t.Errorf("notes %q", notes)
	}
	got, notes := date(map[string]string{"frequencies.txt": twice(headway), "calendar.txt": twice(bus["calendar.txt"]),
		"calendar_dates.txt": twice(bus["calendar_dates.txt"]), "agency.txt": agency + "B,x,Europe/Rome\n"})
	if got != want || !said(notes, "4 rows of the days or the headways are given twice, alike, and count once") ||
		!said(notes, "1 agency has another agency_timezone") {
		t.Errorf("date %s, want %s; notes %q", got, want, notes)
	}
	for what, agency := range map[string]string{"no file": "", "no column": bus["agency.txt"]} {
		if _, notes = date(map[string]string{"agency.txt": agency}); !said(notes, "taken as UTC") {
			t.Errorf("%s: notes %q", what, notes)
		}
	}
}

// TestNotUsed: what a timetable says of boarding, alighting and transfers, and is not used, is in a note.
func TestNotUsed(t *testing.T) {
	calls := fixture.BusFeed()["stop_times.txt"]
	for types, want := range map[string]int{"": 0, ",0,": 0, ",1,0": 7, ",3,1": 7, ",1,1": 7} {
		with := "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
		for _, row := range strings.Split(strings.TrimSpace(calls), "\n")[1:] {
			with += row + types + "\n"
		}
		change, notes := map[string]string{"stop_times.txt": with}, []string(nil)
		if want > 0 {
			change["transfers.txt"] = "from_stop_id,to_stop_id\na,b\n"
		}
		_, err := Timetable(feedFile(t, change), TimetableOptions{Start: "a", From: "8:00", Slot: 300, Depth: 4,
			Note: func(text string) { notes = append(notes, text) }})
		if err != nil || said(notes, "transfers.txt is not used") != (want > 0) ||
			said(notes, "drop_off_type") != (want > 0) ||
			want > 0 && !said(notes, fmt.Sprintf("%d calls have pickup_type or drop_off_type 1", want)) {
			t.Errorf("%q: %v, notes %q", types, err, notes)
		}
	}
}

func said(notes []string, what string) bool {
	return slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, what) })
}
