package pathcmd

import (
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/ram"
)

// makeOptions are the flags of paths make.
type makeOptions struct {
	n, limit         int
	seed             uint64
	how, out, format string
	by               string
}

func newPathsMakeCmd(a *cli.App) *cobra.Command {
	var o makeOptions
	cmd := &cobra.Command{
		Use:   "make GRAPH",
		Short: "Make data: all paths, some drawn uniformly, or with memory",
		Long: "Make data of a graph's paths. all: every path once; uniform: n different ones, all equally\n" +
			"likely; memory: n different ones, repeated by the rule of Heights and Ridge, which a\n" +
			"first-order chain cannot learn (the graph needs places with coordinates); promoter: n draws of\n" +
			"DNA with a −35 and a −10 box at varying distances; starts: n draws, the start by its weight\n" +
			"('ddps graph import --start A=2'), then all paths from it equally likely.",
		Example: `  ddps paths make toy -o toy.csv
  ddps paths make heights -n 120000 --how memory -o heights.jsonl
  ddps paths make town.json -n 5000 --how uniform --seed 3 -o town.csv
  ddps paths make dna -n 20000 --how promoter -o promoters.fasta`,
		Args: cli.WantArgs("GRAPH"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error { return pathsMake(a, cmd, args[0], &o) },
	}
	cli.CountVar(cmd, &o.n, "number", "n", 0, 1, "number of different paths, or of draws")
	cli.ChoiceVar(cmd, &o.how, "how", "", "", []string{"all", "uniform", "memory", "promoter", "starts"},
		"rule, by default all without -n and uniform with it")
	cli.CountVar(cmd, &o.limit, "limit", "", 1_000_000, 1, "for all: refuse graphs with more paths")
	cli.SeedVar(cmd, &o.seed, 0, "seed of the draw")
	pathOutVars(cmd, &o.out, &o.format, &o.by)
	return cmd
}

// pathOutVars adds the flags of a file of paths to write.
func pathOutVars(cmd *cobra.Command, out, format, by *string) {
	cli.OutVar(cmd, out, "`file` to write: .csv, .jsonl, .parquet, .fasta, .geojson (default standard output)",
		cli.PathEndings()...)
	cli.ChoiceVar(cmd, format, "format", "", "", pathfile.Formats(), "format, by default what the ending says")
	cli.ByOutVar(cmd, by, "vertices", "how vertices are written")
}

// pathsMake runs paths make.
func pathsMake(a *cli.App, cmd *cobra.Command, graph string, o *makeOptions) error {
	format, err := cli.PathFormat(o.out, o.format)
	if err != nil {
		return err
	}
	how, drawn := o.how, o.n > 0
	switch {
	case how == "" && drawn:
		how = "uniform"
	case how == "":
		how = "all"
	case how == "all" && drawn:
		return cli.Usagef("--how all takes every path: leave out -n")
	case how != "all" && !drawn:
		return cli.Usagef("--how %s: -n is missing", how)
	}
	if how != "all" && cmd.Flags().Changed("limit") {
		return cli.Usagef("--limit is for --how all, which takes every path")
	}
	if how == "all" && cmd.Flags().Changed("seed") {
		a.Notef("every path is taken, and none drawn: --seed is not used")
	}
	g, err := cli.LoadGraph(graph)
	if err != nil {
		return err
	}
	if err := a.CheckOut(o.out); err != nil {
		return err
	}
	if err := checkMemory(g, how, o); err != nil {
		return err
	}
	d, err := makePaths(g, how, o)
	if err != nil {
		return err
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if err := a.WriteFile(o.out, cli.WritePaths(d, format, cli.Vertices(o.by))); err != nil {
		return err
	}
	a.Notef("%s: %s distinct paths, %s in all", cli.OutName(o.out), cli.Whole(len(d.Paths)), cli.Whole(d.Total()))
	return nil
}

// checkMemory refuses paths, and numbers of paths from each vertex, that do not fit.
func checkMemory(g *ddps.LayeredGraph, how string, o *makeOptions) error {
	n, machine := ddps.NumPaths(g), ram.Machine()
	index := float64(g.NumVertices()) * (float64(n.BitLen())/16 + 64)
	if err := ram.Check(machine, "counts of paths", "a graph of vertices", index, 1); how != "all" && err != nil {
		return fmt.Errorf("%s layers of %s vertices: the numbers of paths from each take %.0f MiB, more than there is "+
			"memory: take fewer layers",
			cli.Whole(g.NumLayers()), cli.Whole(g.NumVertices()), index/(1<<20))
	}
	list := float64(o.n)
	if how == "all" {
		all, _ := new(big.Float).SetInt(n).Float64()
		list = min(all, float64(o.limit))
	}
	flag := "-n"
	if how == "all" {
		flag = "--limit"
	}
	return ram.Check(machine, "paths", flag, list, 2*ram.PathBytes(g.NumLayers()))
}

// makePaths makes data by the rule called how.
func makePaths(g *ddps.LayeredGraph, how string, o *makeOptions) (*datasets.Data, error) {
	if how == "all" {
		return datasets.All(g, o.limit)
	}
	if how == "starts" {
		return drawStarts(g, o)
	}
	if how == "promoter" {
		return datasets.Promoters(g, o.n, o.seed)
	}
	paths, err := datasets.Draw(g, o.n, o.seed)
	if err != nil {
		return nil, err
	}
	d := &datasets.Data{Graph: g, Paths: paths, Counts: make([]int, len(paths))}
	for i := range d.Counts {
		d.Counts[i] = 1
	}
	if how == "memory" {
		m, err := datasets.NewMemory(g, paths)
		if err != nil {
			return nil, err
		}
		d.Counts = m.Counts(g, paths)
	}
	return d, nil
}

// drawStarts draws paths, the start by its weight, and adds up equal ones.
func drawStarts(g *ddps.LayeredGraph, o *makeOptions) (*datasets.Data, error) {
	paths, err := slots.Draw(g, o.n, o.seed)
	if err != nil {
		return nil, err
	}
	d, at := &datasets.Data{Graph: g}, map[string]int{}
	for _, p := range paths {
		key := fmt.Sprint(p)
		k, seen := at[key]
		if !seen {
			k = len(d.Paths)
			at[key] = k
			d.Paths, d.Counts = append(d.Paths, p), append(d.Counts, 0)
		}
		d.Counts[k]++
	}
	return d, nil
}
