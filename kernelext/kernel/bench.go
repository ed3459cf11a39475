package kernel

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// withoutGopls, in an answer's metadata, says whether gopls was not asked: it may know more later.
const withoutGopls = "without_gopls"

// benchCell is a cell that is timed.
type benchCell struct{ what, code string }

// benchCells are what a session is made of, the first three for every module, the others for one that has DDPS.
var benchCells = []benchCell{
	{"live cell", "%%live\n1 + 1"},
	{"trivial compiled cell", "%%\nfmt.Println(\"hello\")"},
	{"failing compiled cell", "%%\npanic(\"on purpose\")"},
	{"figure", `import (
	"bytes"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

%%
p := plot.New()
line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
if err != nil {
	panic(err)
}
p.Add(line)
w, err := p.WriterTo(200, 200, "svg")
if err != nil {
	panic(err)
}
var b bytes.Buffer
w.WriteTo(&b)
fmt.Println(b.Len())`},
	{"model on GoMLX", `import (
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
)

%%
g, err := datasets.Toy(1)
if err != nil {
	panic(err)
}
d, err := datasets.All(g, 10_000)
if err != nil {
	panic(err)
}
c, err := chain.Fit(d.Graph, d.Paths, nil, 1)
if err != nil {
	panic(err)
}
m, err := model.New(c, model.DefaultConfig(), 0)
fmt.Println(m != nil, err)`},
}

// allPackages is a cell that needs all that a notebook may, for Warm.
var allPackages = benchCell{"all packages", `import (
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/artefact"
	"github.com/ddps-go/ddps/plots"
)

%%
_ = []any{datasets.Toy, run.Counts, kernelext.Show, artefact.Key, plots.Bars{}}`}

// cellTime is how long a cell of the benchmark may take, with a cold cache.
const cellTime = 10 * time.Minute

// Bench starts a kernel by a command line in dir, times its start and typical cells, rounds times each, and prints
// medians. The first round, in which caches warm, does not count.
func Bench(ctx context.Context, command []string, dir string, rounds int, w io.Writer) error {
	var starts []time.Duration
	var c *jupyter.Client
	for range max(rounds, 1) {
		if c != nil {
			c.Close()
		}
		began := time.Now()
		var err error
		if c, err = jupyter.StartKernel(command, dir); err != nil {
			return fmt.Errorf("kernel: bench: %w", err)
		}
		if _, err := c.Ask("kernel_info_request", map[string]any{}, time.Minute); err != nil {
			c.Close()
			return fmt.Errorf("kernel: bench: %w", err)
		}
		starts = append(starts, time.Since(began))
	}
	defer func() { c.Close() }()
	fmt.Fprintf(w, "%-28s %8.3f s\n", "start to ready", median(starts).Seconds())
	for _, cell := range benchCells {
		var times []time.Duration
		for round := range rounds + 1 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			began := time.Now()
			_, err := c.Run(fmt.Sprintf("%s\n// %d", cell.code, round), cellTime)
			took := time.Since(began)
			if err != nil && cell.what != "failing compiled cell" {
				fmt.Fprintf(w, "%-28s %v\n", cell.what, err)
				break
			}
			if round > 0 {
				times = append(times, took)
			}
		}
		if len(times) > 0 {
			fmt.Fprintf(w, "%-28s %8.3f s\n", cell.what, median(times).Seconds())
		}
	}
	return nil
}

func median(t []time.Duration) time.Duration {
	t = slices.Sorted(slices.Values(t))
	return t[len(t)/2]
}

// Warm runs the benchmark's cells and one with all packages once in a kernel, so that the build cache holds what cells
// need, by exactly the kernel's flags. A cell that the module cannot have is passed over.
func Warm(ctx context.Context, command []string, dir string, note io.Writer) error {
	c, err := jupyter.StartKernel(command, dir)
	if err != nil {
		return fmt.Errorf("kernel: warm: %w", err)
	}
	defer c.Close()
	for _, cell := range append(benchCells[1:len(benchCells):len(benchCells)], allPackages) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		began := time.Now()
		_, err := c.Run(cell.code, cellTime)
		if err != nil && cell.what != "failing compiled cell" {
			fmt.Fprintf(note, "%s: %v\n", cell.what, err)
			continue
		}
		fmt.Fprintf(note, "%s: %.1f s\n", cell.what, time.Since(began).Seconds())
	}
	began := time.Now() // gopls reads all packages, once
	for range 60 {
		r, err := c.Ask("complete_request", map[string]any{"code": "%%\nfmt.Printl", "cursor_pos": 13}, cellTime)
		if err != nil {
			return fmt.Errorf("kernel: warm: %w", err)
		}
		if !strings.Contains(string(r.Reply.Content), `"`+withoutGopls+`":true`) {
			fmt.Fprintf(note, "completion: %.1f s\n", time.Since(began).Seconds())
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil
}
