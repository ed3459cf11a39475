package reproducecmd

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study/table1"
	"github.com/ddps-go/ddps/ddps/train"
	"github.com/ddps-go/ddps/plots"
)

// validityOptions are the flags of reproduce validity.
type validityOptions struct {
	graph, preset, backend, out string
	samples, train              int
	lambdas                     []float64 // nil: the preset's
	seed                        uint64
	dryRun                      bool
	shard                       *sharding
}

func newValidityCmd(a *cli.App) *cobra.Command {
	o := validityOptions{shard: new(sharding)}
	var size baselineSize
	cmd := &cobra.Command{
		Use:   "validity",
		Short: "How many samples are paths under guidance, of DDPS and SwinGNN",
		Long: "Measure the paper's figure 3: the share of samples that are paths, of DDPS and of SwinGNN (Yan et al.\n" +
			"2024), both trained on four fifths of the 1,350 paths of RQ1, and guided with growing guidance scale λ to a\n" +
			"reward of 1 for one edge. SwinGNN is guided by the gradient of the noisy sample's reward, as in the\n" +
			"paper, and by that of the denoised sample's, through the network. Rows go to validity.csv, what SwinGNN\n" +
			"has learned at each checkpoint to swingnn.csv, figures beside them. A study that was stopped resumes.\n" +
			"--graph example takes the ten paths of the example graph instead, in minutes and without XLA.",
		Example: `  ddps reproduce validity --backend xla:cpu
  ddps reproduce validity --preset paper --backend xla:cuda -o out/validity`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.graph, o.preset = size.of(a, cmd)
			if o.dryRun {
				return dryRun(a, cmd.Context(), func() ([]estimator, error) {
					return []estimator{o.estimator(false)}, nil
				})
			}
			return o.shard.run(a, cmd, &o.out, func() error { return validity(a, cmd.Context(), &o) })
		},
	}
	size.flags(cmd)
	cmd.Flags().StringVar(&o.backend, "backend", "auto", "`name` of what SwinGNN runs on: go, xla:cpu, xla:cuda, auto")
	cli.CompleteWords(cmd, "backend", "go", "xla:cpu", "xla:cuda", "auto")
	cli.CountVar(cmd, &o.samples, "samples", "n", 0, 0, "samples of each method and λ; 0: the preset's")
	cli.CountVar(cmd, &o.train, "train-steps", "", 0, 0, "training steps of both networks; 0: the preset's")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the split, training and samples")
	o.shard.flag(cmd)
	dryRunVar(cmd, &o.dryRun)
	cmd.Flags().StringVarP(&o.out, "output", "o", "validity", "`directory` to write to")
	cli.FileFlag(cmd, "output")
	return cmd
}

// study returns the study that the flags ask for.
func (o *validityOptions) study() (*table1.Validity, error) {
	v, err := table1.NewValidity(o.graph, o.preset, o.backend, o.seed)
	if err != nil {
		return nil, err
	}
	if o.samples > 0 {
		v.Samples = o.samples
	}
	if o.lambdas != nil {
		v.Lambdas = o.lambdas
	}
	if o.train > 0 {
		v.Swin.Train, v.Config.Train.Steps = v.Swin.Train.WithSteps(o.train), o.train
	}
	return v, nil
}

func validity(a *cli.App, ctx context.Context, o *validityOptions) (err error) {
	if o.out == "" {
		return cli.Usagef("--output is empty")
	}
	v, err := o.study()
	if err != nil {
		return err
	}
	rows, err := openTable[table1.ValidityRow](a, o.shard, filepath.Join(o.out, "validity.csv"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	curve, err := openTable[table1.SwinRow](a, o.shard, filepath.Join(o.out, swinFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, curve.Close()) }()
	err = a.Costed(ctx, o.out, "figure 3", o.preset, func() int { return len(rows.Rows) + len(curve.Rows) }, func() error {
		return v.Run(ctx, o.out, rows, curve, cli.NewStages(a))
	})
	if errors.Is(err, train.ErrStopped) || err != nil && ctx.Err() != nil {
		a.Notef("%s; the same command resumes from there", cli.Message(err))
		return ctx.Err()
	}
	if err != nil || o.shard.on() {
		return err
	}
	list := slices.DeleteFunc(slices.Clone(rows.Rows), func(r table1.ValidityRow) bool {
		return r.Seed != o.seed || r.Samples != v.Samples
	})
	if err := validityFigures(a, o, list, curve.Rows); err != nil {
		return err
	}
	return cli.PrintTable(a.Stdout, validityHeader, validityCells(list))
}

// swinFile holds the rows of SwinGNN's training.
const swinFile = "swingnn.csv"

// validityFigures draws validity.png, and swinFigure.
func validityFigures(a *cli.App, o *validityOptions, rows []table1.ValidityRow, curve []table1.SwinRow) error {
	p, err := plots.Sweep{Title: "Samples that are paths, guided to an edge of " + baselineGraphName(o.graph),
		YLabel: "valid rate",
		Series: validitySeries(rows)}.Plot()
	if err != nil {
		return err
	}
	if err := a.SavePlot(filepath.Join(o.out, "validity.png"), p); err != nil {
		return err
	}
	return swinFigure(a, o.out, o.graph, curve)
}

// swinFigure draws swingnn.png, where SwinGNN was trained here.
func swinFigure(a *cli.App, out, graph string, curve []table1.SwinRow) error {
	if curve = table1.MainTraining(curve); len(curve) == 0 {
		return nil
	}
	s := plots.Series{Name: "SwinGNN"}
	for _, r := range curve {
		s.X, s.Y, s.Err, s.Down = append(s.X, float64(r.Step)), append(s.Y, r.Valid), append(s.Err, r.High-r.Valid),
			append(s.Down, r.Valid-r.Low)
	}
	p, err := plots.Training{Title: "Samples that are paths, in training on " + baselineGraphName(graph),
		YLabel: "valid rate", Evals: []plots.Series{s}}.Plot()
	if err != nil {
		return err
	}
	return a.SavePlot(filepath.Join(out, "swingnn.png"), p)
}

// baselineGraphName is what a graph is called in figures.
func baselineGraphName(graph string) string {
	if graph == table1.GraphExample {
		return "the example graph"
	}
	return "RQ1"
}

// validitySeries are the valid rates, a series a method.
func validitySeries(rows []table1.ValidityRow) (list []plots.Series) {
	for _, r := range rows {
		i := slices.IndexFunc(list, func(s plots.Series) bool { return s.Name == r.Method })
		if i < 0 {
			i, list = len(list), append(list, plots.Series{Name: r.Method})
		}
		s := &list[i]
		s.X, s.Y, s.Err, s.Down = append(s.X, r.Lambda), append(s.Y, r.Valid), append(s.Err, r.High-r.Valid),
			append(s.Down, r.Valid-r.Low)
	}
	return list
}

var validityHeader = []string{"method", "λ", "valid", "has the edge", "both", "edge not in G", "extra edges", "broken",
	"scattered"}

func validityCells(rows []table1.ValidityRow) (cells [][]string) {
	for _, r := range rows {
		c := []string{r.Method, cli.Real3(r.Lambda), cli.Percent(r.Valid)}
		for _, x := range []float64{r.Reward, r.Both, r.Foreign, r.Extra, r.Broken, r.Scattered} {
			c = append(c, cli.Percent(x))
		}
		cells = append(cells, c)
	}
	return cells
}
