package reproducecmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study"
)

// ofRun sets the graph and the network to those of the run of --run, whose model is part of a shard's content.
func (o *figuresOptions) ofRun(cmd *cobra.Command) error {
	if o.from == "" {
		return nil
	}
	for _, other := range []string{"network", "train-steps"} {
		if cmd.Flags().Changed(other) {
			return cli.Usagef("--run has a model of its own: it does not go with --%s", other)
		}
	}
	r, err := cli.OpenRun(o.from)
	if err != nil {
		return err
	}
	for _, graph := range o.graphs {
		if !slices.Contains(study.Graphs(), graph) {
			continue // an error of studies
		}
		is, err := study.OnGraph(r, graph)
		if err != nil {
			return err
		}
		if is {
			o.graphs, o.network = []string{graph}, r.Config.Model.Network
			o.shard.inputs = map[string]func(io.Writer) error{"run": func(w io.Writer) error {
				m, err := r.Model()
				if err != nil {
					return err
				}
				return m.Save(w)
			}}
			return nil
		}
	}
	return fmt.Errorf("--run: %s is a run on another graph than %s", o.from, strings.Join(o.graphs, ", "))
}
