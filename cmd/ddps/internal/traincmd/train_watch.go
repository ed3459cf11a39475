package traincmd

import (
	"fmt"
	"time"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
)

// trainWatch shows training as it goes.
type trainWatch struct {
	a    *cli.App
	p    *cli.Progress // of fit, and of steps from the first on
	what string        // p's
	gain string
}

// in sets p to the progress of what.
func (w *trainWatch) in(what string, done, total int) {
	if w.what == what {
		return
	}
	w.done()
	w.p, w.what = w.a.NewProgress(what, done, total), what
}

func (w *trainWatch) fit(round, rounds int) {
	w.in("fit", 0, rounds)
	w.p.Set(round, "")
}

func (w *trainWatch) step(s train.StepInfo) {
	w.in("train", s.Step-1, s.Steps)
	w.p.Set(s.Step, fmt.Sprintf("loss %.3f%s", s.Loss.Total, w.gain))
}

func (w *trainWatch) eval(e train.EvalInfo) {
	w.gain = fmt.Sprintf(", validation gain %+.4f", e.Gain())
	w.p.Logf("step %s: validation loss %.4f, without the network %.4f, gain %+.4f nats per path%s", cli.Whole(e.Step),
		e.CE,
		e.BaseCE, e.Gain(), mark(e.Best, e.Stop))
}

func (w *trainWatch) bound(b train.BoundInfo) {
	what := "the fit"
	if b.Step > 0 { // of a fit outcome tells the bound
		what = "step " + cli.Whole(b.Step)
		w.logf("%s: %s%s", what, boundText(b), mark(b.Best, b.Stop))
	}
	if s := b.Samples; s != nil {
		w.logf("%s: of %s samples %s are paths, %s distinct; IS-L KL to the validation paths %s (%s)", what, cli.Whole(s.N),
			cli.Percent(s.Valid), cli.Percent(s.Unique), cli.Real3(s.ISLKL), cli.Real3(s.Floor))
	}
}

// logf writes a line without breaking the progress, where there is one.
func (w *trainWatch) logf(format string, args ...any) {
	if w.p == nil {
		w.a.Notef(format, args...)
		return
	}
	w.p.Logf(format, args...)
}

func (w *trainWatch) done() {
	if w.p != nil {
		w.p.Done()
	}
}

// boundText is "validation bound 12.6100 ± 0.0500, the chain's −log p 12.7900, gain +0.1800 ± 0.0120 nats per path";
// without a network, of which no step is told, it is an NLL.
func boundText(b train.BoundInfo) string {
	what := fmt.Sprintf("bound %.4f", b.Bound)
	if b.Step == 0 {
		what = fmt.Sprintf("NLL %.4f", b.Bound)
	}
	if b.BoundErr > 0 {
		what += fmt.Sprintf(" ± %.4f", b.BoundErr)
	}
	return fmt.Sprintf("validation %s, the chain's −log p %.4f, gain %+.4f ± %.4f nats per path", what, b.Chain, b.Gain(),
		b.StdErr)
}

// mark says what an evaluation meant to the run.
func mark(best, stop bool) string {
	switch {
	case best:
		return ", the best so far"
	case stop:
		return ", no better for so long that training ends"
	}
	return ""
}

// outcome tells what the run's model shows on validation paths.
func outcome(r *run.Run, log *run.Log) []string {
	var lines []string
	if log.Stack != nil {
		return stackLines(log)
	}
	if log.Kappa != nil {
		lines = append(lines, kappaText(log.Kappa))
	}
	if m := log.Mixture; m != nil && m.Chain {
		lines = append(lines, fmt.Sprintf("no mixture is better than the chain on the validation paths (the best has %.4f "+
			"nats per path): the model is the chain", m.Nats))
	} else if m != nil {
		lines = append(lines, fmt.Sprintf("mixture of ρ = %.4g and τ = %.4g, chosen on the validation paths (%.4f nats "+
			"per path), %s", m.Ridge, m.Smooth, m.Nats, settledText(m)))
	}
	if r.Config.Train.BoundEvery == 0 && len(log.Evals) > 0 {
		lines = append(lines, kept(log.Evals))
	}
	for i := len(log.Bounds) - 1; i >= 0; i-- {
		if b := log.Bounds[i]; b.Best || r.Config.Train.BoundEvery == 0 {
			return append(lines, fmt.Sprintf("%s, of the model kept", boundText(b)))
		}
	}
	if r.Config.Train.BoundEvery > 0 && len(log.Bounds) > 0 {
		lines = append(lines, "no bound on validation paths below the start's, so the model stays what it was: more paths, "+
			"or smaller settings, may help")
	}
	return lines
}

