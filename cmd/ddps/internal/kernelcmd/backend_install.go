package kernelcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/plugin"
)

// plugins are the backends that a plugin can be installed for.
var plugins = []string{"xla:cpu", "xla:cuda"}

// pluginOf returns the plugin that spec needs.
func pluginOf(spec string) (string, error) {
	for _, p := range plugins {
		if spec == p {
			return strings.TrimPrefix(p, "xla:"), nil
		}
	}
	return "", cli.Usagef("no plugin is known for %q: expected %s", spec, strings.Join(plugins, " or "))
}

func newBackendInstallCmd(a *cli.App) *cobra.Command {
	var cfg plugin.Config
	cmd := &cobra.Command{
		Use:   "install xla:cpu|xla:cuda",
		Short: "Install the plugin that XLA runs on",
		Long: "Install the PJRT plugin of xla:cpu or xla:cuda where 'ddps train' looks for it. By default it\n" +
			"comes out of a wheel of the Python package index: that of PIP_INDEX_URL or of pip's\n" +
			"configuration, where there is one. Package, version and sha256 are fixed in this program.\n" +
			"Python is not needed. Where the index is out of reach, the plugin for the CPU is looked for\n" +
			"in the release that go-xla itself installs from. A wheel or a plugin may also be given, as\n" +
			"a file or an https address (http with #sha256=… at the end).\n\n" +
			"The plugin is there whole or not at all. It needs a program with XLA, which this need not be.",
		Example: `  ddps backend install xla:cpu
  ddps backend install xla:cpu --from fastatomstruct_xla_cpu-2026.6.23-py3-none-manylinux_2_27_x86_64.whl
  ddps backend install xla:cuda --dir /usr/local/lib/go-xla`,
		Args: cli.WantArgs("xla:cpu|xla:cuda"), ValidArgs: plugins,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if cfg.Plugin, err = pluginOf(args[0]); err != nil {
				return err
			}
			return installBackend(a, cmd.Context(), cfg)
		},
	}
	cmd.Flags().StringVar(&cfg.From, "from", plugin.FromAuto, "auto, index, github#sha256=… (go-xla's release), or the "+
		"`file or address` (with #sha256=…) of a wheel or plugin")
	cli.FileFlag(cmd, "from", "whl", "so", "gz")
	pluginDirVar(cmd, &cfg.Dir)
	return cmd
}

// pluginDirVar adds --dir.
func pluginDirVar(cmd *cobra.Command, p *string) {
	cmd.Flags().StringVar(p, "dir", "", "`directory` of plugins (default ~/.local/lib/go-xla); that of CUDA goes to "+
		"nvidia in it")
	if err := cmd.MarkFlagDirname("dir"); err != nil {
		panic("ddps: completion of --dir: " + err.Error())
	}
}

// installBackend installs a plugin and says what else is needed.
func installBackend(a *cli.App, ctx context.Context, cfg plugin.Config) error {
	var bar *cli.Progress
	var once sync.Once
	cfg.Progress = func(what string, done, total int64) {
		const mega = 1_000_000
		once.Do(func() { bar = a.NewProgress(what+", MB", 0, int((total+mega-1)/mega)) })
		bar.Set(int((done+mega-1)/mega), "")
	}
	cfg.Wait = func() { a.Notef("another process installs there: waiting for it") }
	r, err := plugin.Install(ctx, cfg)
	if bar != nil {
		bar.Done()
	}
	var away *plugin.Unreachable
	if errors.As(err, &away) {
		err = fmt.Errorf("%w; PIP_INDEX_URL may name an index within reach, --from a wheel or plugin brought here", err)
	}
	if err != nil {
		return err
	}
	done := "installed"
	if r.Already {
		done = "already there:"
	}
	api := ""
	if r.API != "" {
		api = "PJRT API " + r.API + ", "
	}
	if err := a.WriteFile("", func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s %s (%s, %s%s)\n", done, r.File, r.From, api, cli.BytesSize(uint64(r.Size)))
		return err
	}); err != nil {
		return err
	}
	installNotes(a, cfg.Plugin, r)
	return nil
}

// installNotes says what a plugin that was installed still lacks.
func installNotes(a *cli.App, name string, r plugin.Result) {
	if !r.Pinned {
		a.Notef("Not a plugin that this program knows; its sha256 is %s.", r.SHA256)
	}
	if found, err := plugin.Find(name); err != nil || found != r.File {
		a.Notef("It is not what xla:%s opens: set PJRT_PLUGIN_LIBRARY_PATH=%s, or use xla:%s as the backend.", name,
			filepath.Dir(r.File), r.File)
	}
	if name == "cuda" {
		a.Notef("It needs NVIDIA's driver and the libraries of CUDA 13 (with cuDNN, NCCL, NVSHMEM): on LD_LIBRARY_PATH, "+
			"or as in\n"+
			"NVIDIA's wheels in %s.", filepath.Join(filepath.Dir(r.File), "cu13", "lib"))
	}
	if !plugin.Linked {
		a.Notef("This program has no XLA. To build one, with a C compiler, where its source is:\n    %s", plugin.BuildCommand)
		return
	}
	a.Notef("To try it: ddps backend check xla:%s", name)
}

func newBackendUninstallCmd(a *cli.App) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "uninstall xla:cpu|xla:cuda",
		Short: "Remove an installed plugin",
		Example: `  ddps backend uninstall xla:cpu
  ddps backend uninstall xla:cuda --dir /usr/local/lib/go-xla`,
		Args: cli.WantArgs("xla:cpu|xla:cuda"), ValidArgs: plugins,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := pluginOf(args[0])
			if err != nil {
				return err
			}
			file, err := plugin.Uninstall(cmd.Context(), name, dir)
			if err != nil {
				return err
			}
			if other, err := plugin.Find(name); err == nil {
				defer a.Notef("xla:%s still opens %s.", name, other)
			}
			return a.WriteFile("", func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "removed %s\n", file)
				return err
			})
		},
	}
	pluginDirVar(cmd, &dir)
	return cmd
}
