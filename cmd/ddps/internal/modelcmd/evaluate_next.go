package modelcmd

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// nextScore is how well a model predicts walks.
type nextScore struct {
	query.Scores
	what         string  // validation or test
	given        bool    // samples and reference have a condition, and these walks have none
	known        int     // walks of paths in the training set
	before       float64 // NLL of validation walks before the model was fitted again to all; NaN: it was not
	right, total float64 // moves that are the most likely under the model, and all moves that have an alternative
}

// predict scores the model on the walks of --test, or else on those of the run's validation set.
func (s *subject) predict(a *cli.App, cmd *cobra.Command, m *model.Model, r *run.Run, data *datasets.Data,
	impossible int, o *evaluateOptions) error {
	train, of := r.Split()
	what := "validation"
	if o.test != "" {
		what, of, train = "test", data.Prune(), r.Data.Prune()
	}
	if of == nil {
		return nil
	}
	if !m.Tractable() {
		a.Notef("the model has a network: 'ddps score' bounds the NLL of walks")
		return nil
	}
	nats, err := scores(a, cmd, m, of.Paths, &scoreOptions{steps: min(d3pm.DefaultSteps, m.Schedule.T()), draws: 1})
	if err != nil {
		return err
	}
	n := &nextScore{Scores: query.Summarize(nats, of.Counts), what: what, given: o.condition() != "", before: math.NaN()}
	if m.Stack != nil && r.Config.Refit && o.test == "" {
		n.before = m.Stack.NLL
	}
	n.Impossible += impossible
	n.known, _ = sequences.KnownWalks(train, of)
	next := query.NewNext(m)
	for i, p := range of.Paths {
		if err := n.count(m.Graph, next, p, float64(of.Counts[i])); err != nil {
			return err
		}
	}
	s.next = n
	return nil
}

// count adds the moves of a path: those that are the most likely under the model, of a place with more than one way on.
func (n *nextScore) count(g *ddps.LayeredGraph, next *query.Next, p ddps.Path, times float64) error {
	return next.Along(p, func(l int, row []float64, _ float64) bool {
		if len(row) < 2 {
			return true
		}
		lo, _ := g.Edges(p[l])
		best := 0
		for k, x := range row {
			if x > row[best] {
				best = k
			}
		}
		if n.total += times; g.Head(lo+best) == p[l+1] {
			n.right += times
		}
		return true
	})
}

// rows are those of the table.
func (n *nextScore) rows() [][]string {
	walks := fmt.Sprintf("%s %s walks, %s of known paths", cli.Whole(n.Walks), n.what, cli.Whole(n.known))
	if !math.IsNaN(n.before) {
		walks = fmt.Sprintf("%s validation walks, to which the model was fitted again; %.4f before", cli.Whole(n.Walks),
			n.before)
	}
	if n.Impossible > 0 {
		walks += fmt.Sprintf("; %s impossible", cli.Whole(n.Impossible))
	}
	if n.given {
		walks += "; without the condition"
	}
	rows := [][]string{{"NLL, nats per walk", cli.NLL(n.NLL, n.StdErr), walks}}
	if n.total > 0 {
		rows = append(rows, []string{"next place predicted", cli.Percent(n.right / n.total), "of " + cli.Whole(int(n.total)) +
			" moves"})
	}
	return rows
}

// leastSuggested is how many samples suggest a condition at least.
const leastSuggested = 20

// suggestGiven notes that samples look as if they had been drawn under a condition that the reference does not have:
// all attain the greatest reward, or visit a place that few of the reference do.
func suggestGiven(a *cli.App, s *subject) {
	if len(s.paths) < leastSuggested {
		return
	}
	g := s.target.Graph
	if s.u != nil {
		if best := g.Best(s.u); shareOf(s, compare.AtMax(g, s.u, best)) < .5 {
			a.Notef("all samples attain the greatest reward, and few paths of the reference do: did you mean --given-max " +
				"(--given 'max(reward)')?")
			return
		}
	}
	name, share := rarest(s)
	if name != "" {
		a.Notef("all samples visit %s, and %s of the reference does: did you mean --given 'visit(%q)'?", name,
			cli.Percent(share), name)
	}
}

// shareOf is the share of the reference that meets a condition which all samples meet; 1 where one does not.
func shareOf(s *subject, met func(ddps.Path) bool) float64 {
	for _, p := range s.paths {
		if !met(p) {
			return 1
		}
	}
	share := 0.0
	for i, p := range s.target.Paths {
		if met(p) {
			share += s.target.P[i]
		}
	}
	return share
}

// rarest returns the name that all samples visit and the fewest of the reference do, if that is less than half of it.
func rarest(s *subject) (name string, share float64) {
	g := s.target.Graph
	visits := func(p ddps.Path, do func(string)) {
		seen := map[string]bool{}
		for _, v := range p {
			if n := g.Name(v); !seen[n] {
				seen[n] = true
				do(n)
			}
		}
	}
	in, of := map[string]int{}, map[string]float64{}
	for _, p := range s.paths {
		visits(p, func(n string) { in[n]++ })
	}
	for i, p := range s.target.Paths {
		if s.target.P[i] > 0 {
			visits(p, func(n string) { of[n] += s.target.P[i] })
		}
	}
	share = math.Inf(1)
	for v := range g.NumVertices() { // in order
		n := g.Name(v)
		if in[n] == len(s.paths) && of[n] < min(.5, share) {
			name, share = n, of[n]
		}
	}
	return name, share
}
