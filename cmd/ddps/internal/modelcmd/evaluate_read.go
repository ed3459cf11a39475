package modelcmd

import (
	"context"
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
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
)

// twoFiles reads the target and the samples from files.
func twoFiles(a *cli.App, cmd *cobra.Command, args []string, o *evaluateOptions) (*subject, error) {
	g, err := cli.LoadGraph(o.graph)
	if err != nil {
		return nil, err
	}
	data, _, err := o.walks.ReadRows(a, cmd, args[0], g, o.by)
	if err != nil {
		return nil, err
	}
	s, err := newSubject(a, data, o)
	if err == nil {
		err = s.read(a, cmd, args[1], g, o)
	}
	return s, err
}

// givenWhere conditions the target on --given.
func (s *subject) givenWhere(a *cli.App, o *evaluateOptions) error {
	alias, err := loadAliases(a, o.aliases, s.target.Graph)
	if err != nil {
		return err
	}
	x, err := where.Parse(o.given)
	if err != nil {
		return a.BadCondition("--given", err)
	}
	c, err := x.Compile(s.target.Graph, query.Env(s.u, nil, alias))
	if err != nil {
		return a.BadCondition("--given", err)
	}
	s.meets = func(p ddps.Path) bool { return !math.IsInf(c.LogWeight(p), -1) }
	s.target, err = s.target.Given(s.meets)
	if errors.Is(err, compare.ErrNoMass) {
		err = fmt.Errorf("--given: no path of the reference meets %s", x)
	}
	return err
}

// noteUnmet notes how many samples do not meet --given, which all paths of the reference do.
func (s *subject) noteUnmet(a *cli.App) {
	unmet := 0
	for _, p := range s.paths {
		if !s.meets(p) {
			unmet++
		}
	}
	if unmet > 0 {
		a.Notef("%s of %s samples do not meet --given, and all paths of the reference do", cli.Whole(unmet),
			cli.Whole(len(s.paths)))
	}
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
func (s *subject) read(a *cli.App, cmd *cobra.Command, file string, g *ddps.LayeredGraph, o *evaluateOptions) error {
	walks := &o.walks
	if o.test != "" { // whose flags they are
		walks = &cli.WalkFlags{}
	}
	d, rows, err := walks.ReadRows(a, cmd, file, g, o.by)
	if err != nil {
		return err
	}
	s.impossible = rows.Total
	if n := d.Total(); n > maxSamples {
		return fmt.Errorf("%s: the counts add up to %s samples, more than %s", file, cli.Whole(n), cli.Whole(maxSamples))
	}
	s.paths = repeated(d.Prune())
	return nil
}

// runAndFile takes the target from a run's data, and the samples from a file or the model.
func runAndFile(a *cli.App, cmd *cobra.Command, args []string, o *evaluateOptions) (*subject, error) {
	r, err := cli.OpenRun(args[0])
	if err != nil {
		return nil, err
	}
	r.Warn = a.Warn
	data, impossible := r.Data, 0
	if o.test != "" {
		var rows *cli.Rows
		if data, rows, err = o.walks.ReadRows(a, cmd, o.test, r.Data.Graph, o.by); err != nil {
			return nil, err
		}
		impossible = rows.Total
	}
	s, err := newSubject(a, data, o)
	if err != nil {
		return nil, err
	}
	if len(args) == 2 {
		if err := s.read(a, cmd, args[1], r.Data.Graph, o); err != nil || !r.HasModel() {
			r.WarnUnsummed()
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
	s.paths, err = draw(a, cmd, m, &o.sample, func(d *d3pm.Sampler) error {
		return s.drawGiven(cmd.Context(), a, m, d, o)
	})
	return s, err
}

// condition returns that of --given or --given-max; "" for none.
func (o *evaluateOptions) condition() string {
	if o.givenMax {
		return "max(reward)"
	}
	return o.given
}

// drawGiven lets a sampler of m draw given the condition on the reference.
func (s *subject) drawGiven(ctx context.Context, a *cli.App, m *model.Model, d *d3pm.Sampler,
	o *evaluateOptions) error {
	given := query.Guide{Where: o.condition()}
	if given.Where == "" {
		return nil
	}
	var err error
	if given.Alias, err = loadAliases(a, o.aliases, m.Graph); err != nil {
		return err
	}
	if err := a.BadCondition("--given", given.Apply(d, s.u)); err != nil {
		return err
	}
	a.Notef("compared: samples drawn given %s, and the paths of the reference that meet it", given.Where)
	return tellCondition(ctx, a, m, d.Condition, false, false)
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
