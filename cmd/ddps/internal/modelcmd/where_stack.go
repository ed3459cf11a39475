package modelcmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
)

// tellStack prints how likely a condition is under a stack, and warns where the draws of a part given it are not to be
// relied on, unless they are not what is drawn (exact).
func tellStack(ctx context.Context, a *cli.App, m *model.Model, c guide.Condition, o stack.Options,
	weighs, exact bool) error {
	x, err := m.Given(ctx, c, o)
	if errors.Is(err, chain.ErrImpossible) {
		return fmt.Errorf("no path to which the model gives a probability above 0 meets %s", c)
	}
	if exact && unknown(err) {
		a.Notef("the condition's probability is not known: %s", cli.Message(err))
		return nil
	}
	if err != nil {
		return err
	}
	what := "probability"
	if weighs {
		what = "expected weight"
	}
	value := probability(x.LogP)
	if x.StdErr > 0 {
		value = withError(x.LogP, x.StdErr)
	}
	a.Notef("the condition's %s under the model: %s", what, value)
	warned := false
	for _, e := range x.Estimates {
		if e.Draws > 0 && e.Weight > 0 {
			a.Notef("part %s, %s of the paths: %s", e.Name, cli.Percent(e.Weight), partText(e))
		}
		if e.Warning != "" && !exact {
			a.Warn(e.Warning)
			warned = true
		}
	}
	if warned {
		a.Notef("sample --exact draws by rejection")
	}
	tellProduct(a, c.Product(), largeProduct)
	return nil
}

// unknown reports whether err says that a stack's probability of a condition is not known, though it can be drawn by
// rejection.
func unknown(err error) bool {
	return errors.Is(err, stack.ErrTooLarge) || errors.Is(err, stack.ErrNoEstimate)
}

// partText says how a part was conditioned: "0.0123, exactly", or "0.0123 ± 0.0004 of 2,048 draws, 88% of them
// effective", where those are draws of other parts.
func partText(e stack.Estimate) string {
	if e.Draws == 0 {
		return probability(e.LogProb) + ", exactly"
	}
	value, share := withError(e.LogProb, e.StdErr), cli.Percent(e.ESS)
	how := "draws"
	if e.Steps {
		how = "particles"
	}
	switch {
	case e.Own:
		return fmt.Sprintf("%s of %s draws of its own, %s of them effective", value, cli.Whole(e.Draws), share)
	case e.Free:
		return fmt.Sprintf("%s of %s draws of its own; given it, %s of its %s are effective", value, cli.Whole(e.Draws),
			share, how)
	}
	return fmt.Sprintf("%s of %s %s, %s of them effective", value, cli.Whole(e.Draws), how, share)
}
