package main

import (
	"os"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
)

// An event log of XES is read by every command of walks, and written by paths convert and split.
func TestXES(t *testing.T) {
	t.Chdir(t.TempDir())
	var traces strings.Builder
	for range 20 {
		traces.WriteString(`<trace><event><string key="concept:name" value="pay"/><string key="org:resource" value="Sue"/>` +
			`<date key="time:timestamp" value="2024-01-02T10:00:00.000+01:00"/></event><event>` +
			`<string key="concept:name" value="register"/><string key="org:resource" value="Bob"/>` +
			`<date key="time:timestamp" value="2024-01-01T10:00:00.000+01:00"/></event></trace>` + "\n")
	}
	clitest.Write(t, "log.xes", "<?xml version=\"1.0\"?>\n<log>\n"+traces.String()+"</log>\n")
	clitest.Write(t, "a.gpx", "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"></gpx>\n")
	out, errs := good(t, "paths", "list", "log.xes", "-n", "1")
	if out != "register → pay\n" || !strings.Contains(errs, `time from "time:timestamp"`) {
		t.Errorf("%s%s", out, errs)
	}
	out, _ = good(t, "paths", "convert", "log.xes", "-", "--place", "org:resource", "--format", "ngram")
	if !strings.HasPrefix(out, "Bob,Sue,1\n") {
		t.Error(out)
	}
	good(t, "paths", "split", "log.xes", "--hold", "0.3", "--train", "train.xes", "--held", "held.csv")
	if text, err := os.ReadFile("train.xes"); err != nil || !strings.Contains(string(text), "<log xes.version=") {
		t.Errorf("%v: %s", err, text)
	}
	good(t, "train", "--paths", "train.xes", "--test", "held.csv", "--model", "chain", "-o", "run")
	_, errs = good(t, "graph", "make", "sequences", "log.xes", "-o", "g.json")
	if !strings.Contains(errs, "20 walks, 1 distinct") {
		t.Error(errs)
	}
	bad(t, exitError, []string{"a.gpx", "GPS tracks", "ddps paths import"}, "graph", "make", "sequences", "a.gpx")
}
