package kernelcmd

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/kernelext/export"
)

func newKernelExportCmd(a *cli.App) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "export NOTEBOOK",
		Short: "Make a Go program of a notebook",
		Long: "Make a program of one file of a notebook: a function for each cell, called in order; what cells\n" +
			"declare stands at the top, and what they show is printed. Magics and shell commands are left\n" +
			"out, which is said, and comments inside %%live cells. A cell that gives a name another\n" +
			"meaning than a cell before is an error: a program has one.",
		Example: `  ddps kernel export notebooks/00_quickstart.ipynb -o main.go`,
		Args:    cli.WantArgs("NOTEBOOK"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.CheckOut(out); err != nil {
				return err
			}
			book, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			source, notes, err := export.Go(book)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			a.Notes(notes)
			return a.WriteFile(out, func(w io.Writer) error {
				_, err := w.Write(source)
				return err
			})
		},
	}
	cli.OutVar(cmd, &out, "Go `file` to write; standard output if not given", "go")
	return cmd
}
