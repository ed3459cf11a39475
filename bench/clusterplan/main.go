// Command clusterplan draws docs/scale.png: how long counting takes and what is shuffled by the number of workers, by
// what was measured of one worker (docs/scale.md). Nothing is run.
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
	rowSeconds   = 2.8e-6  // of CPU a row, counted on Beam
	pathSeconds  = 0.8e-6  // of CPU at most a distinct path of a block: all that Beam takes beyond the core
	blockRows    = 625_000 // of a block of 64 MiB of CSV
	blockPaths   = 380_000 // distinct ones among them
	pathBytes    = 26      // of a path with its count
	parts        = 64      // that are merged apart
	startSeconds = 60      // that a cluster takes to start workers
)

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
		{Title: "Counting", YLabel: "hours", Series: time, LogY: true},
		{Title: "Shuffle", YLabel: "MB that a worker sends", Series: bytes, LogY: true},
	} {
		p, err := s.Plot()
		if err != nil {
			return nil, err
		}
		p.X.Label.Text = "workers"
		row = append(row, p)
	}
	return plots.NewFigure("", nil, [][]*plot.Plot{row})
}

func main() {
	out := flag.String("o", "../docs/scale.png", "file to write")
	flag.Parse()
	f, err := figure()
	if err == nil {
		err = plots.Save(f, *out, 900, 380)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "clusterplan:", err)
		os.Exit(1)
	}
}
