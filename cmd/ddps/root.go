package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/cmd/ddps/internal/graphcmd"
	"github.com/ddps-go/ddps/cmd/ddps/internal/kernelcmd"
	"github.com/ddps-go/ddps/cmd/ddps/internal/modelcmd"
	"github.com/ddps-go/ddps/cmd/ddps/internal/pathcmd"
	"github.com/ddps-go/ddps/cmd/ddps/internal/reproducecmd"
	"github.com/ddps-go/ddps/cmd/ddps/internal/shardcmd"
	"github.com/ddps-go/ddps/cmd/ddps/internal/traincmd"
)

// newRoot returns the whole command.
func newRoot(a *cli.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "ddps",
		Short: "Discrete diffusion over the paths of layered graphs",
		Long: "ddps learns a distribution over the paths of a layered graph by discrete diffusion, samples\n" +
			"from it and guides the samples to high rewards. A GRAPH is a JSON file made by\n" +
			"'ddps graph', - for standard input, or one of the graphs that come with the program:\n" +
			strings.Join(cli.GraphNames(), ", ") + ".",
		Example: `  ddps graph info heights
  ddps graph import town.osm.pbf --at 24.9369,60.1670 --depth 8 -o town.json
  ddps paths make town.json -n 5000 --how memory -o paths.csv
  ddps doctor`,
		Version:       "x", // for the flag; the template below says it all
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetVersionTemplate(cli.Versions().String())
	root.PersistentFlags().BoolVarP(&a.Quiet, "quiet", "q", false, "no progress and no notes on standard error")
	root.AddCommand(traincmd.NewQuickstart(a), graphcmd.New(a), pathcmd.New(a), traincmd.NewTrain(a),
		modelcmd.NewSample(a), modelcmd.NewView(a), modelcmd.NewExplain(a), modelcmd.NewEvaluate(a),
		modelcmd.NewScore(a), modelcmd.NewPredict(a), shardcmd.NewMerge(a), shardcmd.NewSubmit(a),
		kernelcmd.NewBackend(a), kernelcmd.NewKernel(a), kernelcmd.NewRepl(a),
		reproducecmd.New(a), kernelcmd.NewDoctor(a))
	root.AddCommand(kernelcmd.Moved(a)...)
	finish(a, root)
	return root
}

// finish gives each command with children a plain run that asks for one of them,
// and lets the others note that their work began.
func finish(a *cli.App, cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		finish(a, c)
	}
	if cmd.HasSubCommands() && cmd.RunE == nil {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		}
		return
	}
	cmd.Flags().VisitAll(cli.Once)
	if work := cmd.RunE; work != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckInputs(cmd, args); err != nil {
				return err
			}
			a.Started = true
			return work(cmd, args)
		}
	}
}

// unknownCommand says that cmd has no command name, and which are close to it.
func unknownCommand(cmd *cobra.Command, name string) error {
	err := fmt.Errorf("%s: unknown command %q", cmd.CommandPath(), name)
	if cmd.SuggestionsMinimumDistance <= 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	return err
}
