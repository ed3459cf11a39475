package modelcmd

import (
	"math"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
)

// scores returns −log p of paths of m's graph, or its bound, with progress.
func scores(a *cli.App, cmd *cobra.Command, m *model.Model, paths []ddps.Path, o *scoreOptions) ([]d3pm.Estimate,
	error) {
	if !m.Tractable() {
		if err := checkSteps(m, o.steps); err != nil {
			return nil, err
		}
	}
	return cli.Scores(a, cmd.Context(), &d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Steps: o.steps,
		Draws: o.draws}, paths, o.seed)
}

// meanChain is the mean of the chain's −log p over the walks that count.
func meanChain(chain []float64, counts []int) float64 {
	sum, n := 0.0, 0.0
	for i, x := range chain {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			sum, n = sum+x*float64(counts[i]), n+float64(counts[i])
		}
	}
	return sum / n
}

// noteScore sums scores up.
func noteScore(a *cli.App, m *model.Model, s *query.Scores, chain []float64, counts []int) {
	what := "NLL at most"
	if m.Tractable() {
		what = "NLL"
	}
	switch {
	case s.Walks > 0:
		a.Notef("%s %s nats per walk, mean of %s; the fitted chain's %s", what, cli.NLL(s.NLL, s.StdErr),
			cli.Whole(s.Walks), cli.NLL(meanChain(chain, counts), math.NaN()))
	case s.Unmet > 0 && s.Impossible == 0:
		a.Notef("no walk meets the condition: there is no NLL")
	default:
		a.Notef("no walk has a probability above 0 under the model: there is no NLL")
	}
	if s.Unmet > 0 {
		a.Notef("%s walks do not meet the condition: their cells are empty, and they do not count", cli.Whole(s.Unmet))
	}
	if s.Impossible > 0 {
		a.Notef("%s walks are impossible under the model, and do not count", cli.Whole(s.Impossible))
	}
}

// scoreJSON is the mean of scores as JSON; what is not a finite number is null.
func scoreJSON(m *model.Model, s *query.Scores, given givenScore, chain []float64, counts []int) any {
	out := struct {
		NLL        any  `json:"nll"`
		StdErr     any  `json:"stderr"`
		Walks      int  `json:"walks"`
		Impossible int  `json:"impossible"`
		Chain      any  `json:"chain"`
		Exact      bool `json:"exact"`
		Unmet      *int `json:"unmet,omitempty"`     // with a condition
		LogGiven   any  `json:"log_given,omitempty"` // the logarithm of its probability
		GivenErr   any  `json:"log_given_stderr,omitempty"`
	}{NLL: finite(s.NLL), StdErr: finite(s.StdErr), Walks: s.Walks, Impossible: s.Impossible,
		Chain: finite(meanChain(chain, counts)), Exact: m.Tractable() && given.stdErr == 0}
	if given.condition != nil {
		out.Unmet, out.LogGiven = &s.Unmet, finite(given.model)
		if given.stdErr > 0 {
			out.GivenErr = finite(given.stdErr)
		}
	}
	return out
}
