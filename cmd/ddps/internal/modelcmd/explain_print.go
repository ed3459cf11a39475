package modelcmd

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/query"
)

// explanationTable prints an explanation; known reports whether the model's distribution is known in closed form.
func explanationTable(w io.Writer, g *ddps.LayeredGraph, e *query.Explanation, c guide.Condition, known bool) error {
	what := "probability"
	if e.Weighs {
		what = "expected weight"
	}
	model := probability(e.LogModel)
	if e.Particles != nil {
		model = estimate(e.Particles)
	}
	if e.StdErr > 0 && !math.IsInf(e.StdErr, 1) && e.Particles == nil {
		model = cli.WithError(e.Model, e.StdErr)
	}
	all, thread := e.Product.Bytes()
	rows := [][]string{{"condition", e.Text}, {"paths that meet it", ofAll(e.Paths, e.All)},
		{"product with the graph", fmt.Sprintf("%s states, %s edges; %s, and %s a thread", cli.Whole(e.Product.States()),
			cli.Whole(e.Product.Edges()), cli.BytesSize(all), cli.BytesSize(thread))},
		{what + " in the data", probability(e.LogData)}, {what + " under the fitted chain",
			probability(e.LogChain)}, {what + " under the model", model}}
	for _, p := range e.Parts {
		rows = append(rows, []string{"under the part " + p.Name, partText(p)})
	}
	for _, note := range e.Product.Absent {
		rows = append(rows, []string{"named, but not there", note})
	}
	for _, note := range e.Product.Notes {
		rows = append(rows, []string{"not exact", note})
	}
	if e.Draws > 0 {
		rows = append(rows, []string{"by draws", fmt.Sprintf("%s for each part that is not tractable: "+
			"best paths, visits and means", cli.Whole(e.Draws))})
	}
	if !math.IsNaN(e.LogMost) {
		rows = append(rows, []string{"at most, with what rounding leaves out", probability(e.LogMost)})
	}
	for _, t := range e.Totals {
		rows = append(rows, []string{fmt.Sprintf("mean %s under %s", t.Name, e.Of),
			fmt.Sprintf("%s; %s without the condition", meanText(t.Given, t.GivenErr), meanText(t.All, t.AllErr))})
	}
	rows = append(rows, mostLikelyRows(g, e, known)...)
	if err := cli.PrintTable(w, nil, rows); err != nil {
		return err
	}
	if err := bestTable(w, g, e, c); err != nil {
		return err
	}
	return termTable(w, e)
}

// meanText writes a mean, with its standard error where it is estimated.
func meanText(mean, se float64) string {
	if se > 0 {
		return cli.WithError(mean, se)
	}
	return fmt.Sprintf("%.6g", mean)
}

// mostLikelyRows are those of the most likely paths.
func mostLikelyRows(g *ddps.LayeredGraph, e *query.Explanation, known bool) (rows [][]string) {
	if e.Chains == nil {
		rows = append(rows, []string{"most likely under the chain", "none"})
	}
	if e.Models == nil && known {
		rows = append(rows, []string{"most likely under the model", "none"})
	}
	for _, l := range []struct {
		under string
		of    *query.MostLikely
	}{{"chain", e.Chains}, {"model", e.Models}} {
		if l.of == nil {
			continue
		}
		name, its := "most likely under the "+l.under, "its probability there"
		if e.Weighs {
			name, its = "most likely, weighed, under the "+l.under, its+", without the weight"
		}
		if !l.of.Sure {
			name += ", of very many"
		}
		rows = append(rows, []string{name, cli.PathText(g, l.of.Path)}, []string{its, probability(l.of.LogProb)})
	}
	return rows
}

// bestTable prints the most likely paths, where several are; of a condition that weighs them the probability with the
// weight, by which they are in order, stands beside that without.
func bestTable(w io.Writer, g *ddps.LayeredGraph, e *query.Explanation, c guide.Condition) error {
	if len(e.Best) < 2 {
		return nil
	}
	rows := make([][]string, len(e.Best))
	for i, b := range e.Best {
		sure := ""
		if !b.Sure {
			sure = "of very many"
		}
		rows[i] = []string{strconv.Itoa(i + 1), probability(b.LogProb), cli.PathText(g, b.Path), sure}
		if e.Weighs {
			rows[i] = slices.Insert(rows[i], 2, probability(b.LogProb+c.LogWeight(b.Path)))
		}
	}
	head := []string{"", "probability", "most likely paths under " + e.Of, ""}
	if e.Weighs {
		head = []string{"", "probability", "times its weight", "most likely paths, weighed, under " + e.Of, ""}
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return cli.PrintTable(w, head, rows)
}

// termTable prints the terms, where several are, and names the one that makes the condition rare.
func termTable(w io.Writer, e *query.Explanation) error {
	if e.Terms == nil {
		return nil
	}
	rows, rare := make([][]string, len(e.Terms)), 0
	for i, t := range e.Terms {
		paths, edges := "too many states", ""
		if t.Paths != nil {
			paths, edges = cli.WholeBig(t.Paths), cli.Whole(t.Edges)
		}
		rows[i] = []string{t.Text, paths, edges, probability(t.LogData), probability(t.LogChain),
			probability(t.LogModel), probability(t.LogOthers), givenOthers(t)}
		if !math.IsNaN(t.LogGiven) && !(e.Terms[rare].LogGiven <= t.LogGiven) {
			rare = i
		}
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := cli.PrintTable(w, []string{"alone", "paths", "edges", "data", "chain", e.Of[4:], "without it",
		"given the others"}, rows); err != nil {
		return err
	}
	if math.IsNaN(e.Terms[rare].LogGiven) || e.Weighs {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nThe rarest: %s, probability %s given the others.\n", e.Terms[rare].Text,
		givenOthers(e.Terms[rare]))
	return err
}

// givenOthers writes the probability of a term given the others, with its standard error.
func givenOthers(t query.Term) string {
	p := math.Exp(t.LogGiven)
	if se := p * t.StdErr; se > 0 && !math.IsInf(se, 1) {
		return cli.WithError(p, se)
	}
	return probability(t.LogGiven)
}

// writeMarginals writes a row a vertex: the probability of a visit. Layers count as in conditions, a source's too.
func writeMarginals(w io.Writer, g *ddps.LayeredGraph, e *query.Explanation) error {
	c := csv.NewWriter(w)
	c.Write([]string{"layer", "vertex", "place", "given", "all"}) // its error stays and shows below
	var no []bool
	if g.Walks() {
		no = g.NoPlaces()
	}
	for v := range g.NumVertices() {
		if no != nil && no[v] { // no place of a walk
			continue
		}
		place := ""
		if p := g.Meta().Place; p != nil {
			place = strconv.Itoa(p[v])
		}
		c.Write([]string{strconv.Itoa(g.LayerOf(v) + 1), g.Name(v), place,
			strconv.FormatFloat(e.Visits[v], 'g', -1, 64), strconv.FormatFloat(e.AllVisit[v], 'g', -1, 64)})
	}
	c.Flush()
	return c.Error()
}

// ofAll writes a number of paths and its share of all.
func ofAll(n, all *big.Int) string {
	const least = 1e-300
	share, _ := new(big.Rat).SetFrac(n, all).Float64()
	percent := cli.Real3(100 * share)
	if n.Sign() > 0 && 100*share < least {
		percent = fmt.Sprintf("less than %g", least)
	}
	return fmt.Sprintf("%s of %s (%s%%)", cli.WholeBig(n), cli.WholeBig(all), percent)
}
