package xes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/xes"
)

// log is a log with what standard and programs put in: globals, classifiers, lists, attributes of attributes.
const log = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <global scope="event"><string key="concept:name" value="__INVALID__"/></global>
  <classifier name="Activity" keys="concept:name lifecycle:transition"/>
  <string key="concept:name" value="the log"/>
  <event><string key="concept:name" value="loose"/></event>
  <trace>
    <string key="concept:name" value="c1"/>
    <event>
      <string key="concept:name" value="A &amp; B"/>
      <date key="time:timestamp" value="2024-01-01T10:00:00.000+01:00"/>
      <string key="lifecycle:transition" value="COMPLETE"/>
      <list key="l"><values><string key="concept:name" value="inner"/></values></list>
      <string key="org:resource" value="Sue"><string key="concept:name" value="nested"/></string>
    </event>
    <event><string key="concept:name" value="C"/><int key="cost" value="3"/></event>
  </trace>
  <trace/>
</log>
`

func TestRead(t *testing.T) {
	var got []string
	l, line, err := xes.Read(strings.NewReader(log), xes.Keys{Place: xes.Name, Time: xes.Time}, func(t xes.Trace) error {
		got = append(got, fmt.Sprintf("%+v", t))
		return nil
	})
	want := []string{"{Name:c1 Line:9 Events:[{Place:A & B Time:2024-01-01T10:00:00.000+01:00 Line:11} " +
		"{Place:C Time: Line:18}] Timed:1}", "{Name: Line:20 Events:[] Timed:0}"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("line %d: %v, traces\n%q, expected\n%q", line, err, got, want)
	}
	keys := []string{xes.Name, xes.Time, xes.Transition, "l", "org:resource", "cost"}
	if l.Loose != 1 || l.First != 8 || l.Events != 2 || !slices.Equal(l.Keys, keys) || l.Transitions["complete"] != 1 ||
		l.Transitions[""] != 1 {
		t.Errorf("%+v", l)
	}
}

func TestReadErrors(t *testing.T) {
	for in, want := range map[string]string{
		"<log>\n<trace>\n<event></trace></log>": "3: XML: element <event> closed by </trace>",
		"<log>\n<trace>\n":                      "3: XML: unexpected EOF",
		"<gpx></gpx>":                           "1: the root of the XML is <gpx>, and that of XES is <log>",
		"":                                      "1: XML without an element",
		"<?xml version=\"1.0\" encoding=\"latin1\"?>\n<log/>": "1: the encoding is latin1: save the file as UTF-8",
	} {
		_, line, err := xes.Read(strings.NewReader(in), xes.Keys{}, func(xes.Trace) error { return nil })
		if got := fmt.Sprintf("%d: %v", line, err); !strings.Contains(got, want[3:]) || !strings.HasPrefix(got, want[:2]) {
			t.Errorf("%q: %s, expected %s", in, got, want)
		}
	}
}

func TestRoot(t *testing.T) {
	for in, want := range map[string]string{
		log: "log", "<?xml version='1.0'?><gpx>": "gpx", "<gpx version=\"1.1\">": "gpx", "<html>\n<head>": "html",
		"<!DOCTYPE html>\n<html>": "html", "<?xml ": "",
	} {
		if name, is := xes.Root(in); !is || name != want {
			t.Errorf("%q: %q, %v", in, name, is)
		}
	}
	for _, in := range []string{"<s> A B </s>\n", "<log> A\n", "<A>\n<B>\n", "< A", "A < B", "<unk>", ""} {
		if name, is := xes.Root(in); is {
			t.Errorf("%q is read as XML, %q", in, name)
		}
	}
}
