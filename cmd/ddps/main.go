// Command ddps samples paths of layered graphs with discrete diffusion, from a
// street map to guided paths. ddps --help lists what it does; docs stand with the
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
	"strconv"
	"strings"
	"syscall"
	"unicode"
)

// Exit statuses.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // the next signal kills
		fmt.Fprintln(os.Stderr, "\nddps: stopping; once more to kill")
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command line args and returns the exit status. A command ends
// early, cleanly, when ctx is cancelled.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	root := newRoot(a)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "ddps: interrupted")
		return exitInterrupted
	case !a.started || errors.As(err, &usage):
		fmt.Fprintf(stderr, "ddps: %s\nTry '%s --help'.\n", message(err), cmd.CommandPath())
		return exitUsage
	}
	fmt.Fprintf(stderr, "ddps: %s\n", message(err))
	return exitError
}

// packages are the prefixes by which the libraries' errors say where they are
// from: right in a program's log, noise on a command line.
var packages = [...]string{"ddps", "chain", "mixture", "d3pm", "mlp", "unet", "model", "train",
	"guide", "where", "metrics", "baselines", "edpgnn", "swingnn", "datasets", "experiment", "plots", "kernel", "backend", "probe", "plugin", "safetensors", "toml"}

// message returns the error on one line, without the libraries' prefixes.
func message(err error) string {
	parts := strings.Split(err.Error(), ": ")
	kept := parts[:0]
	for i, p := range parts {
		last := i == len(parts)-1
		noise := false
		for _, name := range packages {
			noise = noise || p == name && !last
		}
		if !noise {
			kept = append(kept, p)
		}
	}
	return shown(strings.ReplaceAll(strings.TrimSpace(strings.Join(kept, ": ")), "\n", "; "))
}

// shown makes control characters, which may come from a file, visible and harmless to a terminal; tabs and ends of
// lines stay.
func shown(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
