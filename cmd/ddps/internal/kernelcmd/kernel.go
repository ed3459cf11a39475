package kernelcmd

import (
	"fmt"
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
  ddps kernel doctor`,
	}
	cmd.AddCommand(newKernelInstallCmd(a), newKernelUninstallCmd(a), newKernelDoctorCmd(a), newKernelWarmCmd(a), newKernelBenchCmd(a),
		newKernelExportCmd(a), newKernelRunCmd(a), newKernelShimCmd())
	return cmd
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
			return kernel.Run(cmd.Context(), kernel.Config{Connection: args[0], Program: []string{self}, Shim: []string{self, "kernel", "shim"},
				Go: os.Getenv(setup.EnvGo), Live: newLive(), Magics: kernelMagics(), Version: cli.Versions().DDPS, Log: a.Stderr})
		},
	}
}

// newKernelShimCmd is for the kernel's own use: it stands before what cells run.
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

func newKernelDoctorCmd(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check that notebooks can run here",
		Long: "Check Jupyter, Go, the tools behind the kernel, the kernelspec, the Go module of this folder\n" +
			"and the build cache. A line for each: ok, warn or fail, with what to do. The status is 1 if\n" +
			"any fails.",
		Example: `  ddps kernel doctor`,
		Args:    cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			states := map[setup.Level]string{setup.OK: StateOK, setup.Warn: StateWarn, setup.Fail: stateFail}
			list := setup.Doctor(cmd.Context(), ".", os.Getenv(setup.EnvGo))
			rows, failed := make([][]string, len(list)), 0
			for i, f := range list {
				rows[i] = []string{states[f.Level], f.What, f.Detail}
				if f.Level == setup.Fail {
					failed++
				}
			}
			if err := cli.PrintTable(a.Stdout, nil, rows); err != nil {
				return err
			}
			if failed > 0 {
				return fmt.Errorf("kernel doctor: %d of %d checks failed", failed, len(list))
			}
			return nil
		},
	}
}

func newKernelWarmCmd(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "warm",
		Short:   "Fill the build cache, so that the first cells are quick",
		Long:    "Run typical cells once in a kernel in this folder, which builds what cells need by the kernel's own flags.",
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
		Long:    "Start kernels in this folder and time their start and typical cells; medians, caches warm.",
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
