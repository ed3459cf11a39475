package traincmd

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// The tables and the page of a demo, on a graph small enough to train in no time.
func TestReport(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Write(t, "tiny.toml", clitest.Tiny)
	data, err := datasets.All(ddps.Example(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := run.ReadConfig("tiny.toml", run.ConfigOf(model.NetworkMLP))
	if err != nil {
		t.Fatal(err)
	}
	cfg = cfg.On(data.Graph)
	d := &study.Demo{Name: "Example", Data: data, Config: cfg, Samples: 100, Guided: 4, Lambda: 30, RMax: 2,
		Seed: 1<<64 - 1}
	var out bytes.Buffer
	a := &cli.App{Stdout: &out, Stderr: &bytes.Buffer{}}
	rep, err := d.Run(context.Background(), "out/run-example", cli.NewStages(a))
	if err != nil {
		t.Fatal(err)
	}
	if err := printReport(a, rep); err != nil {
		t.Fatal(err)
	}
	if err := writePage(a, filepath.Join("out", "index.html"), []*study.Report{rep}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Example", study.RowModelMax, "100.0%"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("tables lack %q:\n%s", want, out.String())
		}
	}
	page := clitest.Read(t, filepath.Join("out", "index.html"))
	for _, want := range []string{"<html", "data:image/png;base64,", "18,446,744,073,709,551,615"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
