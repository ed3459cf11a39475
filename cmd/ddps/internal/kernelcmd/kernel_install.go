package kernelcmd

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/internal/atomicfile"
	"github.com/ddps-go/ddps/kernelext/kernel"
	"github.com/ddps-go/ddps/kernelext/kernel/setup"
)

// kernelPlace is where a kernelspec goes.
type kernelPlace struct {
	user, sysPrefix bool
	prefix          string
}

func (p *kernelPlace) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.user, "user", false, "for this user (default)")
	cmd.Flags().StringVar(&p.prefix, "prefix", "", "under this `directory`, in share/jupyter")
	cmd.Flags().BoolVar(&p.sysPrefix, "sys-prefix", false, "in the Python environment that is active")
	cmd.MarkFlagsMutuallyExclusive("user", "prefix", "sys-prefix")
}

// data returns Jupyter's data directory of the place.
func (p kernelPlace) data() (string, error) {
	if p.sysPrefix {
		prefix, err := setup.SysPrefix()
		if err != nil {
			return "", err
		}
		p.prefix = prefix
	}
	if p.prefix != "" {
		return filepath.Abs(setup.PrefixData(p.prefix))
	}
	return setup.UserData()
}

func newKernelInstallCmd(a *cli.App) *cobra.Command {
	var place kernelPlace
	warm := false
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel for Jupyter",
		Long: "Build the tools behind the kernel (GoNB, goimports, gopls, pinned; minutes, once) and tell\n" +
			"Jupyter of the kernel. The program stays where it is; install again when it moves.",
		Example: `  ddps kernel install
  ddps kernel install --sys-prefix --warm`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, err := place.data()
			if err != nil {
				return err
			}
			note := a.Stderr
			if a.Quiet {
				note = io.Discard
			}
			if err := setup.Setup(cmd.Context(), os.Getenv(setup.EnvGo), note); err != nil {
				return err
			}
			command, err := lastingKernel()
			if err != nil {
				return err
			}
			goTool, _ := exec.LookPath("go")
			dir, err := setup.Install(data, command, goTool)
			if err != nil {
				return err
			}
			a.Notef("installed in %s; 'ddps doctor --notebooks' checks all", dir)
			if !warm {
				return nil
			}
			return kernel.Warm(cmd.Context(), command, ".", note)
		},
	}
	place.flags(cmd)
	cmd.Flags().BoolVar(&warm, "warm", false, "fill the build cache too, for the module of this directory")
	return cmd
}

// lastingKernel is kernelCommand, of a copy of the program in the tools' directory where go run made it for once.
func lastingKernel() ([]string, error) {
	command, err := kernelCommand()
	if err != nil || !setup.Fleeting(command[0]) {
		return command, err
	}
	bin, err := setup.ToolFolder()
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(command[0])
	if err != nil {
		return nil, err
	}
	command[0] = filepath.Join(bin, "ddps")
	return command, atomicfile.WriteFile(command[0], program, 0o755)
}

func newKernelUninstallCmd(a *cli.App) *cobra.Command {
	var place kernelPlace
	cmd := &cobra.Command{
		Use:     "uninstall",
		Short:   "Take the kernel out of Jupyter",
		Example: `  ddps kernel uninstall --sys-prefix`,
		Args:    cli.WantArgs(),
		RunE: func(*cobra.Command, []string) error {
			data, err := place.data()
			if err != nil {
				return err
			}
			dir, err := setup.Uninstall(data)
			if err == nil {
				a.Notef("removed %s", dir)
			}
			return err
		},
	}
	place.flags(cmd)
	return cmd
}
