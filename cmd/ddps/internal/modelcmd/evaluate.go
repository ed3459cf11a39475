package modelcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/run"
)

// evaluateOptions are the flags of evaluate.
type evaluateOptions struct {
	graph, by, reward string
	sample            sampleOptions
	given, json       bool
	reps              int
}

// NewEvaluate returns the command ddps evaluate.
func NewEvaluate(a *cli.App) *cobra.Command {
	var o evaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate RUN [FILE] | evaluate --graph GRAPH TARGET FILE",
		Short: "Hold samples against their target by the paper's metrics",
		Long: "Hold samples against their target by the paper's metrics, each beside its sampling floor, what\n" +
			"exact draws of the target show. With a run folder the target is the exact law of its data (of the\n" +
			"paths that earn the most, with --given-max and a --reward), and the samples are those of FILE, or\n" +
			"drawn from the model. With --graph both are files of paths, the target first.",
		Example: `  ddps evaluate shipped:toy -n 4096
  ddps evaluate runs/toy guided.csv --reward random:4 --given-max
  ddps evaluate --graph heights held.csv samples.csv`,
		Args: cli.WantArgs("RUN", "[FILE]"),
		RunE: func(cmd *cobra.Command, args []string) error { return evaluate(a, cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "`graph` of two files of paths: a file or a name")
	cli.ByVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	f.StringVar(&o.reward, "reward", "", "`reward` to report: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.BoolVar(&o.given, "given-max", false, "condition the target on the greatest reward")
	cli.CountVar(cmd, &o.sample.n, "number", "n", 4096, 1, "number of paths to draw where there is no FILE")
	cli.CountVar(cmd, &o.sample.steps, "steps", "S", 0, 0, stepsUsage)
	cli.SeedVar(cmd, &o.sample.seed, 0, "seed of the draw and the sampling floors")
	cli.CountVar(cmd, &o.reps, "floor-draws", "", 20, 0, "exact draws behind each sampling floor; 0 leaves floors out")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// maxReps is the most draws behind a sampling floor.
const maxReps = 1_000_000

// subject is what evaluate compares.
type subject struct {
	target *compare.Target
	paths  []ddps.Path
	u      []float64
}

func evaluate(a *cli.App, cmd *cobra.Command, args []string, o *evaluateOptions) error {
	if o.given && o.reward == "" {
		return cli.Usagef("--given-max needs a --reward")
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
	if o.reps > 0 {
		p := a.NewProgress("sampling floors", 0, o.reps)
		told, end = func(done, _ int) { p.Set(done, "") }, p.Done
	}
	list, err := compare.Evaluate(cmd.Context(), s.target, s.paths, o.reps, o.sample.seed, told)
	end()
	if err != nil {
		return err
	}
	if o.json {
		return evaluateJSON(a, s, list)
	}
	return evaluateTable(a, s, list)
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

// newSubject makes the target of data, conditioned as the flags say.
func newSubject(a *cli.App, data *datasets.Data, o *evaluateOptions) (*subject, error) {
	t, err := compare.DataTarget(data.Graph, data.Prune())
	if err != nil {
		return nil, err
	}
	s := &subject{target: t}
	if o.reward == "" {
		return s, nil
	}
	if s.u, err = a.LoadReward(o.reward, t.Graph); err != nil || !o.given {
		return s, err
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
	d, err := a.ReadPaths(file, g, o.by)
	if err != nil {
		return err
	}
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
	s, err := newSubject(a, r.Data, o)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		return s, s.read(a, args[1], r.Data.Graph, o)
	}
	m, err := r.Model()
	if err != nil {
		return nil, err
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

// evaluateTable prints the metrics.
func evaluateTable(a *cli.App, s *subject, list []compare.Metric) error {
	rows := [][]string{{"samples", cli.Whole(len(s.paths)), "", ""}, {"valid", cli.Percent(1), "", ""}}
	if s.u != nil {
		mean, std, at, err := compare.RewardStats(s.target.Graph, s.u, s.paths)
		if err != nil {
			return err
		}
		rows = append(rows, []string{"mean reward", cli.Real3(mean) + " ± " + cli.Real3(std), "", ""}, []string{"at the greatest reward", cli.Percent(at), "", ""})
	}
	for _, m := range list {
		rows = append(rows, []string{m.Name, cli.Real3(m.Value.Value), cli.Real3(m.Floor), cli.Real3(m.High)})
	}
	return cli.PrintTable(a.Stdout, []string{"metric", "value", "floor", "highest"}, rows)
}

// evaluateJSON prints the metrics as one JSON object; what is not a finite number is null.
func evaluateJSON(a *cli.App, s *subject, list []compare.Metric) error {
	number := func(x float64) any {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return x
	}
	type metric struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
		Floor any    `json:"floor"`
		High  any    `json:"highest"`
	}
	out := struct {
		Samples int      `json:"samples"`
		Valid   float64  `json:"valid"`
		Reward  any      `json:"mean_reward"`
		Std     any      `json:"reward_std"`
		AtMax   any      `json:"at_max"`
		Metrics []metric `json:"metrics"`
	}{Samples: len(s.paths), Valid: 1}
	if s.u != nil {
		mean, std, at, err := compare.RewardStats(s.target.Graph, s.u, s.paths)
		if err != nil {
			return err
		}
		out.Reward, out.Std, out.AtMax = number(mean), number(std), number(at)
	}
	for _, m := range list {
		out.Metrics = append(out.Metrics, metric{m.Name, number(m.Value.Value), number(m.Floor), number(m.High)})
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "%s\n", data)
	return err
}
