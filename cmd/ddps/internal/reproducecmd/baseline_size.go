package reproducecmd

import (
	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study/table1"
)

// presetCPU is the former name of --preset quick on RQ1.
const presetCPU = "cpu"

// baselineSize is the flags --graph and --preset of the studies of the baselines.
type baselineSize struct{ graph, preset string }

func (s *baselineSize) flags(cmd *cobra.Command) {
	cli.ChoiceVar(cmd, &s.graph, "graph", "", table1.GraphRQ1, table1.Graphs(), "graph: the paper's, or the example's")
	cli.FormerChoiceVar(cmd, &s.preset, "preset", run.PresetQuick, run.Presets(), []string{presetCPU},
		"size: of two CPUs, or the paper's")
}

// of returns the graph and the preset, with a note where they were given in their former words.
func (s *baselineSize) of(a *cli.App, cmd *cobra.Command) (graph, preset string) {
	switch {
	case s.preset == presetCPU:
		s.preset = run.PresetQuick
		a.Notef("--preset cpu is now --preset quick, the default; the old form works for one more release")
	case s.preset == run.PresetQuick && cmd.Flags().Changed("preset") && !cmd.Flags().Changed("graph"):
		a.Notef("--preset quick is now of RQ1, in an hour or so; --graph example takes the example's ten paths, in minutes")
	}
	return s.graph, s.preset
}
