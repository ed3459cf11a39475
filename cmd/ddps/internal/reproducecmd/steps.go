package reproducecmd

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/plots"
)

func newStepsCmd(a *cli.App) *cobra.Command {
	var out string
	var seeds int
	var scale float64
	var shard sharding
	cmd := &cobra.Command{
		Use:   "steps",
		Short: "How near samples come by the number of reverse steps",
		Long: "Draw samples in 4 to 256 reverse steps, with each reverse step, from the shipped models of Toy and\n" +
			"Heights, and measure their distance from the data's distribution: unguided, given the greatest of a random\n" +
			"reward, and on Toy under Algorithm 2. The directory gets steps.csv and the figure steps.png; a study that\n" +
			"was stopped resumes.",
		Example: `  ddps reproduce steps
  ddps reproduce steps --seeds 1 --scale 0.1 -o out/steps`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return cli.Usagef("--output is empty")
			}
			if !(scale > 0 && scale <= 1) {
				return cli.Usagef("--scale is %v, must be above 0 and at most 1", scale)
			}
			s := study.NewSteps()
			s.Seeds, s.Scale = seeds, scale
			return shard.run(a, cmd, &out, func() error { return strides(a, cmd.Context(), out, s, &shard) })
		},
	}
	cli.CountVar(cmd, &seeds, "seeds", "", 3, 1, "samples of each kind, by seed from 0")
	cmd.Flags().Float64Var(&scale, "scale", 1, "`share` of the samples to draw, at most 1")
	shard.flag(cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "steps", "`directory` to write to")
	cli.FileFlag(cmd, "output")
	return cmd
}

func strides(a *cli.App, ctx context.Context, dir string, s *study.Steps, sh *sharding) (err error) {
	results, err := openTable[study.StepsRow](a, sh, filepath.Join(dir, "steps.csv"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, results.Close()) }()
	err = s.Run(ctx, results, cli.NewStages(a))
	if errors.Is(err, train.ErrStopped) {
		a.Notef("%s; the same command resumes from there", cli.Message(err))
		return ctx.Err()
	}
	if err != nil || sh.on() {
		return err
	}
	f, err := stridesFigure(results.Rows)
	if err != nil {
		return err
	}
	if err := plots.Save(f, filepath.Join(dir, "steps.png"), 900, 560); err != nil {
		return err
	}
	return cli.PrintTable(a.Stdout, []string{"model", "distribution", "distance", "how", "steps", "mean",
		"of exact draws"},
		stridesCells(results.Rows))
}

// stridesPanels are the panels of the figure, row by row.
var stridesPanels = [][]struct{ title, model, dist, distance, label string }{
	{{"Toy", "toy", query.NoGuide, "L1", "L1"},
		{"Toy, greatest reward", "toy", query.MaxReward, "L1", "L1"},
		{"Toy, Algorithm 2", "toy", query.Algorithm2, "L1", "L1"}},
	{{"Heights, revisits", "heights", query.NoGuide, "revisits", "½L1 of the distribution of revisits"},
		{"Heights, districts", "heights", query.NoGuide, "districts", "½L1 of the distribution of districts"},
		{"Heights, districts, greatest reward", "heights", query.MaxReward, "districts",
			"½L1 of the distribution of districts"}},
}

// stridesFigure draws distances against the number of steps.
func stridesFigure(rows []study.StepsRow) (*plots.Figure, error) {
	var grid [][]*plot.Plot
	for _, line := range stridesPanels {
		var panels []*plot.Plot
		for _, c := range line {
			curves, floor := study.StepsCurves(rows, c.model, c.dist, c.distance)
			s := plots.Sweep{Title: c.title, YLabel: c.label, References: []plots.Reference{{Name: "exact draws", Value: floor}}}
			for _, k := range curves {
				s.Series = append(s.Series, plots.Series{Name: k.Name, X: k.X, Y: k.Y, Err: k.Std})
			}
			p, err := s.Plot()
			if err != nil {
				return nil, err
			}
			p.X.Label.Text = "reverse steps"
			panels = append(panels, p)
		}
		grid = append(grid, panels)
	}
	return plots.NewFigure("", nil, grid)
}

func stridesCells(rows []study.StepsRow) (cells [][]string) {
	for _, model := range study.StepsModels() {
		distances := []string{"districts", "revisits"}
		if model == "toy" {
			distances = []string{"L1"}
		}
		for _, dist := range []string{query.NoGuide, query.MaxReward, query.Algorithm2} {
			for _, d := range distances {
				curves, floor := study.StepsCurves(rows, model, dist, d)
				for _, c := range curves {
					for i, x := range c.X {
						cells = append(cells, []string{model, dist, d, c.Name, cli.Whole(int(x)), cli.Real3(c.Y[i]), cli.Real3(floor)})
					}
				}
			}
		}
	}
	return cells
}
