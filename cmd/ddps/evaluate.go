package main

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/experiment"
)

// evaluateOptions are the flags of evaluate.
type evaluateOptions struct {
	graph, by, reward string
	sample            sampleOptions
	given, json       bool
	reps              int
}

func newEvaluateCmd(a *app) *cobra.Command {
	var o evaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate RUN [FILE] | evaluate --graph GRAPH TARGET FILE",
		Short: "Hold samples against their target by the paper's metrics",
		Long: "Hold samples against their target by the paper's metrics, each beside its noise floor, what\n" +
			"exact draws of the target show. With a run folder the target is the exact law of its data (of the\n" +
			"paths that earn the most, with --given-max and a --reward), and the samples are those of FILE, or\n" +
			"drawn from the model. With --graph both are files of paths, the target first.",
		Example: `  ddps evaluate runs/toy -n 4096
  ddps evaluate runs/toy guided.csv --reward random:4 --given-max
  ddps evaluate --graph heights held.csv samples.csv`,
		Args: wantArgs("RUN", "[FILE]"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.evaluate(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.graph, "graph", "", "graph of two files of paths: a file or a name")
	byVar(cmd, &o.by, "vertices", "how CSV files call vertices")
	f.StringVar(&o.reward, "reward", "", "reward to report: a CSV file, random:R[:SEED] or rare:R[:SEED]")
	f.BoolVar(&o.given, "given-max", false, "condition the target on the greatest reward")
	countVar(cmd, &o.sample.n, "number", "n", 4096, 1, "number of paths to draw where there is no FILE")
	countVar(cmd, &o.sample.steps, "steps", "", d3pm.DefaultSteps, 1, "reverse steps S of the draw")
	seedVar(cmd, &o.sample.seed, 0, "seed of the draw and the noise floors")
	countVar(cmd, &o.reps, "floor-draws", "", 20, 0, "exact draws behind each noise floor; 0 leaves floors out")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// subject is what evaluate compares.
type subject struct {
	target *experiment.Target
	paths  []ddps.Path
	u      []float64
}

func (a *app) evaluate(cmd *cobra.Command, args []string, o *evaluateOptions) error {
	if o.given && o.reward == "" {
		return usagef("--given-max needs a --reward")
	}
	var s *subject
	var err error
	if o.graph != "" {
		if len(args) != 2 {
			return usagef("--graph goes with two files of paths, the target and the samples")
		}
		s, err = a.twoFiles(args, o)
	} else {
		s, err = a.runAndFile(cmd, args, o)
	}
	if err != nil {
		return err
	}
	if o.given {
		g := s.target.Graph
		if s.target, err = s.target.Given(experiment.AtMax(g, s.u, g.Best(s.u))); err != nil {
			return err
		}
	}
	p := a.newProgress("noise floors", 0, o.reps)
	list, err := experiment.Evaluate(cmd.Context(), s.target, s.paths, o.reps, o.sample.seed, func(done, _ int) { p.Set(done, "") })
	p.Done()
	if err != nil {
		return err
	}
	if o.json {
		return a.evaluateJSON(s, list)
	}
	return a.evaluateTable(s, list)
}

// twoFiles reads the target and the samples from files.
func (a *app) twoFiles(args []string, o *evaluateOptions) (*subject, error) {
	var parts [2]*datasets.Data
	for i, file := range args {
		d, err := loadPaths(o.graph, file, o.by)
		if err != nil {
			return nil, err
		}
		parts[i] = d
	}
	t, err := experiment.DataTarget(parts[0].Graph, parts[0].Prune())
	if err != nil {
		return nil, err
	}
	s := &subject{target: t, paths: repeated(parts[1].Prune())}
	if o.reward != "" {
		s.u, err = loadReward(o.reward, t.Graph)
	}
	return s, err
}

// runAndFile takes the target from a run's data, and the samples from a file or the model.
func (a *app) runAndFile(cmd *cobra.Command, args []string, o *evaluateOptions) (*subject, error) {
	r, err := experiment.OpenRun(args[0])
	if err != nil {
		return nil, err
	}
	data := r.Data.Prune()
	t, err := experiment.DataTarget(r.Data.Graph, data)
	if err != nil {
		return nil, err
	}
	s := &subject{target: t}
	if o.reward != "" {
		if s.u, err = loadReward(o.reward, t.Graph); err != nil {
			return nil, err
		}
	}
	if len(args) == 2 {
		d, err := datasets.ReadPathFile(args[1], r.Data.Graph, vertices(o.by))
		if err != nil {
			return nil, err
		}
		s.paths = repeated(d.Prune())
		return s, nil
	}
	m, err := r.Model()
	if err != nil {
		return nil, err
	}
	s.paths, err = a.draw(cmd, m, &o.sample, func(*d3pm.Sampler) error { return nil })
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
func (a *app) evaluateTable(s *subject, list []experiment.Metric) error {
	rows := [][]string{{"samples", whole(len(s.paths)), "", ""}, {"valid", percent(1), "", ""}}
	if s.u != nil {
		mean, std, at := rewardOf(s)
		rows = append(rows, []string{"mean reward", real3(mean) + " ± " + real3(std), "", ""}, []string{"at the greatest reward", percent(at), "", ""})
	}
	for _, m := range list {
		rows = append(rows, []string{m.Name, real3(m.Value.Value), real3(m.Floor), real3(m.High)})
	}
	return printTable(a.stdout, []string{"metric", "value", "floor", "highest"}, rows)
}

// rewardOf returns the samples' mean reward, its standard deviation, and the share at the greatest.
func rewardOf(s *subject) (mean, std, at float64) {
	g := s.target.Graph
	atMax, n := experiment.AtMax(g, s.u, g.Best(s.u)), float64(len(s.paths))
	square := 0.0
	for _, p := range s.paths {
		x := g.Total(s.u, p)
		mean, square = mean+x/n, square+x*x/n
		if atMax(p) {
			at += 1 / n
		}
	}
	return mean, math.Sqrt(max(0, square-mean*mean)), at
}

// evaluateJSON prints the metrics as one JSON object; what is not a finite number is null.
func (a *app) evaluateJSON(s *subject, list []experiment.Metric) error {
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
		mean, std, at := rewardOf(s)
		out.Reward, out.Std, out.AtMax = number(mean), number(std), number(at)
	}
	for _, m := range list {
		out.Metrics = append(out.Metrics, metric{m.Name, number(m.Value.Value), number(m.Floor), number(m.High)})
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", data)
	return err
}
