// Command clusterplan draws docs/scale.png: what was measured of one and two workers (docs/scale.md), and by that how
// long counting takes and what is shuffled by more of them. Nothing is run.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/plots"
)

// What was measured on Heights: 12 layers, 1,217,906 paths.
const (
	rowSeconds   = 2.7e-6  // of CPU a row, counted on Beam
	pathSeconds  = 0.8e-6  // of CPU at most a distinct path of a block: all that Beam takes beyond the core
	blockRows    = 625_000 // of a block of 64 MiB of CSV
	blockPaths   = 380_000 // distinct ones among them
	pathBytes    = 26      // of a path with its count
	parts        = 64      // that are merged apart
	startSeconds = 60      // that a cluster takes to start workers
)

// none is a value that was not measured.
var none = math.NaN()

// measured are CPU seconds and memory in GB of 10⁷ rows: sampling, counting, fitting, evaluating.
var measured = []struct {
	name        string
	cpu, memory []float64
}{
	{"core, 1 worker", []float64{16.8, 24.2, 28.2, none}, []float64{.073, .385, .173, none}},
	{"core, 2 workers", []float64{17.2, 23.8, 29.7, none}, []float64{.072, .525, .177, none}},
	{"Beam, 1 worker", []float64{16.8, 23.9, 22.1, 28.9}, []float64{.174, 2.4, 2.1, 2.6}},
	{"Beam, 2 workers", []float64{17.7, 26.7, 26.9, 30.3}, []float64{.189, 2.1, 1.8, 2.7}},
}

// seconds returns how long rows take on workers: blocks go to whoever is free, and the last one is waited for; then
// the parts are merged.
func seconds(rows, workers float64) float64 {
	blocks := math.Ceil(rows / blockRows)
	rounds := math.Ceil(blocks / workers)
	merged := blocks * blockPaths * pathSeconds / math.Min(workers, parts)
	return startSeconds + rounds*blockRows*rowSeconds + merged
}

// shuffled returns the bytes that each worker sends.
func shuffled(rows, workers float64) float64 {
	return math.Ceil(rows/blockRows) * blockPaths * pathBytes / workers
}

func figure() (*plots.Figure, error) {
	var time, bytes []plots.Series
	for k := 9; k <= 11; k++ {
		a := plots.Series{Name: fmt.Sprintf("10^%d walks", k)}
		b := a
		for e := 0.0; e <= 4.01; e += .125 {
			w := math.Round(math.Pow(10, e))
			a.X, a.Y = append(a.X, w), append(a.Y, seconds(math.Pow10(k), w)/3600)
			b.X, b.Y = append(b.X, w), append(b.Y, shuffled(math.Pow10(k), w)/1e6)
		}
		time, bytes = append(time, a), append(bytes, b)
	}
	var row []*plot.Plot
	for _, s := range []plots.Sweep{
		{Title: "Counting, on paper", YLabel: "hours", Series: time, LogY: true},
		{Title: "Shuffle, on paper", YLabel: "MB that a worker sends", Series: bytes, LogY: true},
	} {
		p, err := s.Plot()
		if err != nil {
			return nil, err
		}
		p.X.Label.Text = "workers"
		row = append(row, p)
	}
	top, err := measuredPlots()
	if err != nil {
		return nil, err
	}
	return plots.NewFigure("", nil, [][]*plot.Plot{top, row})
}

// measuredPlots are the charts of what was measured.
func measuredPlots() (row []*plot.Plot, err error) {
	work := []string{"sample", "count", "fit", "evaluate"}
	cpu := plots.Bars{Title: "Measured: 10^7 walks", YLabel: "CPU seconds", Categories: work}
	memory := plots.Bars{Title: "Measured: 10^7 walks", YLabel: "memory, GB", Categories: work}
	for _, m := range measured {
		cpu.Series = append(cpu.Series, plots.BarSeries{Name: m.name, Values: m.cpu})
		memory.Series = append(memory.Series, plots.BarSeries{Name: m.name, Values: m.memory})
	}
	for _, b := range []plots.Bars{cpu, memory} {
		p, err := b.Plot()
		if err != nil {
			return nil, err
		}
		row = append(row, p)
	}
	return row, nil
}

func main() {
	out := flag.String("o", "../docs/scale.png", "file to write")
	flag.Parse()
	f, err := figure()
	if err == nil {
		err = plots.Save(f, *out, 900, 760)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "clusterplan:", err)
		os.Exit(1)
	}
}
