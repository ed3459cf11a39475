package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ddps-go/ddps/internal/atomicfile"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/model"
)

// Tolerances of a backend against the host: float32 in another order, and what a step of AdamW makes of it.
const (
	lossTolerance = 2e-3 // of a training step's loss, relative
	pathTolerance = .02  // of the paths, those that differ
)

// gpuCase is a network that is trained and drawn from on the host and on the backend.
type gpuCase struct {
	name         string
	steps, batch int     // of training that is compared: few, as a U-Net's are slow on the host
	large        int     // batch of training that is timed
	paths        int     // drawn for the comparison, and for the time
	least        float64 // seconds that a rate is measured over, at least
}

func gpuCases() []gpuCase {
	return []gpuCase{{toyPlain, 20, 64, 4096, 4096, 1}, {toyResidual, 20, 64, 4096, 4096, 1}, {toyUNet, 3, 4, 256, 512, 1},
		{heightsUNet, 2, 2, 64, 64, 1}}
}

// gpuReport is what `bench gpu` found.
type gpuReport struct {
	Machine machine   `json:"machine"`
	Backend string    `json:"backend"`
	Note    string    `json:"note"`   // what was opened
	Device  string    `json:"device"` // what nvidia-smi lists
	Rows    []*gpuRow `json:"rows"`
	Seconds float64   `json:"seconds"`
	Passed  bool      `json:"passed"`
	Error   string    `json:"error,omitempty"`
}

// gpuRow is training or sampling of one network. Rates are examples or path-steps per second by the clock.
type gpuRow struct {
	What    string  `json:"what"`
	Case    string  `json:"case"`
	Diff    float64 `json:"diff"`  // greatest relative difference of losses; share of paths that differ
	Limit   float64 `json:"limit"` // of it
	Host    float64 `json:"host"`
	Backend float64 `json:"backend"`
	Compile float64 `json:"first_seconds"` // the backend's first call: compiling, and one step
	Error   string  `json:"error,omitempty"`
}

func (r *gpuRow) ok() bool { return r.Error == "" && r.Diff <= r.Limit }

// runGPU compares training and sampling on a backend with the host, measures both, and writes gpu.json and gpu.md into
// dir within the limit, after which the rest is left out. A difference above its tolerance is an error, once the report
// is written.
func runGPU(ctx context.Context, spec, dir string, limit time.Duration) error {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	report := &gpuReport{Machine: newMachine(), Backend: spec, Device: nvidia(ctx)}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	progress := say(start)
	note, err := model.CheckBackend(spec)
	if report.Note = note; err != nil {
		return err
	}
	progress("%s: %s", spec, note)
	for _, c := range gpuCases() {
		for what, run := range []func(context.Context, gpuCase, string, *gpuRow) error{gpuTrain, gpuSample} {
			row := &gpuRow{Case: c.name, What: []string{"training", "sampling"}[what]}
			if err := run(ctx, c, spec, row); err != nil {
				row.Error = err.Error()
			}
			progress("%s %s: difference %.2g (at most %g), host %s, %s %s a second %s", row.What, c.name, row.Diff, row.Limit,
				short(row.Host), spec, short(row.Backend), row.Error)
			report.Rows = append(report.Rows, row)
			report.Seconds, report.Machine.After = time.Since(start).Seconds(), loadAverage()
			if err := report.write(dir); err != nil {
				return err
			}
		}
	}
	if !report.Passed {
		return errors.New("the backend and the host differ, or a part did not run: see " + filepath.Join(dir, "gpu.md"))
	}
	return nil
}

// write writes gpu.json and gpu.md; Passed is set once every part has run, and none differs.
func (r *gpuReport) write(dir string) error {
	r.Passed = len(r.Rows) == 2*len(gpuCases()) && !slices.ContainsFunc(r.Rows, func(r *gpuRow) bool { return !r.ok() })
	if err := writeJSON(filepath.Join(dir, "gpu.json"), r); err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(dir, "gpu.md"), []byte(r.page()), 0o644)
}

// nvidia returns the GPUs that the driver lists, "" where there is none.
func nvidia(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=name,driver_version,memory.total",
		"--format=csv,noheader").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// gpuModels returns the model of a case with random weights, on the host and on the backend.
func gpuModels(c gpuCase, spec string) (host, device *model.Model, data *datasets.Data, err error) {
	data, cfg, err := caseConfig(c.name)
	if err != nil {
		return nil, nil, nil, err
	}
	cfg.SetBackend("") // a U-Net's own default takes XLA where it is there
	if host, err = randomised(data, cfg); err != nil {
		return nil, nil, nil, err
	}
	cfg.SetBackend(spec)
	device, err = randomised(data, cfg)
	return host, device, data, err
}

// page is the report as Markdown.
func (r *gpuReport) page() string {
	p := new(page)
	p.par("# Training and sampling on %s", r.Backend)
	device := r.Device
	if device == "" {
		device = "no NVIDIA GPU"
	}
	if n := 2 * len(gpuCases()); len(r.Rows) < n {
		p.par("**Only %d of %d parts ran in the time.**", len(r.Rows), n)
	}
	p.par("%s; %s. Host: %s, %d CPUs, %s, vectors: %s, load %s before and %s after; %s, GoMLX %s, revision %s. %.0f s "+
		"in all.",
		device, r.Note, r.Machine.CPU, runtime.NumCPU(), r.Machine.System, r.Machine.Vectors, r.Machine.Before,
		r.Machine.After,
		r.Machine.Go, r.Machine.GoMLX, r.Machine.Revision, r.Seconds)
	p.par("Training: the greatest relative difference of a step's loss, the steps being the same ones. Sampling: the " +
		"share of paths that " +
		"differ, 16 steps by `joint` and by the paper's reverse step, from the same random numbers. Rates are examples, " +
		"or paths × steps, " +
		"per second by the clock, the host's on all of its CPUs; a U-Net's training on the host is GoMLX's Go backend.")
	rows := [][]string{{"", "", "difference", "at most", "host", r.Backend, "first call, s", ""}}
	for _, x := range r.Rows {
		result := "ok"
		if !x.ok() {
			result = "**not ok** " + x.Error
		}
		rows = append(rows, []string{x.What, title("/" + x.Case), fmt.Sprintf("%.2g", x.Diff), fmt.Sprint(x.Limit),
			short(x.Host), short(x.Backend), fmt.Sprintf("%.1f", x.Compile), result})
	}
	p.table(rows)
	return strings.TrimRight(p.String(), "\n") + "\n"
}
