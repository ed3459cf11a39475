package kernelcmd

import (
	"os"
	"os/signal"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/kernelext/repl"
)

// replOptions are the flags of repl.
type replOptions struct {
	history, graphics string
}

// NewRepl returns the command ddps repl.
func NewRepl(a *cli.App) *cobra.Command {
	var o replOptions
	cmd := &cobra.Command{
		Use:   "repl [SCRIPT]",
		Short: "Go, line by line, with the project at hand",
		Long: "A prompt for Go that is interpreted in milliseconds: what the project offers in short names, values\n" +
			"that stay, figures in the terminal. Ctrl-C stops a line that runs, :help shows examples. With SCRIPT,\n" +
			"a file of Go (- for standard input), or without a terminal, lines are run and the first error ends the program " +
			"with status 1.",
		Example: `  ddps repl
  ddps repl script.go
  ddps repl -`,
		Args: cli.WantArgs("[SCRIPT]"),
		RunE: func(cmd *cobra.Command, args []string) error { return startRepl(a, cmd, &o, args) },
	}
	cmd.Flags().StringVar(&o.history, "history", "", "`file` of lines typed before (default in ~/.local/state/ddps); - "+
		"for none")
	cli.ChoiceVar(cmd, &o.graphics, "graphics", "", "auto",
		[]string{"auto", string(repl.Kitty), string(repl.Blocks), string(repl.Coarse), string(repl.None)}, "how figures show")
	cli.FileFlag(cmd, "history")
	return cmd
}

func startRepl(a *cli.App, cmd *cobra.Command, o *replOptions, args []string) error {
	c := repl.Config{Out: a.Stdout, Err: a.Stderr, Quiet: a.Quiet}
	if o.graphics != "auto" {
		c.Graphics = repl.Graphics(o.graphics)
	}
	if len(args) > 0 && args[0] != "-" {
		return repl.File(cmd.Context(), c, args[0])
	}
	if len(args) > 0 || !term.IsTerminal(int(os.Stdin.Fd())) {
		return repl.Pipe(cmd.Context(), c, cmd.InOrStdin(), "standard input")
	}
	switch o.history {
	case "-":
	case "":
		name, err := repl.HistoryFile()
		if err != nil {
			a.Warn(err.Error())
		}
		c.History = name
	default:
		c.History = o.history
	}
	signal.Reset(os.Interrupt) // from now on it ends a line, not the program
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	defer signal.Stop(ch)
	c.Interrupts = ch
	return repl.Interactive(cmd.Context(), c)
}
