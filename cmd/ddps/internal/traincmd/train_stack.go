package traincmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
)

// stackOptions are the flags of train that are of models without a network.
type stackOptions struct {
	model, by string
	noRefit   bool
	budget    time.Duration
}

// The models that --model names, besides the parts of a stack.
const modelAuto, modelStack, modelMixture, modelChain = "auto", "stack", "mixture", "chain"

func modelNames() []string {
	return []string{modelAuto, modelStack, modelMixture, modelChain, model.PartSecond, model.PartContext, model.PartGRU,
		model.NetworkMLP, model.NetworkUNet}
}

// vars adds the flags.
func (o *stackOptions) vars(cmd *cobra.Command) {
	cli.ChoiceVar(cmd, &o.model, "model", "", modelAuto, modelNames(),
		"model; auto: a stack where vertices have places, a mixture on DNA, elsewhere the mlp network")
	cli.ChoiceVar(cmd, &o.by, "validation-by", "", run.ByWalk, []string{run.ByWalk, run.ByPath},
		"what is drawn for validation: walks, or distinct paths, which then do not train; by default paths for networks "+
			"and on heights, ridge and dna, unless they are fewer than 1,000 and walked twice or more; of a "+
			"list of nearly all paths of the graph, each as often, none is left out")
	f := cmd.Flags()
	f.BoolVar(&o.noRefit, "no-refit", false, "leave a stack as it was fitted to the training walks, without those of "+
		"validation")
	f.DurationVar(&o.budget, "budget", 0, "`time` that the fit of a stack takes, such as 60s, unless it needs "+
		"less; 0: as long as it needs")
}

// settings returns those of the model that --model names.
func (o *stackOptions) settings(cmd *cobra.Command, g *ddps.LayeredGraph) (run.Config, error) {
	if cmd.Flags().Changed("network") {
		return run.Config{}, cli.Usagef("--model and --network both name the model: leave one out")
	}
	switch o.model {
	case modelAuto:
		return run.ConfigFor(g), nil
	case modelStack:
		return run.StackConfig(), nil
	case modelMixture:
		if cfg := run.MixtureConfigFor(g); cfg.Model.Network == model.NetworkNone {
			return cfg, nil
		}
		return run.MapConfig(), nil
	case modelChain:
		cfg := run.MapConfig()
		cfg.Model.Mixture.Order, cfg.Model.Mixture.Classes = 1, 1
		return cfg, nil
	case model.NetworkMLP, model.NetworkUNet:
		return run.ConfigOf(o.model), nil
	}
	cfg := run.StackConfig()
	cfg.Model.Stack.Parts = o.model
	return cfg, nil
}

// apply sets what the other flags say.
func (o *stackOptions) apply(cmd *cobra.Command, cfg *run.Config) error {
	set := cmd.Flags().Changed
	if set("validation-by") {
		cfg.ValidationBy = o.by
	}
	for _, name := range []string{"no-refit", "budget"} {
		f := cmd.Flags().Lookup(name)
		if f.Value.String() != f.DefValue && !cfg.Model.Stacked() {
			return cli.Usagef("--%s is of a stack, and the model is another: choose one by --model", name)
		}
	}
	if set("no-refit") {
		cfg.Refit = !o.noRefit
	}
	if set("budget") {
		cfg.Budget = o.budget
	}
	return nil
}

// dryRun prints the plan of a stack, and how long its fit takes.
func (o *stackOptions) dryRun(a *cli.App, r *run.Run, p *run.Plan) error {
	rows := planRows(r, p, nil)
	rows = slices.DeleteFunc(rows, func(row []string) bool { return row[0] == "chain" })
	by, refit := cmpOr(r.Config.ValidationBy, run.ByPath), "the parts are then fitted again to all walks"
	if !r.Config.Refit {
		refit = "the parts are not fitted again"
	}
	rows = append(rows, []string{"validation", fmt.Sprintf("by %s; %s", by, refit)})
	times, err := r.StackTime()
	if err != nil {
		return err
	}
	sum := time.Duration(0)
	for _, t := range times {
		rows = append(rows, []string{"fit of " + t.Part, "about " + roundTime(t.Time).String() + t.Note})
		sum += t.Time
	}
	total := "about " + roundTime(sum).String()
	if b := r.Config.Budget; b > 0 && b < sum {
		total = "about " + b.String() + ", the budget; without it " + total
	}
	return cli.PrintTable(a.Stdout, nil, append(rows, []string{"fit", total}))
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// part shows a part that is fitted.
func (w *trainWatch) part(p train.PartInfo) {
	if p.Note != "" {
		w.logf("%s: left out: %s", p.Part, p.Note)
		return
	}
	settings := p.Settings
	if i := strings.IndexByte(settings, ';'); i >= 0 {
		settings = settings[:i] // the log has the rest
	}
	if settings != "" {
		settings = " (" + settings + ")"
	}
	w.logf("%s%s: validation NLL %.4f nats per path, %s", p.Part, settings, p.NLL,
		roundTime(time.Duration(p.Seconds*float64(time.Second))))
}

// parting shows how far the fit of a part is.
func (w *trainWatch) parting(p train.PartProgress) {
	w.in("fit "+p.Part, 0, p.Total)
	w.p.Set(p.Done, p.Detail)
}

// overBudget is the warning that a fit took more than a fifth longer than its budget; "" where it did not.
func overBudget(budget time.Duration, log *run.Log) string {
	if log.Stack == nil || budget == 0 || log.Stack.Seconds <= 1.2*budget.Seconds() {
		return ""
	}
	return fmt.Sprintf("the fit took %s, and --budget is %s: what it could not shorten was slower than expected, as on a "+
		"busy machine", roundTime(time.Duration(log.Stack.Seconds*float64(time.Second))), budget)
}

// stackLines are the parts of a stack: validation NLL and weight.
func stackLines(log *run.Log) []string {
	s := log.Stack
	width := len("stack")
	for _, p := range s.Parts {
		width = max(width, len(p.Part))
	}
	lines := []string{fmt.Sprintf("%-*s  validation NLL  weight", width, "part")}
	for _, p := range s.Parts {
		lines = append(lines, fmt.Sprintf("%-*s  %14.4f  %6.3f", width, p.Part, p.NLL, p.Weight))
	}
	refit := "fitted again to all walks"
	if !s.Refit {
		refit = "not fitted again"
	}
	lines = append(lines, fmt.Sprintf("%-*s  %14.4f  in %s; %s", width, "stack", s.NLL,
		roundTime(time.Duration(s.Seconds*float64(time.Second))), refit))
	if r := s.Rates; r != nil {
		const share = 100
		lines = append(lines, fmt.Sprintf("samples before and after the GRU's calibration (walks): mean length %.2f, %.2f "+
			"(%.2f); return to the start %.1f%%, %.1f%% (%.1f%%); come back to a place %.1f%%, %.1f%% (%.1f%%)",
			r.Length[1], r.Length[2], r.Length[0], share*r.Return[1], share*r.Return[2], share*r.Return[0],
			share*r.Revisit[1], share*r.Revisit[2], share*r.Revisit[0]))
	}
	if s.Early != "" {
		lines = append(lines, "the budget was not used up: "+s.Early)
	}
	return lines
}
