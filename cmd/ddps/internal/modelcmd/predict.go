package modelcmd

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/query"
)

// predictOptions are the flags of predict.
type predictOptions struct {
	prefix string
	best   int
	json   bool
}

// NewPredict returns the command ddps predict.
func NewPredict(a *cli.App) *cobra.Command {
	var o predictOptions
	cmd := &cobra.Command{
		Use:   "predict RUN --prefix PLACES",
		Short: "Print where a walk goes next, given its first places",
		Long: "Print the probability of each next place of a walk that begins with --prefix, the most likely first, and " +
			"that it\n" +
			"ends there: exactly, for a model whose distribution is known, one without a network. Without a " +
			"prefix, or with an\n" +
			"empty one, they are the probabilities of the first place.",
		Example: `  ddps predict runs/flights --prefix JFK,ATL,MIA -k 5
  ddps predict runs/log --prefix '"ER Registration",CRP' --json`,
		Args: cli.WantArgs("RUN"),
		RunE: func(_ *cobra.Command, args []string) error { return predict(a, args[0], &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.prefix, "prefix", "", "first `places` of the walk, with commas between; names with commas in double "+
		"quotes")
	cli.CountVar(cmd, &o.best, "best", "k", 10, 1, "how many places to print")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// prediction is a place that may be next.
type prediction struct {
	Place *string `json:"place"` // null: the walk ends
	Prob  float64 `json:"probability"`
}

func predict(a *cli.App, path string, o *predictOptions) error {
	m, _, err := a.OpenModel(path)
	if err != nil {
		return err
	}
	if !m.Tractable() {
		return fmt.Errorf("%s: the next place is predicted exactly, by a model whose distribution is known: one without a "+
			"network", path)
	}
	names, err := readPrefix(o.prefix)
	if err != nil {
		return err
	}
	beginning, err := cli.Beginning(m.Graph, names)
	if err != nil {
		return fmt.Errorf("--prefix: %w", err)
	}
	var list []prediction
	logp := 0.0
	if len(beginning) == 0 { // one start
		name := m.Graph.Name(0)
		list = []prediction{{&name, 1}}
	} else if list, logp, err = nextPlaces(m.Graph, query.NewNext(m), beginning); err != nil {
		if errors.Is(err, query.ErrNoBeginning) {
			err = fmt.Errorf("--prefix %s: %w", o.prefix, query.ErrNoBeginning)
		}
		return err
	}
	more := max(0, len(list)-o.best)
	list = list[:min(o.best, len(list))]
	return a.WriteFile("", func(w io.Writer) error {
		if o.json {
			return cli.WriteJSON(w, struct {
				Prefix  []string     `json:"prefix"`
				LogProb float64      `json:"log_probability"`
				Next    []prediction `json:"next"`
				More    int          `json:"more"`
			}{append([]string{}, names...), min(0, logp), list, more})
		}
		if err := predictTable(w, list); err != nil {
			return err
		}
		a.Notef("probability of such a beginning: %s%s", probability(logp),
			map[bool]string{true: fmt.Sprintf("; %s more places, -k shows more", cli.Whole(more))}[more > 0])
		return nil
	})
}

// readPrefix reads names with commas between, as a row of CSV.
func readPrefix(text string) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	row, err := r.Read()
	if err != nil {
		return nil, cli.Usagef("--prefix %s: %w", text, err)
	}
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row, nil
}

// nextPlaces returns the places that may follow a beginning, the most likely first, equal ones in the order of the
// graph, and the logarithm of the beginning's probability.
func nextPlaces(g *ddps.LayeredGraph, next *query.Next, beginning ddps.Path) ([]prediction, float64, error) {
	if len(beginning) == g.NumLayers() {
		return nil, 0, fmt.Errorf("--prefix: it has all places of the longest path")
	}
	row, logp, err := next.After(beginning)
	if err != nil {
		return nil, 0, err
	}
	var list []prediction
	pads, to := g.Pads(), g.Headings()
	lo, _ := g.Edges(beginning[len(beginning)-1])
	for k, p := range row {
		v := g.Head(lo + k)
		one := prediction{nil, p}
		if name := g.Name(v); pads == nil || !pads[v] {
			if to != nil && to[v] != "" { // on the way there
				name = to[v]
			}
			one.Place = &name
		}
		if p > 0 {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(x, y prediction) int { return cmp.Compare(y.Prob, x.Prob) })
	return list, logp, nil
}

// predictTable prints predictions.
func predictTable(w io.Writer, list []prediction) error {
	rows := make([][]string, len(list))
	for i, p := range list {
		name := "(the walk ends)"
		if p.Place != nil {
			name = *p.Place
		}
		rows[i] = []string{strconv.Itoa(i + 1), cli.Real3(p.Prob), name}
	}
	return cli.PrintTable(w, []string{"", "probability", "next place"}, rows)
}
