package modelcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
)

// evaluateOptions are the flags of evaluate.
type evaluateOptions struct {
	graph, by, reward string
	given, test       string
	aliases, figure   string
	sample            sampleOptions
	givenMax, json    bool
	paper             bool
	reps              int
	walks             cli.WalkFlags
}

// NewEvaluate returns the command ddps evaluate.
func NewEvaluate(a *cli.App) *cobra.Command {
	var o evaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate RUN [FILE] | evaluate --graph GRAPH REFERENCE FILE",
		Short: "Compare samples with data, and a model with walks it has not seen",
		Long: "Compare samples with a reference: the data of a run (RUN), of --test, or a file. First the model's " +
			"negative\n" +
			"log-likelihood (NLL) of validation or test walks and how often it predicts their next place; then lengths,\n" +
			"starts, ends, returns and the use of edges, each beside its sampling floor, the distance that samples of\n" +
			"the reference of the same size show; then the paper's metrics, those of whole paths where there are more\n" +
			"samples than paths. Samples are those of FILE, or drawn from the model. Samples drawn under a condition are\n" +
			"compared with the paths of the reference that meet it (--given); those of the model are drawn given it, as\n" +
			"'ddps sample --where' does. The NLL is that of all validation or test walks, without the condition. Where a\n" +
			"stack was then fitted again to all walks, its NLL from before that is printed, too.\n" +
			"The flags of reading walks are of --test where it is given, else of the files.",
		Example: `  ddps evaluate shipped:toy -n 4096
  ddps evaluate runs/walks --test later.csv
  ddps evaluate runs/toy guided.csv --reward random:4 --given 'max(reward)'
  ddps evaluate --graph heights held.csv samples.csv`,
		Args: cli.WantArgs("RUN", "[FILE]"),
		RunE: func(cmd *cobra.Command, args []string) error { return evaluate(a, cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "`graph` of two files of paths: a file or a name")
	cli.ByVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	f.StringVar(&o.reward, "reward", "", "`reward` to report: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.StringVar(&o.given, "given", "", "`condition` on the reference and on what is drawn, that of the samples of FILE; "+
		"docs/conditions.md has the grammar")
	f.BoolVar(&o.givenMax, "given-max", false, "condition on the greatest reward, as --given 'max(reward)'")
	aliasVar(cmd, &o.aliases)
	settingsVar(a, cmd)
	f.StringVar(&o.test, "test", "", "`file` of walks to compare with, and to predict, in place of the run's data")
	cli.FileFlag(cmd, "test")
	f.BoolVar(&o.paper, "paper", false, "the paper's metrics for walks of any length, too (slow on large data)")
	cli.CountVar(cmd, &o.sample.n, "number", "n", 4096, 1, "number of paths to draw where there is no FILE")
	cli.CountVar(cmd, &o.sample.steps, "steps", "S", 0, 0, stepsUsage)
	cli.SeedVar(cmd, &o.sample.seed, 0, "seed of the draw and the sampling floors")
	cli.CountVar(cmd, &o.reps, "floor-draws", "", 20, 0, "draws behind each sampling floor; 0 leaves floors out")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.figure, "figure", "", "picture `file` to write too: the use of edges by the reference and the samples "+
		"(.png, .svg, .pdf)")
	cli.FileFlag(cmd, "figure", cli.PictureEndings()...)
	cli.Outputs(cmd, "figure")
	cli.Inputs(cmd, "graph", "reward")
	o.walks.ReadVars(cmd)
	return cmd
}

// maxReps is the most draws behind a sampling floor.
const maxReps = 1_000_000

// subject is what evaluate compares.
type subject struct {
	target     *compare.Target
	paths      []ddps.Path
	u          []float64
	next       *nextScore // of the model, nil where there is none
	impossible int        // walks of the file of samples that are no path of the graph

	meets func(ddps.Path) bool // --given; nil without it
}

func evaluate(a *cli.App, cmd *cobra.Command, args []string, o *evaluateOptions) error {
	switch {
	case o.givenMax && o.reward == "":
		return cli.Usagef("--given-max needs a --reward")
	case o.givenMax && o.given != "":
		return cli.Usagef("--given-max is --given 'max(reward)': give one of them")
	case o.aliases != "" && o.given == "":
		return cli.Usagef("--aliases are for --given")
	case o.graph != "" && o.test != "":
		return cli.Usagef("--test is of a RUN: with --graph the first file is the reference")
	}
	if reading, _ := o.walks.Given(cmd); len(reading) > 0 && len(args) == 1 && o.test == "" {
		return cli.Usagef("%s: of files of walks, and there is neither FILE nor --test", strings.Join(reading, ", "))
	}
	if o.figure != "" {
		if err := cli.CheckPicture(o.figure); err != nil {
			return err
		}
		if err := a.CheckOut(o.figure); err != nil {
			return err
		}
	}
	if o.reps > maxReps {
		return cli.Usagef("--floor-draws: want %s or less", cli.Whole(maxReps))
	}
	if o.graph == "" && len(args) == 2 && (cmd.Flags().Changed("number") || cmd.Flags().Changed("steps")) {
		return cli.Usagef("--number and --steps are for samples drawn from the model, here they are those of %s", args[1])
	}
	if o.graph == "" && len(args) == 1 && (query.Guide{Where: o.given}).Weighs() {
		return cli.Usagef("--given %s: it weighs paths, and the reference's are not weighed by it: give a FILE of samples",
			o.given)
	}
	var s *subject
	var err error
	if o.graph != "" {
		if len(args) != 2 {
			return cli.Usagef("--graph goes with two files of paths, the target and the samples")
		}
		s, err = twoFiles(a, cmd, args, o)
	} else {
		s, err = runAndFile(a, cmd, args, o)
	}
	if err != nil {
		return err
	}
	var list []compare.Metric
	if !s.target.Graph.Walks() || o.paper {
		if list, err = s.metrics(a, cmd.Context(), o); err != nil {
			return err
		}
	}
	end := a.Working("comparing lengths, ends and the use of edges")
	features, err := compare.Features(cmd.Context(), s.target, s.paths, o.reps, o.sample.seed)
	end()
	if err != nil {
		return err
	}
	if o.figure != "" {
		if err := s.writeFigure(a, o.figure); err != nil {
			return err
		}
	}
	if o.json {
		return evaluateJSON(a, s, features, list)
	}
	if err := evaluateTable(a, s, features, list); err != nil {
		return err
	}
	switch {
	case s.meets != nil:
		s.noteUnmet(a)
	case !o.givenMax:
		suggestGiven(a, s)
	}
	return nil
}
