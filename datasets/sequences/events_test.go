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
