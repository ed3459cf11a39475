package sequences_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// xesLog makes a log: a trace a line, of events like A@2024-01-02, C without a time, and A@2024-01-02/start.
func xesLog(traces ...string) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<log xes.version=\"1.0\">\n")
	for k, trace := range traces {
		fmt.Fprintf(&b, "<trace><string key=\"concept:name\" value=\"c%d\"/>", k)
		for _, event := range strings.Fields(trace) {
			event, transition, _ := strings.Cut(event, "/")
			name, when, _ := strings.Cut(event, "@")
			b.WriteString("<event>")
			for _, x := range [][3]string{{"string", "concept:name", name}, {"date", "time:timestamp", when},
				{"string", "lifecycle:transition", transition}, {"string", "org:resource", strings.ToLower(name)}} {
				if x[2] != "" {
					fmt.Fprintf(&b, "<%s key=%q value=%q/>", x[0], x[1], x[2])
				}
			}
			b.WriteString("</event>")
		}
		b.WriteString("</trace>\n")
	}
	b.WriteString("</log>\n")
	return b.String()
}

func TestXES(t *testing.T) {
	for _, c := range []struct {
		what, in string
		o        options
		want     string
		said     string
	}{
		{"by time", xesLog("B@2024-01-02T00:00:00.000+01:00 A@2024-01-01",
			"A@2024-01-01T10:00:00Z B@2024-01-01T11:30:00+02:00"),
			options{}, "A B; B A", `place from "concept:name", time from "time:timestamp"; not used: org:resource`},
		{"one time", xesLog("B@2024-01-01 A@2024-01-01"), options{}, "B A", "1 event has the time of another"},
		{"no time", xesLog("B A"), options{}, "B A", "no time, so in the order of the file"},
		{"times of some", xesLog("B@2024-01-02 A@2024-01-01 C", "B@2024-01-02 A@2024-01-01"), options{}, "B A C; A B",
			`not all events of 1 case have "time:timestamp": they are in the order of the file (first: the case of a:3)`},
		{"transitions", xesLog("A@2024-01-01/start A@2024-01-02/complete B@2024-01-03/complete"), options{}, "A A B",
			"events of several kinds of lifecycle:transition, each of which is a place of its walk: complete 2, start 1"},
		{"keys", xesLog("A@2024-01-02 B@2024-01-01"), options{Place: "org:resource", Case: "case:concept:name"}, "b a",
			`place from "org:resource"`},
		{"asked for", xesLog("A B"), options{Format: sequences.XES}, "A B", "XES"},
	} {
		w, err := sequences.Read("a", strings.NewReader(c.in), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := text(w); got != c.want || !strings.Contains(strings.Join(w.Notes, "\n"), c.said) {
			t.Errorf("%s: %s, expected %s; notes %q, expected %q", c.what, got, c.want, w.Notes, c.said)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(c.in))
		z.Close()
		if again, err := sequences.Read("a.xes.gz", &packed, c.o); err != nil || text(again) != c.want {
			t.Errorf("%s, packed: %v", c.what, err)
		}
	}
}

// What cannot be read of a log is left out and counted, as of other event logs.
func TestXESMistakes(t *testing.T) {
	in := strings.Replace(xesLog("A@2024-01-01 B@yesterday", "", "A@2024-01-01 X@2024-01-02 B@2024-01-03"),
		`<string key="concept:name" value="X"/>`, "", 1)
	w, err := sequences.Read("a.xes", strings.NewReader(strings.Replace(in, "</log>", "<event/></log>", 1)), options{})
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, l := range w.Report.List() {
		left = append(left, l.String())
	}
	want := "left out 1: a time that cannot be read (first: a.xes:3: time \"yesterday\" is neither a number nor a date" +
		", like 2006-01-02 15:04:05)\n" +
		"left out 1: no place in it (first: a.xes:4: case c1)\n" +
		"left out 1: an event without a place (first: a.xes:5: case c2)\n" +
		"left out 1: an event without a case (first: a.xes:6)"
	if got := strings.Join(left, "\n"); got != want || text(w) != "A B" {
		t.Errorf("%s\n%s, expected\n%s", text(w), got, want)
	}
}

// XML that is no XES is never read as lines of walks, and an attribute that no event has is an error.
func TestXMLErrors(t *testing.T) {
	for _, c := range []struct {
		name, in string
		o        options
		want     string
	}{
		{"a.gpx", "<?xml version=\"1.0\"?>\n<gpx><trk/></gpx>", options{},
			"<gpx>: GPS tracks, which 'ddps paths import'"},
		{"a.txt", "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n</kml>", options{},
			"the file is XML, <kml>: no file of walks"},
		{"a.txt", "\ufeff<!DOCTYPE html>\n<html>\n<body>", options{}, "<html>"},
		{"a.csv", "<osm version=\"0.6\">\n</osm>", options{Sep: "space"}, "<osm>: a map, which 'ddps graph import' reads"},
		{"a.xes", "A B\nB C\n", options{}, "a.xes:3: XML without an element"},
		{"a.xes", "<log>\n<trace>\n<event>", options{}, "a.xes:3: XML: unexpected EOF"},
		{"a.xes", "<log>\n</log>", options{}, "no walk in the file"},
		{"a.xes", xesLog("A"), options{Place: "org:resourse"}, `no event has the attribute "org:resourse"`},
		{"a.xes", xesLog("A"), options{Time: "when"}, `no event has the attribute "when"`},
		{"a.xes", xesLog("A"), options{Case: "org:resource"}, "the cases of XES are its traces"},
	} {
		_, err := sequences.Read(c.name, strings.NewReader(c.in), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "sequences: "+c.name) {
			t.Errorf("%q: %v, expected an error with %q", c.in, err, c.want)
		}
	}
	in := "<s> A </s>\n<s> B </s>\n"
	w, err := sequences.Read("a.txt", strings.NewReader(in), options{Missing: []string{}})
	if err != nil || text(w) != "<s> A </s>; <s> B </s>" {
		t.Errorf("names in angle brackets: %v", err)
	}
	w = sequences.New()
	w.Add([]string{"A\ufffe"}, 1)
	err = sequences.Write(&bytes.Buffer{}, w, sequences.WriteOptions{Format: sequences.XES})
	if w.Len() > 0 && err == nil {
		t.Error("a name that XML cannot hold is written")
	}
}
