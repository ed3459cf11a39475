package modelcmd

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/internal/ram"
)

// draw samples from m with progress; set changes the sampler first.
func draw(a *cli.App, cmd *cobra.Command, m *model.Model, o *sampleOptions, set func(*d3pm.Sampler) error) ([]ddps.Path,
	error) {
	if err := checkPaths(m.Graph, o.n, 3); err != nil {
		return nil, err
	}
	var paths []ddps.Path
	err := drawTo(a, cmd, m, o, set, func(p ddps.Path) error {
		paths = append(paths, p)
		return nil
	})
	return paths, err
}

// checkPaths refuses so many lists of n paths of g that do not fit into the memory.
func checkPaths(g *ddps.LayeredGraph, n, lists int) error {
	return ram.Check(ram.Machine(), "paths", "-n", float64(n), float64(lists)*ram.PathBytes(g.NumLayers()))
}

// drawTo samples from m with progress and hands the paths on, as they come but for particles; set changes the
// sampler first.
func drawTo(a *cli.App, cmd *cobra.Command, m *model.Model, o *sampleOptions, set func(*d3pm.Sampler) error,
	yield func(ddps.Path) error) error {
	if o.particles > 0 && m.Stack != nil {
		return cli.Usagef("--particles correct the reverse steps of a network: this model is a stack, whose condition is " +
			"drawn from itself")
	}
	stepsFor(cmd, &o.steps, m)
	s, err := samplerOf(a, cmd, m, o)
	if err != nil {
		return err
	}
	s.Steps, s.Threads, s.Backend = o.steps, o.threads, o.backend
	if err := set(s); err != nil {
		return err
	}
	if err := tellExact(a, cmd, m, s, o); err != nil {
		return err
	}
	if why := s.HostReason(); o.backend != "" && (why != "" || o.particles > 0) {
		a.Notef("--backend is left out, and all drawn in plain Go: %s", cmp.Or(why, "there are particles"))
	}
	if o.particles > 0 && m.Distribution() != nil && (o.reverse == "" || o.reverse == "joint") {
		a.Notef("without a network the condition is exact: --particles has nothing to correct, and is left out")
		o.particles = 0
	}
	if o.particles > 0 {
		if err := checkPaths(m.Graph, o.n, 2); err != nil {
			return err
		}
	}
	if err := checkSteps(m, s.Taken()); err != nil {
		return err
	}
	lo, hi := o.shard.Span(o.n)
	p := a.NewProgress(work(a, m, s, hi-lo), 0, (hi-lo)*max(1, s.Taken())*max(1, o.particles))
	defer p.Done()
	s.Progress = func(done, _ int) { p.Set(done-lo*max(1, s.Taken()), "") }
	if o.particles == 0 {
		return s.StreamRange(cmd.Context(), lo, hi, o.n, o.seed, yield)
	}
	paths, rep, err := (&d3pm.Particles{Sampler: s, K: o.particles, Pool: true}).Sample(cmd.Context(), o.n, o.seed)
	if err != nil {
		return err
	}
	p.Done()
	a.Notef("%s", particlesNote(rep, o.particles))
	for _, p := range paths {
		if err := yield(p); err != nil {
			return err
		}
	}
	return nil
}

// samplerOf returns the sampler of m, with --exact that by rejection.
func samplerOf(a *cli.App, cmd *cobra.Command, m *model.Model, o *sampleOptions) (*d3pm.Sampler, error) {
	if !o.exact {
		return m.Sampler(), nil
	}
	for _, name := range []string{"guide", "reverse", "steps", "particles", "backend"} {
		if cmd.Flags().Changed(name) {
			return nil, cli.Usagef("--exact draws from the model itself, without reverse steps: leave out --%s", name)
		}
	}
	switch {
	case m.Stack != nil:
		return m.RejectionSampler()
	case m.Tractable():
		a.Notef("--exact changes nothing: without a network the condition is exact")
		return m.Sampler(), nil
	}
	return nil, cli.Usagef("--exact is for stacks: this model's probabilities of paths are not known; --particles " +
		"correct its conditioned samples")
}

// tellExact says how many draws a path takes by rejection, and refuses a condition that few of them would meet.
func tellExact(a *cli.App, cmd *cobra.Command, m *model.Model, s *d3pm.Sampler, o *sampleOptions) error {
	switch {
	case !o.exact:
		return nil
	case s.Condition == nil:
		return cli.Usagef("--exact is for a condition: give --where")
	case m.Stack == nil:
		return nil
	}
	c, ok := s.Condition.(guide.Condition)
	if !ok {
		return nil
	}
	x, err := m.Given(cmd.Context(), c, stack.Options{})
	if unknown(err) {
		a.Notef("by rejection: how many draws a path takes is not known; at most %s", cli.Whole(stack.MaxTries))
		return nil
	}
	if err != nil {
		return err
	}
	r, err := m.Stack.Rejection(cmd.Context(), stack.Condition{Product: c.Product().Product, LogW: c.Product().LogW})
	if err != nil {
		return err
	}
	tries := r.Tries(x.LogP)
	if tries > stack.MaxTries/20 {
		return fmt.Errorf("--exact: about one draw in %s would be taken: too few for rejection; leave out --exact",
			cli.Real3(tries))
	}
	a.Notef("by rejection: about %s draws for each path", cli.Real3(tries))
	return nil
}

// work names what s has to do for n paths of m, and notes where it takes reverse steps although the distribution of m
// is known.
func work(a *cli.App, m *model.Model, s *d3pm.Sampler, n int) string {
	steps := s.Taken()
	if steps == 0 {
		return cli.Whole(n) + " paths"
	}
	if left := m.Left(); left != "" {
		a.Notef("without an exact posterior given x_t: %s; each step draws paths from the other parts' posterior and "+
			"chooses by weight, which keeps the stack's distribution; a gradient guide reads the other parts' rows", left)
	}
	if m.Tractable() {
		a.Notef("%d reverse steps, as %s needs: without it this model's paths are drawn directly", steps, why(s))
	}
	return fmt.Sprintf("%s paths × %d steps", cli.Whole(n), steps)
}

// why names what s takes reverse steps for, although the distribution of its model is known.
func why(s *d3pm.Sampler) string {
	switch {
	case s.Guide != nil:
		return "--guide"
	case s.Steps > 0:
		return "--steps"
	case s.Backend != "":
		return "--backend"
	}
	return "--reverse"
}

// particlesNote says how particles fared.
func particlesNote(r *d3pm.Report, k int) string {
	resampled := 0
	for _, n := range r.Resampled {
		resampled += n
	}
	s := fmt.Sprintf("the condition's probability under the model: %s; effective sample size at the end %.1f of %d, "+
		"%.1f resamplings a group",
		estimate(r), r.ESS[len(r.ESS)-1], k, float64(resampled)/float64(r.Groups))
	if r.Lost > 0 {
		s += fmt.Sprintf("; %s of %s groups found no path that the model has", cli.Whole(r.Lost), cli.Whole(r.Groups))
	}
	return s
}
