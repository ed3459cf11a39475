package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

func TestGraphTimetable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("feed", 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, "feed/stops.txt", "stop_id,stop_lat,stop_lon\na,60,24\nb,60,24.01\n")
	clitest.Write(t, "feed/trips.txt", "trip_id,service_id\nt,s\n")
	clitest.Write(t, "feed/stop_times.txt",
		"trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,8:00:00,8:01:00,a,1\nt,8:12:00,8:12:00,b,2\n")
	clitest.Write(t, "feed/calendar_dates.txt", "service_id,date,exception_type\ns,20240103,1\n")
	_, notes := good(t, "graph", "timetable", "feed", "--start", "a", "--from", "8:00", "--depth", "4", "--attr",
		"licence=CC0", "-o", "g.json")
	if !strings.Contains(notes, "the day is 20240103") || !strings.Contains(notes, "4 layers") {
		t.Error(notes)
	}
	info, _ := good(t, "graph", "info", "g.json")
	for _, want := range []string{"CC0", "feed", "slot", "20240103"} {
		if !strings.Contains(info, want) {
			t.Errorf("info lacks %q:\n%s", want, info)
		}
	}
	list, _ := good(t, "paths", "list", "g.json")
	if list != "a → a → a → a\na → on t → on t → b\n" {
		t.Error(list)
	}
	_, notes = good(t, "graph", "import", "feed", "--start", "a", "--depth", "3", "--merge", "0", "-o", "h.json")
	if !strings.Contains(notes, "read 2 nodes, 1 directed edges") {
		t.Error(notes)
	}
	// b has a quarter of the weight, and of 4,000 walks; the share of 1/4 has a standard error of .007
	good(t, "graph", "timetable", "feed", "--start", "b", "--start", "a=3", "--from", "8:00", "--depth", "4", "-o",
		"two.json")
	good(t, "paths", "make", "two.json", "-n", "4000", "--how", "starts", "-o", "two.csv")
	list, _ = good(t, "paths", "list", "two.json", "two.csv", "-n", "9")
	fromB := 0
	for _, line := range strings.Split(list, "\n") {
		if strings.HasPrefix(line, "b") {
			var err error
			if fromB, err = strconv.Atoi(line[strings.LastIndex(line, "×")+len("×"):]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if fromB < 880 || fromB > 1120 {
		t.Errorf("%d of 4,000 walks begin at b: %s", fromB, list)
	}
	bad(t, exitUsage, []string{"--start a=x"}, "graph", "timetable", "feed", "--start", "a=x", "--from", "8:00",
		"--depth", "4")
	bad(t, exitError, []string{"feed", `start "z"`}, "graph", "timetable", "feed", "--start", "z", "--from", "8:00",
		"--depth", "4")
	bad(t, exitError, []string{"none"}, "graph", "timetable", "none", "--start", "z", "--from", "8:00", "--depth", "4")
	bad(t, exitUsage, []string{"from"}, "graph", "timetable", "feed", "--start", "z", "--depth", "4")
}
