package modelcmd

import (
	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/run"
)

// noCondition as --where leaves out the condition of a run.
const noCondition = "none"

// conditionOf returns the condition of a command: that of --where, or else that of the run (run.Config.Where), which is
// noted; "" is none, and so is --where none.
func conditionOf(a *cli.App, cmd *cobra.Command, text string, r *run.Run) string {
	switch {
	case text == noCondition:
		return ""
	case cmd.Flags().Changed("where") || r == nil || r.Config.Where == "":
		return text
	}
	a.Notef("the run's condition (where in its config.toml): %s; --where none leaves it out", r.Config.Where)
	return r.Config.Where
}
