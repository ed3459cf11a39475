package traincmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// walkVars adds the flags of walks.
func (o *trainOptions) walkVars(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&o.tests, "test", nil, "`file` of walks to test on: the model's NLL is printed; without "+
		"--graph their moves are in the graph, too; may be repeated")
	cli.FileFlag(cmd, "test")
	cli.GroupFlags(cmd, "Data", "graph", "paths", "test", "vertices", "hold")
	o.walks.MakeVars(cmd)
	o.walks.ReadVars(cmd)
}

// read returns the paths to learn from, and sets those to test on: of a graph made of the walks where none is named.
func (o *trainOptions) read(a *cli.App, cmd *cobra.Command) (*datasets.Data, error) {
	reading, making := o.walks.Given(cmd)
	switch {
	case len(o.paths) == 0 && o.graph == "":
		return nil, cli.Usagef("--paths is needed: walks, of which the graph is made unless --graph names one (or --resume)")
	case o.graph != "" && len(making) > 0:
		return nil, cli.Usagef("%s: they make a graph, and --graph names one", strings.Join(making, ", "))
	case len(o.paths) == 0 && !canMakeData(o.graph):
		if _, err := cli.LoadGraph(o.graph); err != nil { // a name that is misspelt
			return nil, err
		}
		return nil, cli.Usagef("--paths is needed: data come with %s only, not with %s", strings.Join(run.DataNames(), ", "),
			o.graph)
	case len(o.paths) == 0 && len(reading) > 0:
		return nil, cli.Usagef("%s: of files of walks, and there is no --paths", strings.Join(reading, ", "))
	case len(o.paths) == 0:
		return run.MakeData(o.graph, o.preset)
	case o.graph == "" && o.by == "number":
		return nil, cli.Usagef("--vertices number needs a --graph")
	case o.graph == "":
		return o.makeGraph(a)
	}
	return o.onGraph(a, reading)
}

// makeGraph makes a graph of the walks to learn from and to test on.
func (o *trainOptions) makeGraph(a *cli.App) (*datasets.Data, error) {
	var sets []*sequences.Walks
	for _, files := range [][]string{o.paths, o.tests} {
		if len(files) == 0 {
			continue
		}
		w, err := o.walks.Read(a, files...)
		if err != nil {
			return nil, err
		}
		sets = append(sets, w)
	}
	r, err := o.walks.Make(a, sets...)
	if err != nil {
		return nil, err
	}
	if r.Data[0] == nil {
		return nil, fmt.Errorf("%s: no walk is left to learn from", o.paths[0])
	}
	if len(sets) > 1 {
		o.test = r.Data[1]
	}
	a.Notef("%s", cli.WalksNote(r.Data[0]))
	a.Notef("the graph: %s layers, %s vertices, %s edges", cli.Whole(r.Graph.NumLayers()),
		cli.Whole(r.Graph.NumVertices()), cli.Whole(r.Graph.NumEdges()))
	return r.Data[0], nil
}

// onGraph reads the paths of a graph.
func (o *trainOptions) onGraph(a *cli.App, reading []string) (*datasets.Data, error) {
	single := len(o.paths) == 1 && len(reading) == 0 && len(o.tests) == 0
	if single && o.graph == "dna" { // of the length of the sequences
		return a.LoadPaths(o.graph, o.paths[0], o.by)
	}
	g, err := cli.LoadGraph(o.graph)
	switch {
	case err != nil:
		return nil, err
	case single && (!g.Walks() || o.by == "number"):
		return a.ReadPaths(o.paths[0], g, o.by)
	case !g.Walks():
		return nil, cli.Usagef("--graph %s has paths of one length: of its files --paths takes one, and no %s", o.graph,
			strings.Join(append(reading, "--test"), ", "))
	}
	d, r, err := o.walks.Paths(a, g, o.paths...)
	if err == nil && d == nil {
		err = fmt.Errorf("%s: no walk is a path of the graph: %s", o.paths[0], r.List()[0])
	}
	if err == nil && len(o.tests) > 0 {
		if o.test, r, err = o.walks.Paths(a, g, o.tests...); err == nil {
			o.impossible = r.Total()
		}
	}
	return d, err
}

// noteKnown says how many walks of a set are of paths in the training set.
func noteKnown(a *cli.App, what string, train, of *datasets.Data) {
	if of == nil || !of.Graph.Walks() {
		return
	}
	known, total := sequences.KnownWalks(train, of)
	a.Notef("%s: %s walks, %s of them (%s) of paths in the training set", what, cli.Whole(total), cli.Whole(known),
		cli.Percent(float64(known)/float64(total)))
}

// testModel prints the NLL of the walks of --test.
func (o *trainOptions) testModel(a *cli.App, cmd *cobra.Command, r *run.Run, m *model.Model) error {
	if len(o.tests) == 0 {
		return nil
	}
	impossible := ""
	if o.impossible > 0 {
		impossible = fmt.Sprintf("; %s more are no paths of the graph", cli.Whole(o.impossible))
	}
	if o.test == nil {
		a.Notef("test: no walk is a path of the graph%s", impossible)
		return nil
	}
	d := o.test.Prune()
	noteKnown(a, "test", r.Data.Prune(), d)
	nats, err := cli.Scores(a, cmd.Context(), &d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule,
		Steps: min(d3pm.DefaultSteps, m.Schedule.T()), Draws: 8}, d.Paths, 0)
	if err != nil {
		return err
	}
	s := query.Summarize(nats, d.Counts)
	_, err = fmt.Fprintf(a.Stdout, "test: NLL %s nats per walk (%s walks%s)\n", cli.NLL(s.NLL, s.StdErr),
		cli.Whole(s.Walks), impossible)
	return err
}
