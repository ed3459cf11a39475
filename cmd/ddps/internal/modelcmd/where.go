package modelcmd

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/internal/plaintext"
)

// whereHelp describes what --where takes.
const whereHelp = "A condition (--where) is one or several of these, joined by and, or, not and brackets:\n" +
	"  visit(\"A\")  visit({\"A\", \"B\"}, layer 2..4)  visit(\"A\", 8:10..8:30)  edge(\"A\", \"B\")  avoid(\"A\")\n" +
	"  visit(\"A\") then visit(\"B\")  visit(\"A\") within 3 of visit(\"B\")  before(\"A\", \"B\")\n" +
	"  visits(\"A\") >= 2  stay(\"A\") >= 3  start(\"A\")  end({\"A\", \"B\"})  returns  length 6..9\n" +
	"  regex('A (B|C)* D')  visit(file(\"names.txt\"))\n" +
	"  reward >= 3  cost <= 12.5  max(reward)  boltzmann(2)  boltzmann(-0.5, cost)\n" +
	"  of DNA: motif(\"TATAAT\", 10)  motif(\"TTGACA.{15,19}TATAAT\")  avoid(motif(\"GAATTC\"))  gc <= 35 %\n" +
	"Vertices go by name, as place N of the map, or as vertex N of the graph; layers, and positions of a\n" +
	"motif, count from 1. docs/conditions.md has the grammar."

// aliasVar adds the flag that gives places other names.
func aliasVar(cmd *cobra.Command, p *string) {
	cmd.Flags().StringVar(p, "aliases", "",
		"CSV `file` of other names for places, columns alias,name or those of a GTFS stops.txt")
	cli.FileFlag(cmd, "aliases", "csv", "txt")
}

// loadAliases reads such a file of places of g; "" gives none.
func loadAliases(a *cli.App, path string, g *ddps.LayeredGraph) (map[string][]string, error) {
	if path == "" {
		return nil, nil
	}
	data, err := plaintext.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return pathfile.ReadAliases(path, bytes.NewReader(data), g, func(text string) { a.Notef("%s: %s", path, text) })
}

// largeProduct is how many edges a product has that sample and score speak of.
const largeProduct = 1 << 20

// tellCondition prints how likely the condition is, how large its product with the graph, and what is not exact about
// it, before anything is drawn.
func tellCondition(ctx context.Context, a *cli.App, m *model.Model, met d3pm.Condition, weighs, exact bool) error {
	c, ok := met.(guide.Condition)
	if !ok {
		return nil
	}
	if m.Stack != nil {
		err := tellStack(ctx, a, m, c, stack.Options{}, weighs, exact)
		if unknown(err) {
			err = fmt.Errorf("%w; sample --exact draws by rejection, without a product graph", err)
		}
		return err
	}
	logp, known, err := query.LogProb(m, c)
	if err != nil {
		return err
	}
	what, of := "probability", "the model"
	if weighs {
		what = "expected weight"
	}
	if !known {
		of = "the fitted chain"
	}
	a.Notef("the condition's %s under %s: %s", what, of, probability(logp))
	tellProduct(a, c.Product(), largeProduct)
	return nil
}

// tellProduct prints the size of a product of at least so many edges, and its notes.
func tellProduct(a *cli.App, p *guide.Product, least int) {
	if all, thread := p.Bytes(); p.Edges() >= least {
		a.Notef("the condition's product with the graph: %s states, %s edges; %s, and %s more for each thread",
			cli.Whole(p.States()), cli.Whole(p.Edges()), cli.BytesSize(all), cli.BytesSize(thread))
	}
	for _, note := range p.Absent {
		a.Notef("%s, which the condition names", note)
	}
	for _, note := range p.Notes {
		a.Notef("%s", note)
	}
}

// checkSteps returns an error for more reverse steps than m has, before work on them begins.
func checkSteps(m *model.Model, steps int) error {
	if T := m.Schedule.T(); steps > T {
		return fmt.Errorf("%d steps, must be in 1…%d", steps, T)
	}
	return nil
}

// stepsFor sets the default number of reverse steps to no more than the model's T.
func stepsFor(cmd *cobra.Command, steps *int, m *model.Model) {
	if !cmd.Flags().Changed("steps") {
		*steps = min(*steps, m.Schedule.T())
	}
}

// maxMantissa bounds the logarithms that fix a mantissa of three digits.
const maxMantissa = 1e12

// probability writes a probability, or an expected weight, by its natural logarithm, and that too where it is beyond
// the range of everyday numbers; alone where a float64 of it does not fix the digits of the number.
func probability(logp float64) string {
	switch {
	case math.IsNaN(logp):
		return "–"
	case math.IsInf(logp, -1):
		return "0"
	case logp > -6 && logp < 13:
		return cli.Real3(math.Exp(logp))
	case math.Abs(logp) >= maxMantissa:
		return "e^(" + strconv.FormatFloat(logp, 'g', -1, 64) + ")"
	}
	tens := logp / math.Ln10
	power := math.Floor(tens)
	mantissa := math.Pow(10, tens-power)
	if mantissa >= 9.995 {
		mantissa, power = 1, power+1
	}
	return fmt.Sprintf("%.2fe%+03d (log %.2f)", mantissa, int(power), logp)
}

// estimate writes the probability that particles estimate, with its standard error.
func estimate(r *d3pm.Report) string {
	return withError(r.LogZ, r.StdErr)
}

// withError writes a probability by its natural logarithm, with a relative standard error; NaN where that is not known.
func withError(logp, relative float64) string {
	switch p := math.Exp(logp); {
	case math.IsNaN(relative) || math.IsInf(logp, -1):
		return probability(logp)
	case p > 1e-300 && p < 1e300:
		return cli.WithError(p, p*relative)
	}
	return fmt.Sprintf("%s ± %s", probability(logp), cli.Percent(relative))
}

// badWhere points at the character of --where that err is about, and names the flag, or the file that set it.
func badWhere(a *cli.App, cmd *cobra.Command, err error) error {
	return a.BadCondition(origin(cmd, "where"), err)
}
