package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/internal/plaintext"
)

// App is what every command shares: where it writes and the global flags.
type App struct {
	// of the whole command: its end ends the waiting for outputs; nil for one that does not end
	Context        context.Context
	Stdout, Stderr io.Writer
	Quiet          bool // no progress, no notes
	Started        bool // flags and arguments were right, the work began

	input *bufio.Reader // of standard input
}

// Input returns standard input, unpacked if it is packed by gzip, of which a beginning may be looked at.
func (a *App) Input() *bufio.Reader {
	if a.input == nil {
		a.input = bufio.NewReaderSize(plaintext.Unpacked(os.Stdin), headSize)
	}
	return a.input
}

// headSize is how many bytes at the beginning of standard input, or of a file, say what it is.
const headSize = 1 << 16

// UsageError is a wrong command line that only a command itself can see.
type UsageError struct{ error }

// Usagef returns a *usageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Notef writes a line for people to standard error, unless --quiet.
func (a *App) Notef(format string, args ...any) {
	if !a.Quiet {
		fmt.Fprintln(a.Stderr, shown(fmt.Sprintf(format, args...)))
	}
}

// Notes writes what a reader found out, a line each.
func (a *App) Notes(list []string) {
	for _, s := range list {
		a.Notef("%s", s)
	}
}

// Warn reports damage that a library got round, unless --quiet.
func (a *App) Warn(s string) { a.Notef("warning: %s", Message(errors.New(s))) }

// WantArgs demands the arguments named, of which those in brackets may be left
// out. A last name ending in … takes any number more.
func WantArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		needed := 0
		for _, name := range names {
			if strings.HasPrefix(name, "[") {
				continue
			}
			if needed++; needed > len(args) {
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
