package sequences_test

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// Events are in the order of their times, however these are written.
func TestDates(t *testing.T) {
	for name, c := range map[string]struct{ in, want, note, dates, err string }{
		"day first": {in: "person;time;place\n1;01/02/2025 0:10;C\n1;31/01/2025 14:05;A\n1;31/01/2025 14:10;B\n",
			want: "A B C", note: `dates have the day first, as "31/01/2025 14:05" shows`},
		"month first": {in: "person,time,place\n1,2/1/2025 9:00 AM,C\n1,1/3/2025 1:00 PM,B\n1,1/31/2025 9:00 AM,D\n",
			want: "B D C", note: `dates have the month first, as "1/31/2025 9:00 AM" shows`},
		"either": {in: "person,time,place\n1,02/01/2025,B\n1,01/03/2025,C\n",
			err: "say --dates day or --dates month"},
		"by day":   {in: "person,time,place\n1,02/01/2025,B\n1,01/03/2025,C\n", want: "B C", dates: "day"},
		"by month": {in: "person,time,place\n1,02/01/2025,B\n1,01/03/2025,C\n", want: "C B", dates: "month"},
		"by other": {in: "person,time,place\n1,03/01/2025,B\n1,01/02/2025,C\n", want: "C B", dates: "month"},
		"both":     {in: "person,time,place\n1,13/01/2025,B\n1,01/13/2025,C\n", err: "some dates have the day first"},
		"no order": {in: "person,time,place\n1,1,B\n", dates: "years", err: "none of day, month, year"},
		"two columns": {in: "person,date,time,place\n1,01.02.2025,0:10,C\n1,31.01.2025,14:05,B\n", want: "B C",
			note: `dates of times of day from "date"`},
		"clock": {in: "person,date,clock,place\n1,20250201,0:10,C\n1,20250131,14:05,B\n1,20250131,9:05,A\n", want: "A B C",
			note: `time from "clock"`},
		"arrivals": {in: "trip,date,arrival,stop\n1,2025-02-01,LHR,C\n1,2025-01-31,OSL,B\n", want: "B C",
			note: "not used: arrival"},
		"times of day": {in: "visitor,time,room\n1,9:05,A\n1,10:00,B\n1,24:10,C\n", want: "A B C"},
		"past midnight": {in: "visitor,time,room\n1,23:05,A\n1,0:10,B\n2,1:00,A\n2,2:00,C\n", want: "A C",
			note: "left out 1: a time that cannot be read (first: w.csv:3: time \"0:10\" is before that of the row before"},
		"json": {in: `{"person":1,"date":"31/12/2024","time":"14:05","place":"B"}` + "\n" +
			`{"person":1,"date":"31/12/2024","time":"9:05","place":"A"}` + "\n", want: "A B"},
	} {
		w, err := sequences.Read("w.csv", strings.NewReader(c.in), sequences.ReadOptions{Dates: c.dates})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := strings.Join(w.Notes, "\n")
		for _, l := range w.Report.List() {
			said += "\n" + l.String()
		}
		if got := text(w); got != c.want || !strings.Contains(said, c.note) {
			t.Errorf("%s: %s, expected %s; said %s", name, got, c.want, said)
		}
	}
}
