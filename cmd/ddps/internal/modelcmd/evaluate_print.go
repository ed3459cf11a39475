package modelcmd

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/compare"
)

// evaluateTable prints what is compared, the most telling first.
func evaluateTable(a *cli.App, s *subject, features []compare.Feature, list []compare.Metric) error {
	var rows [][]string
	if s.next != nil {
		rows = s.next.rows()
	}
	rows = append(rows, []string{"samples", cli.Whole(len(s.paths)), s.valid()})
	if s.u != nil {
		mean, std, at, err := compare.RewardStats(s.target.Graph, s.u, s.paths)
		if err != nil {
			return err
		}
		rows = append(rows, []string{"mean reward", cli.Real3(mean) + " ± " + cli.Real3(std), ""},
			[]string{"at the greatest reward", cli.Percent(at), ""})
	}
	return a.WriteFile("", func(w io.Writer) error {
		if err := cli.PrintTable(w, nil, rows); err != nil {
			return err
		}
		if err := featureTable(w, features); err != nil {
			return err
		}
		return metricTable(a, w, s, list)
	})
}

// valid says which samples are paths.
func (s *subject) valid() string {
	if s.impossible == 0 {
		return cli.Percent(1) + " valid"
	}
	n := float64(len(s.paths) + s.impossible)
	return fmt.Sprintf("valid, and %s that are no paths of the graph (%s)", cli.Whole(s.impossible),
		cli.Percent(float64(s.impossible)/n))
}

// featureTable prints rates and distances of features.
func featureTable(w io.Writer, features []compare.Feature) error {
	if len(features) == 0 {
		return nil
	}
	var rows [][]string
	for _, x := range features {
		number := cli.Real3
		if x.Share {
			number = cli.Percent
		}
		mean := func(v float64) string {
			if math.IsNaN(v) {
				return ""
			}
			return number(v)
		}
		rows = append(rows, []string{x.Name, mean(x.Reference), mean(x.Samples), cli.Real3(x.Value.Value), cli.Real3(x.Floor),
			cli.Real3(x.High)})
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return cli.PrintTable(w, []string{"", "reference", "samples", "distance, ½ L1", "floor", "highest"}, rows)
}

// metricTable prints the paper's metrics; of whole paths only where there are more samples than paths.
func metricTable(a *cli.App, w io.Writer, s *subject, list []compare.Metric) error {
	var rows [][]string
	left, infinite := 0, false
	for _, m := range list {
		if m.Whole && len(s.paths) <= len(s.target.Paths) {
			left++
			continue
		}
		if m.Key == "kl_smoothed" { // it can be negative: in --json
			continue
		}
		infinite = infinite || math.IsInf(m.Value.Value, 1)
		rows = append(rows, []string{m.Name, cli.Real3(m.Value.Value), cli.Real3(m.Floor), cli.Real3(m.High)})
	}
	if rows == nil {
		return nil
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := cli.PrintTable(w, []string{"the paper's metrics", "value", "floor", "highest"}, rows); err != nil {
		return err
	}
	if left > 0 {
		a.Notef("distances of whole paths say little: %s samples of %s distinct paths; --json has them",
			cli.Whole(len(s.paths)), cli.Whole(len(s.target.Paths)))
	}
	if infinite {
		a.Notef("∞: a divergence is infinite where the samples lack what the reference has")
	}
	return nil
}

// featureOut is a feature as JSON.
type featureOut struct {
	Key       string `json:"key"`
	Reference any    `json:"reference"`
	Samples   any    `json:"samples"`
	Value     any    `json:"value"`
	Floor     any    `json:"floor"`
	High      any    `json:"highest"`
}

// metricOut is a metric as JSON.
type metricOut struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Value any    `json:"value"`
	Floor any    `json:"floor"`
	High  any    `json:"highest"`
}

// evaluateOut is what is compared as JSON.
type evaluateOut struct {
	NLL        any          `json:"nll,omitempty"`
	StdErr     any          `json:"stderr,omitempty"`
	Before     any          `json:"nll_before_refit,omitempty"`
	Walks      int          `json:"walks,omitempty"`
	Known      any          `json:"known,omitempty"`
	Impossible int          `json:"impossible,omitempty"`
	Accuracy   any          `json:"next_accuracy,omitempty"`
	Samples    int          `json:"samples"`
	Valid      float64      `json:"valid"`
	Reward     any          `json:"mean_reward"`
	Std        any          `json:"reward_std"`
	AtMax      any          `json:"at_max"`
	Features   []featureOut `json:"features"`
	Metrics    []metricOut  `json:"metrics"`
}

// evaluateJSON prints one JSON object; what is not a finite number is null.
func evaluateJSON(a *cli.App, s *subject, features []compare.Feature, list []compare.Metric) error {
	out := evaluateOut{Samples: len(s.paths), Valid: float64(len(s.paths)) / float64(len(s.paths)+s.impossible)}
	if n := s.next; n != nil {
		out.NLL, out.StdErr, out.Walks, out.Known, out.Impossible = finite(n.NLL), finite(n.StdErr), n.Walks, n.known,
			n.Impossible
		out.Before, out.Accuracy = finite(n.before), finite(n.right/n.total)
	}
	if s.u != nil {
		mean, std, at, err := compare.RewardStats(s.target.Graph, s.u, s.paths)
		if err != nil {
			return err
		}
		out.Reward, out.Std, out.AtMax = finite(mean), finite(std), finite(at)
	}
	for _, x := range features {
		out.Features = append(out.Features, featureOut{x.Key, finite(x.Reference), finite(x.Samples), finite(x.Value.Value),
			finite(x.Floor), finite(x.High)})
	}
	for _, m := range list {
		out.Metrics = append(out.Metrics, metricOut{m.Key, m.Name, finite(m.Value.Value), finite(m.Floor), finite(m.High)})
	}
	return a.WriteFile("", func(w io.Writer) error { return cli.WriteJSON(w, out) })
}

// metrics returns the paper's metrics, with progress: of the metrics until the first sampling floor is drawn, then of
// the floors.
func (s *subject) metrics(a *cli.App, ctx context.Context, o *evaluateOptions) ([]compare.Metric, error) {
	end := a.Working("computing the metrics, before their sampling floors")
	var p *cli.Progress
	list, err := compare.Evaluate(ctx, s.target, s.paths, o.reps, o.sample.seed, func(done, _ int) {
		if end(); p == nil {
			p = a.NewProgress("sampling floors", 0, o.reps)
		}
		p.Set(done, "")
	})
	if end(); p != nil {
		p.Done()
	}
	return list, err
}
