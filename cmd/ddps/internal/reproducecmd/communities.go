package reproducecmd

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/plots"
)

func newCommunitiesCmd(a *cli.App) *cobra.Command {
	var c experiment.Communities
	var out string
	cmd := &cobra.Command{
		Use:   "communities",
		Short: "What EDP-GNN learns where its publication says it does",
		Long: "Train the EDP-GNN of table 1 on 80 graphs of two communities, like the data set community_small of its\n" +
			"publication, and measure how far its samples are from 20 such graphs held out: discrepancies (MMD) of\n" +
			"degrees, clustering and orbits, in brackets those between the graphs trained on and held out. The data are twice made:\n" +
			"with halves that are the same two graphs in all graphs of a size, as the published program makes them, and with halves\n" +
			"of each graph's own. --preset paper takes the published settings and wants a GPU; cpu takes fewer steps, for two\n" +
			"cores with XLA (ddps backend install xla:cpu); quick takes a small network, a minute with XLA, a quarter of an hour without.\n" +
			"Results are rows of communities.csv, communities.md and communities.png, some graphs; a study that was stopped goes on, and finds what is there.",
		Example: "  ddps reproduce communities -o out/rivals\n  ddps reproduce communities --preset paper --backend xla:cuda -o out/rivals",
		Args:    cli.WantArgs(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return communities(a, cmd.Context(), &c, out) },
	}
	cli.ChoiceVar(cmd, &c.Preset, "preset", "", experiment.PresetCPU, experiment.RivalPresets(), "size")
	cli.SeedVar(cmd, &c.Seed, 0, "seed of the graphs, weights, training and samples")
	cli.CountVar(cmd, &c.Samples, "samples", "n", 0, 0, "samples (default as the preset says)")
	cli.CountVar(cmd, &c.Train, "train-steps", "", 0, 0, "training steps; 0: the preset's")
	cmd.Flags().StringVar(&c.Backend, "backend", "auto", "`name` of what EDP-GNN runs on: go, xla:cpu, xla:cuda, auto")
	cli.CompleteWords(cmd, "backend", "go", "xla:cpu", "xla:cuda", "auto")
	cmd.Flags().StringVarP(&out, "output", "o", "communities", "`folder` to write to")
	cli.FileFlag(cmd, "output")
	return cmd
}

func communities(a *cli.App, ctx context.Context, c *experiment.Communities, out string) error {
	if out == "" {
		return cli.Usagef("--output is empty")
	}
	rows, err := rivalRowsOf(ctx, a, c.Backend, filepath.Join(out, "communities.csv"), "communities", c.Preset, func(to *experiment.Ledger[experiment.CommunitiesRow], w experiment.Watch) ([]experiment.CommunitiesRow, error) {
		return c.Run(ctx, out, to, w)
	})
	if err != nil {
		return err
	}
	cells := communitiesCells(rows)
	if err := writeMarkdown(filepath.Join(out, "communities.md"), communitiesHeader, cells); err != nil {
		return err
	}
	if err := communitiesFigure(a, c, out, rows); err != nil {
		return err
	}
	a.Notef("seed %d; the least losses are those of scores that know a graph's density, or its halves, and read entry by entry", c.Seed)
	return cli.PrintTable(a.Stdout, communitiesHeader, cells)
}

// communitiesFigure draws graphs trained on and samples of each row.
func communitiesFigure(a *cli.App, c *experiment.Communities, out string, rows []experiment.CommunitiesRow) error {
	const n = 5
	var panels [][]plots.Ring
	for _, r := range rows {
		samples, err := c.Sampled(out, r, min(n, r.Samples))
		if err != nil {
			return err
		}
		train, _ := c.Graphs(r.Data)
		for what, list := range [][]baselines.Graph{train[:len(samples)], samples} {
			var row []plots.Ring
			for _, g := range list {
				row = append(row, ring(g))
			}
			row[0].Title = strings.TrimSuffix(r.Data, " halves") + [...]string{", trained on", ", sampled"}[what]
			panels = append(panels, row)
		}
	}
	f, err := plots.Rings("", panels)
	if err != nil {
		return err
	}
	return a.SavePlot(filepath.Join(out, "communities.png"), f)
}

// ring is the picture of a graph by its halves.
func ring(g baselines.Graph) plots.Ring {
	packed, order, side := experiment.HalvesOf(g)
	r := plots.Ring{Order: order, Side: side}
	for _, e := range packed.Edges {
		r.Edges = append(r.Edges, [2]int{e.U, e.V})
	}
	return r
}

var communitiesHeader = []string{"graphs", "steps", "weights", "held-out loss", "least by density", "by halves", "degree MMD", "clustering MMD", "orbit MMD",
	"samples", "chosen", "training", "sampling"}

// communitiesCells are the rows of the table, the last the publication's.
func communitiesCells(rows []experiment.CommunitiesRow) (cells [][]string) {
	of := func(x, floor float64) string { return cli.Real3(x) + " (" + cli.Real3(floor) + ")" }
	for _, r := range rows {
		cells = append(cells, []string{r.Data, cli.Whole(r.Steps) + " of " + cli.Whole(r.Batch), cli.Whole(r.Weights), cli.Real3(r.HeldLoss), cli.Real3(r.Independent), cli.Real3(r.Halves),
			of(r.Degree, r.DegreeFloor), of(r.Clustering, r.ClusteringFloor), of(r.Orbit, r.OrbitFloor), cli.Whole(r.Samples), r.Chosen,
			cli.Real3(r.TrainSeconds) + " s", cli.Real3(r.SampleSeconds) + " s"})
	}
	return append(cells, []string{"Niu et al. 2020", "15,000 of 32", "", "", "", "", "0.053", "0.144", "0.026", "1,024", "", "", ""})
}
