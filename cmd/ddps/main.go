// Command ddps samples paths of layered graphs with discrete diffusion, from a
// street map to guided paths. ddps --help lists what it does; docs are with the
// packages it calls: ddps, datasets, d3pm, guide, metrics, plots.
//
// It leaves with status 0, 1 for an error (one line on standard error), 2 for
// wrong use, 130 when interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
)

// Exit statuses.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	context.AfterFunc(ctx, func() {
		stop() // the next signal kills
		fmt.Fprintln(os.Stderr, "\nddps: stopping; once more to kill")
	})
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// endSignals are the signals that end a command as Ctrl-C does, with its files whole and a checkpoint. SIGHUP stays
// ignored where it is, as under nohup.
func endSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// checked is a writer that keeps the first error.
type checked struct {
	io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// execute runs the command line args and returns the exit status. A command ends
// early, cleanly, when ctx is cancelled.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &checked{Writer: stdout}
	a := &cli.App{Context: ctx, Stdout: out, Stderr: stderr}
	root := newRoot(a)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && out.err != nil { // of help and what else is printed without a check
		err, a.Started = fmt.Errorf("writing standard output: %w", cli.Reason(out.err)), true
	}
	var usage *cli.UsageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "ddps: interrupted")
		return exitInterrupted
	case !a.Started || errors.As(err, &usage):
		fmt.Fprintf(stderr, "ddps: %s\nTry '%s --help'.\n", cli.Message(err), cmd.CommandPath())
		return exitUsage
	}
	fmt.Fprintf(stderr, "ddps: %s\n", cli.Message(err))
	return exitError
}
