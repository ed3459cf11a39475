package graphcmd

import (
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
)

// GraphInfo is what graph info tells, in the order of its table.
type GraphInfo struct {
	Attributes map[string]string `json:"attributes,omitempty"`
	Layers     int               `json:"layers"`
	Sizes      []int             `json:"layer_sizes"`
	Vertices   int               `json:"vertices"`
	Reachable  int               `json:"reachable_vertices"` // on some path
	Edges      int               `json:"edges"`
	OnPaths    int               `json:"reachable_edges"`
	MaxDegree  int               `json:"max_out_degree"`
	// [d] reachable vertices before the last layer with d out-edges
	Degrees     []int    `json:"out_degrees"`
	Under6      float64  `json:"share_of_degrees_under_6"` // of these vertices, as the paper's §5 counts
	Paths       *big.Int `json:"paths"`
	Names       bool     `json:"names"`
	Coordinates bool     `json:"coordinates"`
	Places      int      `json:"places"` // distinct
}

func newGraphInfoCmd(a *cli.App) *cobra.Command {
	var asJSON, places bool
	cmd := &cobra.Command{
		Use:   "info GRAPH",
		Short: "Print a graph's size, degrees, number of paths and attributes",
		Example: `  ddps graph info heights
  ddps graph info heights --places
  ddps graph info town.json --json`,
		Args: cli.WantArgs("GRAPH"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := cli.LoadGraph(args[0])
			if err != nil {
				return err
			}
			return a.WriteFile("", func(w io.Writer) error {
				if places {
					return writePlaces(w, g, asJSON)
				}
				if asJSON {
					return cli.WriteJSON(w, infoOf(g))
				}
				return cli.PrintTable(w, nil, infoOf(g).rows())
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().
		BoolVar(&places, "places", false, "list the places instead, by the numbers that conditions call them by: place N")
	return cmd
}

// infoOf measures g.
func infoOf(g *ddps.LayeredGraph) GraphInfo {
	m, p := g.Meta(), g.Prune()
	i := GraphInfo{Attributes: m.Attr, Layers: g.NumLayers(), Vertices: g.NumVertices(), Reachable: p.NumVertices(),
		Edges: g.NumEdges(), OnPaths: p.NumEdges(), MaxDegree: p.MaxDegree(), Paths: ddps.NumPaths(p),
		Names: m.Names != nil, Coordinates: m.XY != nil, Degrees: make([]int, p.MaxDegree()+1)}
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		i.Sizes = append(i.Sizes, hi-lo)
	}
	last, _ := p.Layer(p.NumLayers() - 1)
	for v := range last {
		i.Degrees[p.Degree(v)]++
		if p.Degree(v) < 6 {
			i.Under6 += 1 / float64(last)
		}
	}
	places := map[int]bool{}
	no := g.NoPlaces()
	for v, a := range m.Place {
		if a >= 0 && (no == nil || !no[v]) {
			places[a] = true
		}
	}
	i.Places = len(places)
	return i
}

// rows is the table.
func (i GraphInfo) rows() [][]string {
	sizes := make([]string, len(i.Sizes))
	for l, n := range i.Sizes {
		sizes[l] = cli.Whole(n)
	}
	var degrees []string
	for d, n := range i.Degrees {
		if n > 0 {
			degrees = append(degrees, fmt.Sprintf("%d: %s", d, cli.Whole(n)))
		}
	}
	has := map[bool]string{true: "yes", false: "no"}
	rows := [][]string{
		{"layers", fmt.Sprintf("%d of %s vertices", i.Layers, strings.Join(runLengths(sizes), ", "))},
		{"vertices", fmt.Sprintf("%s, %s of them on some path", cli.Whole(i.Vertices), cli.Whole(i.Reachable))},
		{"edges", fmt.Sprintf("%s, %s of them on some path", cli.Whole(i.Edges), cli.Whole(i.OnPaths))},
		{
			"out-degrees",
			fmt.Sprintf("%s vertices (on paths, before the last layer); %s under 6", strings.Join(degrees, ", "),
				cli.Percent(i.Under6)),
		},
		{"paths", cli.WholeBig(i.Paths)},
		{"names", has[i.Names]},
		{"coordinates", has[i.Coordinates]},
		{"places", cli.Whole(i.Places)},
	}
	for _, k := range slices.Sorted(maps.Keys(i.Attributes)) {
		text := i.Attributes[k]
		if k == ddps.AttrLabels {
			text = cli.Whole(strings.Count(text, "\n")+1) + " places have names of streets or stops"
		}
		rows = append(rows, []string{k, text})
	}
	return rows
}

// runLengths shortens runs of equal words: 1, 4 ×10.
func runLengths(words []string) []string {
	var out []string
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && words[j] == words[i] {
			j++
		}
		if j-i > 2 {
			out = append(out, fmt.Sprintf("%s ×%d", words[i], j-i))
		} else {
			out = append(out, words[i:j]...)
		}
		i = j
	}
	return out
}
