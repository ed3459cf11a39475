package modelcmd

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/run"
)

// evaluateOptions are the flags of evaluate.
type evaluateOptions struct {
	graph, by, reward string
	given, test       string
	aliases           string
	sample            sampleOptions
	givenMax, json    bool
	paper             bool
	reps              int
}

// NewEvaluate returns the command ddps evaluate.
func NewEvaluate(a *cli.App) *cobra.Command {
	var o evaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate RUN [FILE] | evaluate --graph GRAPH REFERENCE FILE",
		Short: "Compare samples with data, and a model with walks it has not seen",
		Long: "Compare samples with a reference: the data of a run (RUN), of --test, or a file. First the model's negative\n" +
			"log-likelihood (NLL) of validation or test walks and how often it predicts their next place; then lengths,\n" +
			"starts, ends, returns and the use of edges, each beside its sampling floor, the distance that samples of\n" +
			"the reference of the same size show; then the paper's metrics, those of whole paths where there are more\n" +
			"samples than paths. Samples are those of FILE, or drawn from the model. Samples drawn under a condition are\n" +
			"compared with the paths of the reference that meet it (--given).",
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
	f.StringVar(&o.given, "given", "", "`condition` on the reference, that of the samples; docs/conditions.md has the grammar")
	f.BoolVar(&o.givenMax, "given-max", false, "condition the reference on the greatest reward, as --given 'max(reward)'")
	aliasVar(cmd, &o.aliases)
	f.StringVar(&o.test, "test", "", "`file` of walks to compare with, and to predict, in place of the run's data")
	cli.FileFlag(cmd, "test")
	f.BoolVar(&o.paper, "paper", false, "the paper's metrics for walks of any length, too (slow on large data)")
	cli.CountVar(cmd, &o.sample.n, "number", "n", 4096, 1, "number of paths to draw where there is no FILE")
	cli.CountVar(cmd, &o.sample.steps, "steps", "S", 0, 0, stepsUsage)
	cli.SeedVar(cmd, &o.sample.seed, 0, "seed of the draw and the sampling floors")
	cli.CountVar(cmd, &o.reps, "floor-draws", "", 20, 0, "draws behind each sampling floor; 0 leaves floors out")
	f.BoolVar(&o.json, "json", false, "print JSON")
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
	if o.reps > maxReps {
		return cli.Usagef("--floor-draws: want %s or less", cli.Whole(maxReps))
	}
	if o.graph == "" && len(args) == 2 && (cmd.Flags().Changed("number") || cmd.Flags().Changed("steps")) {
		return cli.Usagef("--number and --steps are for samples drawn from the model, here they are those of %s", args[1])
	}
	var s *subject
	var err error
	if o.graph != "" {
		if len(args) != 2 {
			return cli.Usagef("--graph goes with two files of paths, the target and the samples")
		}
		s, err = twoFiles(a, args, o)
	} else {
		s, err = runAndFile(a, cmd, args, o)
	}
	if err != nil {
		return err
	}
	told, end := func(int, int) {}, func() {}
	paper := !s.target.Graph.Walks() || o.paper
	if o.reps > 0 && paper {
		p := a.NewProgress("sampling floors", 0, o.reps)
		told, end = func(done, _ int) { p.Set(done, "") }, p.Done
	}
	var list []compare.Metric
	if paper {
		list, err = compare.Evaluate(cmd.Context(), s.target, s.paths, o.reps, o.sample.seed, told)
	}
	end()
	if err != nil {
		return err
	}
	features, err := compare.Features(cmd.Context(), s.target, s.paths, o.reps, o.sample.seed)
	if err != nil {
		return err
	}
	if o.json {
		return evaluateJSON(a, s, features, list)
	}
	if err := evaluateTable(a, s, features, list); err != nil {
		return err
	}
	if o.given == "" && !o.givenMax {
		suggestGiven(a, s)
	}
	return nil
}