// settledText is "settled after 120 rounds".
func settledText(m *run.MixtureInfo) string {
	if !m.Settled {
		return fmt.Sprintf("not settled after %s rounds", cli.Whole(m.Rounds))
	}
	return fmt.Sprintf("settled after %s rounds", cli.Whole(m.Rounds))
}

func kappaText(k *run.KappaInfo) string {
	return fmt.Sprintf("pseudo-count κ = %v, chosen on the validation paths (%.4f nats per path)", k.Kappa, k.Nats)
}

// fitText is "about 12 s: 700 rounds of 17 ms, at most 2,900".
func fitText(t *run.FitTime) string {
	about := time.Duration(t.Rounds) * t.Round
	return fmt.Sprintf("about %s: %s rounds of %s, at most %s", roundTime(about), cli.Whole(t.Rounds), roundTime(t.Round),
		cli.Whole(t.Most))
}

// roundTime keeps two digits.
func roundTime(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for unit*100 <= d {
		unit *= 10
	}
	if d > time.Minute {
		unit = time.Second
	}
	return d.Round(unit)
}

// planLine says in a line what training will take.
func planLine(p *run.Plan) string {
	c := p.Config.Train
	return fmt.Sprintf("%s network of %s weights, %s steps of %s paths, about %s of memory", p.Config.Model.Network,
		cli.Whole(p.Parameters),
		cli.Whole(c.Steps), cli.Whole(c.Batch), cli.BytesSize(uint64(p.Memory.Total()+p.Data)))
}

// planRows is the table of --dry-run; fit is nil where there is nothing to fit.
func planRows(r *run.Run, p *run.Plan, fit *run.FitTime) [][]string {
	c := p.Config
	rows := [][]string{{"run directory", r.Dir}, {"graph", fmt.Sprintf("%s vertices and %s edges on some path",
		cli.Whole(p.Train.Graph.NumVertices()), cli.Whole(p.Train.Graph.NumEdges()))},
		{"to learn from", fmt.Sprintf("%s distinct paths, %s in all", cli.Whole(len(p.Train.Paths)),
			cli.Whole(p.Train.Total()))}}
	if p.Held != nil {
		rows = append(rows, []string{"validation", fmt.Sprintf("%s distinct paths, %s in all", cli.Whole(len(p.Held.Paths)),
			cli.Whole(p.Held.Total()))})
	} else {
		rows = append(rows, []string{"validation", "none"})
	}
	kappa, weights := fmt.Sprintf("κ = %v", c.Model.Kappa), ""
	if p.Parameters > 0 {
		weights = fmt.Sprintf(", %s weights", cli.Whole(p.Parameters))
	}
	if p.Kappa != nil {
		kappa = kappaText(p.Kappa)
	}
	rows = append(rows, []string{"chain", kappa}, []string{"model", fmt.Sprintf("%s%s, T = %d", c.Model.Kind(), weights,
		c.Model.T)})
	if p.Parameters > 0 {
		rows = append(rows, []string{"training", fmt.Sprintf("%s steps of %s examples, %s in all", cli.Whole(c.Train.Steps),
			cli.Whole(c.Train.Batch), cli.Whole(c.Train.Steps*c.Train.Batch))})
	}
	if fit != nil {
		rows = append(rows, []string{"fit", fitText(fit)})
	}
	rows = append(rows, []string{"memory, about", p.Memory.String()}, []string{"memory of the paths",
		cli.BytesSize(uint64(p.Data))})
	if p.Machine > 0 {
		rows = append(rows, []string{"memory there is", cli.BytesSize(uint64(p.Machine))})
	}
	return rows
}
