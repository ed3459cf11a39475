package main

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/ddps/model"
)

func TestQuickstartErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file", "")
	bad(t, exitError, []string{"cannot write into file", "no folder"}, "quickstart", "-o", "file")
	bad(t, exitError, []string{"cannot write into file/new"}, "quickstart", "-o", "file/new")
	if runtime.GOOS == "linux" {
		bad(t, exitError, []string{"cannot write into /proc/self/new"}, "quickstart", "-o", "/proc/self/new")
	}
	bad(t, exitUsage, []string{"--paths", "want 100 or more"}, "quickstart", "--paths", "99")
	bad(t, exitUsage, []string{"one too many"}, "quickstart", "toy")

	d, err := experiment.HeightsDemo(100, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := experiment.Create("out/run-heights", d.Config, d.Data); err != nil {
		t.Fatal(err)
	}
	bad(t, exitError, []string{"out/run-heights holds a run on other paths", "choose another folder"}, "quickstart", "--paths", "101", "-o", "out")
}

// Interrupted, quickstart says how to go on.
func TestQuickstartInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	status := run(ctx, []string{"quickstart", "--paths", "100", "-o", "out"}, &out, &errs)
	if status != exitInterrupted || out.Len() > 0 || !strings.Contains(errs.String(), "the same command goes on from there") {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
	if _, err := experiment.OpenRun("out/run-toy"); err != nil {
		t.Error(err)
	}
}

// The tables and the page of a demo, on a graph small enough to train in no time.
func TestReport(t *testing.T) {
	trainable(t)
	data, err := (&app{quiet: true}).loadPaths("example", "paths.csv", "name")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := experiment.ReadConfig("tiny.toml", experiment.ConfigOf(model.NetworkMLP))
	if err != nil {
		t.Fatal(err)
	}
	cfg = cfg.On(data.Graph)
	d := &experiment.Demo{Name: "Example", Data: data, Config: cfg, Samples: 100, Steps: 4, Guided: 4, Lambda: 30, RMax: 2, Seed: 1<<64 - 1}
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &bytes.Buffer{}}
	rep, err := d.Run(context.Background(), "out/run-example", &stages{a: a})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.printReport(rep); err != nil {
		t.Fatal(err)
	}
	if err := a.writePage(filepath.Join("out", "index.html"), []*experiment.Report{rep}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Example", experiment.RowModelMax, "100.0 %"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("tables lack %q:\n%s", want, out.String())
		}
	}
	page := read(t, filepath.Join("out", "index.html"))
	for _, want := range []string{"<html", "data:image/png;base64,", "18,446,744,073,709,551,615"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
