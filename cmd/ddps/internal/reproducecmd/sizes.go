package reproducecmd

import (
	"context"
	"errors"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/plots"
)

func newSizesCmd(a *cli.App) *cobra.Command {
	var out string
	var most int
	cmd := &cobra.Command{
		Use:   "sizes",
		Short: "Time and memory against the size of a graph",
		Long: "Measure what loading, pruning, counting, conditioning and drawing a path take on made-up cities\n" +
			"of 10³ to 10⁶ vertices, on one thread. The folder gets sizes.csv and the figure sizes.png; rows\n" +
			"that are there already are not measured again.",
		Example: `  ddps reproduce sizes
  ddps reproduce sizes --most 100000 -o out/sizes`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return cli.Usagef("--output is empty")
			}
			return sizes(a, cmd.Context(), out, most)
		},
	}
	cli.CountVar(cmd, &most, "most", "", 2_000_000, 1, "leave out graphs of more vertices")
	cmd.Flags().StringVarP(&out, "output", "o", "sizes", "`folder` to write to")
	cli.FileFlag(cmd, "output")
	return cmd
}

// sizeAbout is how many vertices a city has per depth³, generously.
const sizeAbout = 0.75

func sizes(a *cli.App, ctx context.Context, dir string, most int) (err error) {
	ledger, err := experiment.OpenLedger[experiment.SizeRow](filepath.Join(dir, "sizes.csv"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	done := map[int]int{} // layers → steps measured
	for _, r := range ledger.Rows {
		done[r.Layers]++
	}
	var depths []int
	for _, d := range experiment.SizeDepths() {
		if done[d] < len(experiment.SizeSteps()) && sizeAbout*math.Pow(float64(d), 3) <= float64(most) {
			depths = append(depths, d)
		}
	}
	p := a.NewProgress("measurements", 0, len(depths)*len(experiment.SizeSteps()))
	defer p.Done()
	n := 0
	err = experiment.Sizes(ctx, depths, func(r experiment.SizeRow) error {
		n++
		p.Set(n, cli.Whole(r.Vertices)+" vertices")
		if done[r.Layers] > 0 { // measured before it was stopped
			done[r.Layers]--
			return nil
		}
		return ledger.Add(r)
	})
	if err != nil {
		return err
	}
	p.Done()
	f, err := sizesFigure(ledger.Rows)
	if err != nil {
		return err
	}
	if err := plots.Save(f, filepath.Join(dir, "sizes.png"), 600, 300); err != nil {
		return err
	}
	return cli.PrintTable(a.Stdout, []string{"vertices", "edges", "step", "seconds", "MiB", "ns an edge"}, sizesCells(ledger.Rows))
}

func sizesCells(rows []experiment.SizeRow) (cells [][]string) {
	for _, r := range rows {
		cells = append(cells, []string{cli.Whole(r.Vertices), cli.Whole(r.Edges), r.Step, cli.Real3(r.Seconds), cli.Real3(r.MiB), cli.Real3(1e9 * r.Seconds / float64(r.Edges))})
	}
	return cells
}

// sizesFigure draws time and memory against the number of vertices.
func sizesFigure(rows []experiment.SizeRow) (*plots.Figure, error) {
	panel := func(label string, value func(experiment.SizeRow) float64) (plots.Training, *plot.Plot, error) {
		t := plots.Training{YLabel: label, LogX: true, LogY: true}
		for _, step := range experiment.SizeSteps() {
			s := plots.Series{Name: step}
			for _, r := range rows {
				if r.Step == step {
					s.X, s.Y = append(s.X, float64(r.Vertices)), append(s.Y, value(r))
				}
			}
			t.Evals = append(t.Evals, s)
		}
		p, err := t.Plot()
		if err == nil {
			p.X.Label.Text = "vertices"
		}
		return t, p, err
	}
	t, left, err := panel("seconds", func(r experiment.SizeRow) float64 { return r.Seconds })
	if err != nil {
		return nil, err
	}
	_, right, err := panel("MiB allocated", func(r experiment.SizeRow) float64 { return r.MiB })
	if err != nil {
		return nil, err
	}
	return plots.NewFigure("", t, [][]*plot.Plot{{left, right}})
}
