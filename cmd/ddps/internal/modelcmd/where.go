package modelcmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/internal/plaintext"
)

// whereHelp describes what --where takes.
const whereHelp = "A condition (--where) is one or several of these, joined by and, or, not and brackets:\n" +
	"  visit(\"A\")  visit({\"A\", \"B\"}, layer 2..4)  visit(\"A\", 8:10..8:30)  edge(\"A\", \"B\")  avoid(\"A\")\n" +
	"  visit(\"A\") then visit(\"B\")  visit(\"A\") within 3 of visit(\"B\")  before(\"A\", \"B\")\n" +
	"  visits(\"A\") >= 2  stay(\"A\") >= 3  start(\"A\")  end({\"A\", \"B\"})  length 6..9\n" +
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

// loadAliases reads such a file; "" gives none.
func loadAliases(path string) (map[string][]string, error) {
	if path == "" {
		return nil, nil
	}
	data, err := plaintext.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := readAliases(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// readAliases reads names by alias.
func readAliases(r io.Reader) (map[string][]string, error) {
	rows := csv.NewReader(r)
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("the header is missing: %w", err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	column := func(names ...string) int {
		return slices.IndexFunc(header, func(h string) bool {
			return slices.Contains(names,
				strings.ToLower(strings.TrimSpace(h)))
		})
	}
	alias, name := column("alias", "stop_name"), column("name", "stop_id")
	if alias < 0 || name < 0 {
		return nil, fmt.Errorf("line 1: expected columns alias and name (or stop_name and stop_id), found %s",
			strings.Join(header, ", "))
	}
	list := map[string][]string{}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return list, nil
		}
		line, _ := rows.FieldPos(0)
		switch {
		case err != nil:
			return nil, err
		case len(row) <= max(alias, name):
			return nil, fmt.Errorf("line %d: %d columns, expected %d", line, len(row), len(header))
		case row[alias] == "" || row[name] == "":
			return nil, fmt.Errorf("line %d: an empty alias or name", line)
		}
		if !slices.Contains(list[row[alias]], row[name]) {
			list[row[alias]] = append(list[row[alias]], row[name])
		}
	}
}

// largeProduct is how many edges a product has that sample and score speak of.
const largeProduct = 1 << 20

// tellCondition prints how likely the condition is, how large its product with the graph, and what is not exact about
// it, before anything is drawn.
func tellCondition(a *cli.App, m *model.Model, met d3pm.Condition, weighs bool) error {
	c, ok := met.(guide.Condition)
	if !ok {
		return nil
	}
	if m.Stack != nil {
		return tellStack(a, m, c, weighs)
	}
	logp, exact, err := query.LogProb(m, c)
	if err != nil {
		return err
	}
	what, of := "probability", "the model"
	if weighs {
		what = "expected weight"
	}
	if !exact {
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
	for _, note := range p.Notes {
		a.Notef("%s", note)
	}
}

// stepsFor sets the default number of reverse steps to no more than the model's T.
func stepsFor(cmd *cobra.Command, steps *int, m *model.Model) {
	if !cmd.Flags().Changed("steps") {
		*steps = min(*steps, m.Schedule.T())
	}
}

// probability writes a probability, or an expected weight, by its natural logarithm, and that too where it is beyond
// the range of everyday numbers.
func probability(logp float64) string {
	switch {
	case math.IsNaN(logp):
		return "–"
	case math.IsInf(logp, -1):
		return "0"
	case logp > -6 && logp < 13:
		return cli.Real3(math.Exp(logp))
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
	if z := math.Exp(r.LogZ); z > 1e-300 {
		return cli.WithError(z, z*r.StdErr)
	}
	return fmt.Sprintf("%s ± %s", probability(r.LogZ), cli.Percent(r.StdErr))
}

// badWhere points at the character of --where that err is about, and names the flag, or the file that set it.
func badWhere(a *cli.App, cmd *cobra.Command, err error) error {
	return a.BadCondition(origin(cmd, "where"), err)
}
