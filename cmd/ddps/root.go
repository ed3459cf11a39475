package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// app is what every command shares: where it writes and the global flags.
type app struct {
	stdout, stderr io.Writer
	quiet          bool // no progress, no notes
	started        bool // flags and arguments were right, the work began
}

// usageError is a wrong command line that only a command itself can see.
type usageError struct{ error }

// usagef returns a *usageError.
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// notef writes a line for people to standard error, unless --quiet.
func (a *app) notef(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, shown(fmt.Sprintf(format, args...)))
	}
}

// notes writes what a reader found out, a line each.
func (a *app) notes(list []string) {
	for _, s := range list {
		a.notef("%s", s)
	}
}

// warn tells people of damage that a library got round, unless --quiet.
func (a *app) warn(s string) { a.notef("warning: %s", message(errors.New(s))) }

// newRoot returns the whole command.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "ddps",
		Short: "Discrete diffusion over the paths of layered graphs",
		Long: "ddps learns a distribution over the paths of a layered graph by discrete diffusion, samples\n" +
			"from it and guides the samples to high rewards. A GRAPH is a JSON file made by\n" +
			"'ddps graph', - for standard input, or one of the graphs that come with the program:\n" +
			strings.Join(graphNames(), ", ") + ".",
		Example: `  ddps graph info heights
  ddps graph import town.osm.pbf --at 24.9369,60.1670 --depth 8 -o town.json
  ddps paths make town.json -n 5000 --how memory -o paths.csv
  ddps doctor`,
		Version:       "x", // for the flag; the template below says it all
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate(versions().String())
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no notes on standard error")
	root.AddCommand(newQuickstartCmd(a), newGraphCmd(a), newPathsCmd(a), newTrainCmd(a), newSampleCmd(a), newViewCmd(a), newExplainCmd(a), newEvaluateCmd(a),
		newScoreCmd(a), newBackendCmd(a), newKernelCmd(a), newArtefactsCmd(a), newGCCmd(a), newReplCmd(a), newReproduceCmd(a), newDoctorCmd(a))
	finish(a, root)
	return root
}

// finish gives each command with children a plain run that asks for one of them,
// and lets the others note that their work began.
func finish(a *app, cmd *cobra.Command) {
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
	cmd.Flags().VisitAll(once)
	if work := cmd.RunE; work != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			a.started = true
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

// wantArgs demands the arguments named, of which those in brackets may be left
// out. A last name ending in … takes any number more.
func wantArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		for i, name := range names {
			if i >= len(args) && !strings.HasPrefix(name, "[") {
				return fmt.Errorf("argument %s is missing", strings.TrimSuffix(name, "…"))
			}
		}
		open := len(names) > 0 && strings.HasSuffix(strings.TrimSuffix(names[len(names)-1], "]"), "…")
		if len(args) > len(names) && !open {
			return fmt.Errorf("argument %q is one too many", args[len(names)])
		}
		return nil
	}
}
