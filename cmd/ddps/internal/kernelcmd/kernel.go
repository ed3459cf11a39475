package kernelcmd

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/kernelext/kernel"
	"github.com/ddps-go/ddps/kernelext/kernel/gonb"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// NewKernel returns the command ddps kernel.
func NewKernel(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kernel",
		Short: "The kernel for Jupyter notebooks",
		Long: "Notebooks in Go: cells are compiled by GoNB or, where their first line is %%live, interpreted\n" +
			"in milliseconds. 'ddps kernel install' sets all up; then choose DDPS (Go) in Jupyter, or run:\n\n" +
			"  jupyter console --kernel ddps\n" +
			"  jupyter nbconvert --execute --to notebook notebook.ipynb",
		Example: `  ddps kernel install
  ddps kernel artefacts`,
	}
	cmd.AddCommand(newKernelInstallCmd(a), newKernelUninstallCmd(a), newKernelWarmCmd(a), newKernelBenchCmd(a),
		newArtefacts(a), newGC(a), newKernelExportCmd(a), newKernelRunCmd(a), newKernelShimCmd(),
		moved(a, NewDoctor(a), "ddps doctor --notebooks"))
	return cmd
}

// moved returns a command under its earlier name, hidden, which names the present one on standard error.
func moved(a *cli.App, cmd *cobra.Command, now string) *cobra.Command {
	cmd.Hidden = true
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.Notef("this command is now '%s'; the earlier name goes with the next release", now)
		if f := cmd.Flags().Lookup("notebooks"); f != nil {
			if err := f.Value.Set("true"); err != nil {
				return err
			}
		}
		return work(cmd, args)
	}
	return cmd
}

// Moved returns the commands that are now under kernel, by their earlier names.
func Moved(a *cli.App) []*cobra.Command {
	return []*cobra.Command{moved(a, newArtefacts(a), "ddps kernel artefacts"), moved(a, newGC(a), "ddps kernel gc")}
}

func newKernelRunCmd(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "run CONNECTION_FILE",
		Short: "Run the kernel; Jupyter does",
		Long: "Run the kernel on the sockets of a connection file, for a notebook in the working directory,\n" +
			"until it is shut down or the process that started it is gone.",
		Example: `  ddps kernel run connection.json`,
		Args:    cli.WantArgs("CONNECTION_FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return kernel.Run(cmd.Context(), kernel.Config{Connection: args[0], Program: []string{self},
				Shim: []string{self, "kernel", "shim"},
				Go:   os.Getenv(setup.EnvGo), Live: newLive(), Magics: kernelMagics(), Version: cli.Versions().DDPS, Log: a.Stderr})
		},
	}
}

// newKernelShimCmd is for the kernel's own use: it is before what cells run.
func newKernelShimCmd() *cobra.Command {
	return &cobra.Command{
		Use: "shim", Short: "Run a cell's program; the kernel does", Hidden: true, DisableFlagParsing: true,
		Example: `  ddps kernel shim run ./program`,
		Run: func(cmd *cobra.Command, args []string) {
			if len(args) < 2 { // --help
				cmd.Help()
				return
			}
			os.Exit(gonb.Shim(args))
		},
	}
}

// kernelCommand is the command line that runs a kernel, without the connection file.
func kernelCommand() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return []string{self, "kernel", "run"}, nil
}

func newKernelWarmCmd(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "warm",
		Short: "Fill the build cache, so that the first cells are quick",
		Long: "Run typical cells once in a kernel in this directory, which builds what cells need by the kernel's own " +
			"flags.",
		Example: `  ddps kernel warm`,
		Args:    cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			command, err := kernelCommand()
			if err != nil {
				return err
			}
			return kernel.Warm(cmd.Context(), command, ".", a.Stderr)
		},
	}
}

func newKernelBenchCmd(a *cli.App) *cobra.Command {
	rounds := 7
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Time the kernel's start and typical cells",
		Long:    "Start kernels in this directory and time their start and typical cells; medians, caches warm.",
		Example: `  ddps kernel bench -n 3`,
		Args:    cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			command, err := kernelCommand()
			if err != nil {
				return err
			}
			return kernel.Bench(cmd.Context(), command, ".", rounds, a.Stdout)
		},
	}
	cmd.Flags().IntVarP(&rounds, "rounds", "n", rounds, "`count` of how often each is timed")
	return cmd
}
