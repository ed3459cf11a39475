package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/experiment"
)

// scoreOptions are the flags of score.
type scoreOptions struct {
	steps, draws int
	seed         uint64
	by, out      string
}

func newScoreCmd(a *app) *cobra.Command {
	var o scoreOptions
	cmd := &cobra.Command{
		Use:   "score RUN FILE",
		Short: "Tell how likely each path of a file is under a model",
		Long: "Tell how likely each path of a file is under a model, in nats: an upper bound on −log p(path),\n" +
			"with its standard error over draws of the noise, beside the fitted chain's −log p. Low is likely.\n" +
			"The result is CSV: the path, bound, stderr, chain, and bound − chain.",
		Example: `  ddps score runs/heights plans.csv -o scores.csv
  ddps score runs/toy plans.csv --steps 64 --draws 16`,
		Args: wantArgs("RUN", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.score(cmd, args[0], args[1], &o) },
	}
	countVar(cmd, &o.steps, "steps", "S", d3pm.DefaultSteps, 1, "reverse steps S")
	countVar(cmd, &o.draws, "draws", "", 8, 1, "draws of the noise, a path")
	seedVar(cmd, &o.seed, 0, "seed of the noise")
	byVar(cmd, &o.by, "vertices", "how FILE, if CSV, calls vertices")
	outVar(cmd, &o.out, "`file` to write (default standard output)", "csv")
	return cmd
}

func (a *app) score(cmd *cobra.Command, run, file string, o *scoreOptions) error {
	if err := a.checkOut(o.out); err != nil {
		return err
	}
	m, r, err := experiment.Open(run, a.warn)
	if err != nil {
		return err
	}
	full := m.Graph
	if r != nil {
		full = r.Data.Graph
	}
	d, err := a.readPaths(file, full, o.by)
	if err != nil {
		return err
	}
	paths := d.Prune().Paths
	if r == nil {
		paths = d.Paths
	}
	b := &d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Steps: o.steps, Draws: o.draws}
	p := a.newProgress("paths scored", 0, len(paths))
	b.Progress = func(done, _ int) { p.Set(done, "") }
	nats, err := b.Score(cmd.Context(), paths, o.seed)
	p.Done()
	if err != nil {
		return err
	}
	chain := make([]float64, len(paths))
	diff, n := 0.0, 0.0
	for i, p := range paths {
		lp, err := m.Chain.LogProb(p)
		if err != nil {
			return err
		}
		chain[i] = 0 - lp // not −0
		diff += float64(d.Counts[i]) * (nats[i].Mean + lp)
		n += float64(d.Counts[i])
	}
	if err := a.writeFile(o.out, func(w io.Writer) error { return writeScores(w, m.Graph, paths, nats, chain) }); err != nil {
		return err
	}
	if !math.IsNaN(diff) && !math.IsInf(diff, 0) {
		what := "bound"
		if m.Law() != nil {
			what = "−log p, exact without a network,"
		}
		a.notef("the model's %s lies %.4f nats a path %s the chain's −log p", what, math.Abs(diff/n), belowOrAbove(diff))
	}
	return nil
}

func belowOrAbove(x float64) string {
	if x < 0 {
		return "below"
	}
	return "above"
}

// writeScores writes a row a path.
func writeScores(w io.Writer, g *ddps.LayeredGraph, paths []ddps.Path, nats []d3pm.Nats, chain []float64) error {
	c := csv.NewWriter(w)
	var row []string
	for l := range g.NumLayers() {
		row = append(row, fmt.Sprintf("v%d", l+1))
	}
	c.Write(append(row, "bound", "stderr", "chain", "difference")) // its error stays and shows below
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "" // unknown
		}
		return strconv.FormatFloat(x, 'f', 6, 64)
	}
	for i, p := range paths {
		row = row[:0]
		for _, v := range p {
			row = append(row, g.Name(v))
		}
		c.Write(append(row, number(nats[i].Mean), number(nats[i].StdErr), number(chain[i]), number(nats[i].Mean-chain[i])))
	}
	c.Flush()
	return c.Error()
}
