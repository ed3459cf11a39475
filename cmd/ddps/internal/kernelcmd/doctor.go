package kernelcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/plugin"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// NewDoctor returns the command ddps doctor.
func NewDoctor(a *cli.App) *cobra.Command {
	notebooks := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that this machine can do the work",
		Long: "Check the program, the backends for training, the map that comes with it, and the disk. A\n" +
			"line for each: ok, warn (something works less well) or fail, with what to do. The status is\n" +
			"1 if any fails. --notebooks adds Jupyter, Go, the tools behind the kernel, the kernelspec, the\n" +
			"Go module of this directory and the build cache.",
		Example: `  ddps doctor
  ddps doctor --notebooks`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return doctor(a, cmd.Context(), notebooks) },
	}
	cmd.Flags().BoolVar(&notebooks, "notebooks", false, "check too that notebooks can run here")
	return cmd
}

// notebookFindings says whether notebooks can run here.
func notebookFindings(ctx context.Context) (list []finding) {
	states := map[setup.Level]string{setup.OK: StateOK, setup.Warn: StateWarn, setup.Fail: stateFail}
	for _, f := range setup.Doctor(ctx, ".", os.Getenv(setup.EnvGo)) {
		list = append(list, finding{states[f.Level], f.What, f.Detail})
	}
	return list
}

// finding is what a check found.
type finding struct{ state, what, detail string }

// States of a finding.
const (
	StateOK   = "ok"
	StateWarn = "warn"
	stateFail = "fail"
)

// doctor runs all checks and prints what they found.
func doctor(a *cli.App, ctx context.Context, notebooks bool) error {
	v := cli.Versions()
	list := []finding{
		{StateOK, "program", fmt.Sprintf("ddps %s, %s, gomlx %s, %s", v.DDPS, v.Go, v.GoMLX, v.Build())},
		{StateOK, "system", fmt.Sprintf("%s, %d CPUs, %d in use", v.Platform, runtime.NumCPU(), runtime.GOMAXPROCS(0))},
		vectorFinding(v.Vectors),
		backendFinding("go", stateFail),
		backendFinding("go:large", StateWarn),
	}
	list = append(list, xlaFindings(ctx, plugin.Linked)...)
	list = append(list, mapFinding(), writableFinding("temporary files", os.TempDir(), stateFail,
		"set TMPDIR to a directory you may write to"),
		writableFinding("this directory", ".", StateWarn, "write results elsewhere"),
		diskFinding("disk here", "."), diskFinding("disk for temporary files", os.TempDir()))
	if notebooks {
		list = append(list, notebookFindings(ctx)...)
	}
	rows, failed := make([][]string, len(list)), 0
	for i, f := range list {
		rows[i] = []string{f.state, f.what, f.detail}
		if f.state == stateFail {
			failed++
		}
	}
	if err := a.WriteFile("", func(w io.Writer) error { return cli.PrintTable(w, nil, rows) }); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("doctor: %d of %d checks failed", failed, len(list))
	}
	return nil
}

// vectorFinding says in what sampling works.
func vectorFinding(vectors string) finding {
	if vectors == "plain Go" && runtime.GOARCH == "amd64" {
		return finding{StateWarn, "sampling", "in plain Go, several times slower than in vectors: this CPU lacks AVX2 or FMA"}
	}
	return finding{StateOK, "sampling", "in " + vectors}
}

// backendFinding opens a backend and computes with it.
func backendFinding(spec, otherwise string) finding {
	note, err := model.CheckBackend(spec)
	if err != nil {
		return finding{otherwise, "backend " + spec, cli.Message(err)}
	}
	return finding{StateOK, "backend " + spec, note}
}

// xlaFindings tries XLA where it was built in. It is no fault to be without.
func xlaFindings(ctx context.Context, linked bool) []finding {
	if !linked {
		return []finding{{StateOK, "backend xla", "not in this program, the Go backend does all; " +
			"to have it: ddps backend list"}}
	}
	var list []finding
	for _, p := range plugins {
		list = append(list, checkBackend(ctx, p).finding(StateWarn))
	}
	return list
}

// mapFinding makes the graphs of the map that ships.
func mapFinding() finding {
	heights, err := datasets.HeightsGraph()
	ridge, err2 := datasets.RidgeGraph()
	if err = errors.Join(err, err2); err != nil {
		return finding{stateFail, "map", cli.Message(err) + "; build the program anew"}
	}
	if h, r := heights.NumVertices(), ridge.NumVertices(); h != 423 || r != 4293 {
		return finding{stateFail, "map", fmt.Sprintf("Heights has %d vertices and Ridge %d, not 423 and 4,293; build the "+
			"program anew", h, r)}
	}
	return finding{StateOK, "map", fmt.Sprintf("Heights %s paths, Ridge %s paths",
		cli.WholeBig(ddps.NumPaths(heights)),
		cli.WholeBig(ddps.NumPaths(ridge)))}
}

// writableFinding tries to make a file in dir.
func writableFinding(what, dir, otherwise, advice string) finding {
	if err := cli.CheckDir(dir); err != nil {
		return finding{otherwise, what, cli.Message(err) + "; " + advice}
	}
	if _, err := os.Stat(dir); err != nil {
		return finding{otherwise, what, fmt.Sprintf("%s is not there; %s", dir, advice)}
	}
	return finding{StateOK, what, dir + " is writable"}
}

// Free space under which diskFinding warns and fails.
const (
	diskWarn = 1 << 30
	diskFail = 64 << 20
)

// diskFinding says how much space is left where dir is.
func diskFinding(what, dir string) finding {
	free, err := diskFree(dir)
	switch {
	case err != nil:
		return finding{StateWarn, what, "cannot tell the free space: " + cli.Reason(err).Error()}
	case free < diskFail:
		return finding{stateFail, what, cli.BytesSize(free) + " free; free some space: checkpoints and samples take some " +
			"100 MiB"}
	case free < diskWarn:
		return finding{StateWarn, what, cli.BytesSize(free) + " free; long runs may need more"}
	}
	return finding{StateOK, what, cli.BytesSize(free) + " free"}
}
