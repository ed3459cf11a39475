package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/experiment"
)

func newAllCmd(a *app) *cobra.Command {
	var o figuresOptions
	cmd := &cobra.Command{
		Use:   "all",
		Short: "All tables and figures of the paper, and the report",
		Long: "Make figures 4 to 6 and the study of memory, and write the report of all results in the folder: those of\n" +
			"table1 and validity too, where these commands wrote to it. A run that was stopped goes on. At the quick preset it\n" +
			"takes minutes on two processors; at the paper's, the paper's samples and instances take many hours.",
		Example: "  ddps reproduce all\n  ddps reproduce all --preset paper -o out/paper",
		Args:    wantArgs(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.reproduceAll(cmd.Context(), &o) },
	}
	o.flags(cmd, experiment.StudyGraphs())
	return cmd
}

func (a *app) reproduceAll(ctx context.Context, o *figuresOptions) error {
	if err := a.study(ctx, o, experiment.StudyGraphs()); err != nil {
		return err
	}
	for _, graph := range o.graphs {
		if graph == "toy" {
			continue // its data have no memory
		}
		r := recallOptions{graph: graph, preset: o.preset, network: d3pm.NetworkNone, out: o.out, seeds: 1}
		if err := a.recall(ctx, &r); err != nil {
			return err
		}
	}
	return a.report(o.out)
}