// twoFiles reads the target and the samples from files.
func twoFiles(a *cli.App, args []string, o *evaluateOptions) (*subject, error) {
	g, err := cli.LoadGraph(o.graph)
	if err != nil {
		return nil, err
	}
	data, err := a.ReadPaths(args[0], g, o.by)
	if err != nil {
		return nil, err
	}
	s, err := newSubject(a, data, o)
	if err == nil {
		err = s.read(a, args[1], g, o)
	}
	return s, err
}

// givenWhere conditions the target on --given.
func (s *subject) givenWhere(a *cli.App, o *evaluateOptions) error {
	alias, err := loadAliases(o.aliases)
	if err != nil {
		return err
	}
	x, err := where.Parse(o.given)
	if err != nil {
		return badCondition(a, "--given", err)
	}
	c, err := x.Compile(s.target.Graph, run.Env(s.u, nil, alias))
	if err != nil {
		return badCondition(a, "--given", err)
	}
	s.target, err = s.target.Given(func(p ddps.Path) bool { return !math.IsInf(c.LogWeight(p), -1) })
	if errors.Is(err, compare.ErrNoMass) {
		err = fmt.Errorf("--given: no path of the reference meets %s", x)
	}
	return err
}

// newSubject makes the target of data, conditioned as the flags say.
func newSubject(a *cli.App, data *datasets.Data, o *evaluateOptions) (*subject, error) {
	t, err := compare.DataTarget(data.Graph, data.Prune())
	if err != nil {
		return nil, err
	}
	s := &subject{target: t}
	if o.reward != "" {
		if s.u, err = a.LoadReward(o.reward, t.Graph); err != nil {
			return nil, err
		}
	}
	if o.given != "" {
		return s, s.givenWhere(a, o)
	}
	if !o.givenMax {
		return s, nil
	}
	best := t.Graph.Best(s.u)
	s.target, err = t.Given(compare.AtMax(t.Graph, s.u, best))
	if errors.Is(err, compare.ErrNoMass) {
		err = fmt.Errorf("--given-max: no path of the data earns the greatest reward, %s", cli.Real3(best))
	}
	return s, err
}

// maxSamples is the most paths that evaluate takes from a file, repeats counted.
const maxSamples = 10_000_000

// read takes the samples from a file of paths of g.
func (s *subject) read(a *cli.App, file string, g *ddps.LayeredGraph, o *evaluateOptions) error {
	d, impossible, err := a.ReadSome(file, g, o.by)
	if err != nil {
		return err
	}
	s.impossible = impossible
	if n := d.Total(); n > maxSamples {
		return fmt.Errorf("%s: the counts add up to %s samples, more than %s", file, cli.Whole(n), cli.Whole(maxSamples))
	}
	s.paths = repeated(d.Prune())
	return nil
}

// runAndFile takes the target from a run's data, and the samples from a file or the model.
func runAndFile(a *cli.App, cmd *cobra.Command, args []string, o *evaluateOptions) (*subject, error) {
	r, err := run.Open(args[0])
	if err != nil {
		return nil, err
	}
	r.Warn = a.Warn
	data, impossible := r.Data, 0
	if o.test != "" {
		if data, impossible, err = a.ReadSome(o.test, r.Data.Graph, o.by); err != nil {
			return nil, err
		}
	}
	s, err := newSubject(a, data, o)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		if err := s.read(a, args[1], r.Data.Graph, o); err != nil || !r.HasModel() {
			return s, err
		}
	}
	m, err := r.Model()
	if err != nil {
		return nil, err
	}
	if err := s.predict(a, cmd, m, r, data, impossible, o); err != nil || len(args) == 2 {
		return s, err
	}
	s.paths, err = draw(a, cmd, m, &o.sample, func(*d3pm.Sampler) error { return nil })
	return s, err
}

// repeated returns the paths of d, each as often as it counts.
func repeated(d *datasets.Data) []ddps.Path {
	var paths []ddps.Path
	for i, p := range d.Paths {
		for range d.Counts[i] {
			paths = append(paths, p)
		}
	}
	return paths
}
