package sequences

import (
	"fmt"
	"strings"
	"testing"
)

// TestEventsNanosecondsApart: the order of events is that of their times in tables and in JSON, whatever the size.
func TestEventsNanosecondsApart(t *testing.T) {
	for late, early := range map[string]string{
		"1700000000000000201": "1700000000000000200", "1700000000.000000201": "1700000000.0000002",
		"9007199254740993": "9007199254740992", "99999999999999999999999": "99999999999999999999998",
		"2024-01-01T00:00:00.000000201Z": "2024-01-01T00:00:00.0000002Z",
	} {
		quote := ""
		if strings.Contains(late, "T") {
			quote = `"`
		}
		for name, row := range map[string]string{"x.csv": "a,%s,%s\n",
			"x.jsonl": `{"case":"a","time":` + quote + "%s" + quote + `,"place":"%s"}` + "\n"} {
			text := fmt.Sprintf(row, late, "late") + fmt.Sprintf(row, early, "early")
			if name == "x.csv" {
				text = "case,time,place\n" + text
			}
			w, err := Read(name, strings.NewReader(text), ReadOptions{})
			if err != nil || w.Len() != 1 || strings.Join(w.Names(0), " ") != "early late" {
				t.Errorf("%s, %s: %v, %v", name, late, w, err)
			}
		}
	}
}

// TestEventsZones: times with a zone and without are compared in UTC, which is said where both are there.
func TestEventsZones(t *testing.T) {
	for late, said := range map[string]bool{"2024-01-01T05:30:00Z": true, "2024-01-01T05:30:00": false} {
		text := "case,time,place\n1,2024-01-01T06:00:00,c\n1," + late + ",b\n1,2024-01-01T05:00:00,a\n"
		w, err := Read("x.csv", strings.NewReader(text), ReadOptions{})
		if err != nil || strings.Join(w.Names(0), " ") != "a b c" ||
			strings.Contains(strings.Join(w.Notes, "\n"), "times without a time zone are taken as UTC: 2 of 3") != said {
			t.Errorf("%s: %v, %v", late, w, err)
		}
	}
}
