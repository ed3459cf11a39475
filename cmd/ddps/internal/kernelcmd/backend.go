package kernelcmd

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/plugin"
)

// NewBackend returns the command ddps backend.
func NewBackend(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backend",
		Short: "List, install, check and remove backends for training",
		Long: "What --backend names is one of GoMLX: go or go:large, which are always there, or XLA, which\n" +
			"needs a program built with it (" + plugin.BuildCommand + ")\n" +
			"and a plugin: xla:cpu, xla:cuda, or xla: and the absolute path of any PJRT plugin. auto is\n" +
			"the first of xla:cuda, xla:cpu and go that opens. Where none is named, an MLP trains in Go\n" +
			"made for it, and a U-Net on go:large.",
		Example: `  ddps backend list
  ddps backend install xla:cpu
  ddps backend check xla:cpu`,
	}
	cmd.AddCommand(newBackendListCmd(a), newBackendInstallCmd(a), newBackendUninstallCmd(a), newBackendCheckCmd(a),
		newBackendProbeCmd(a))
	return cmd
}

// reportFormats are the formats of what backend list and check tell.
var reportFormats = []string{"text", "json"}

// BackendInfo is what backend list reports of a backend.
type BackendInfo struct {
	Backend string `json:"backend"`
	Built   bool   `json:"in_this_build"`
	Usable  bool   `json:"usable"`             // as far as it shows without opening it
	Plugin  string `json:"plugin,omitempty"`   // its file
	API     string `json:"pjrt_api,omitempty"` // the plugin's version, if it can be told
	Note    string `json:"note,omitempty"`     // what it is, or what to do to have it
}

func newBackendListCmd(a *cli.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the backends: which are in this build, which plugins are there, what to do",
		Example: `  ddps backend list
  ddps backend list --format json`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := listBackends(cmd.Context())
			return a.WriteFile("", func(w io.Writer) error {
				if format == "json" {
					return cli.WriteJSON(w, list)
				}
				return cli.PrintTable(w, []string{"backend", "in this build", "usable", "plugin", "PJRT API", "note"},
					backendRows(list))
			})
		},
	}
	cli.ChoiceVar(cmd, &format, "format", "", "text", reportFormats, "format")
	return cmd
}

func backendRows(list []BackendInfo) [][]string {
	word := map[bool]string{true: "yes", false: "no"}
	rows := make([][]string, len(list))
	for k, b := range list {
		rows[k] = []string{b.Backend, word[b.Built], word[b.Usable], b.Plugin, b.API, b.Note}
	}
	return rows
}

// listBackends looks at all backends. Plugins are loaded only by processes of their own.
func listBackends(ctx context.Context) []BackendInfo {
	list := []BackendInfo{
		{Backend: "go", Built: true, Usable: true, Note: "GoMLX's Go backend"},
		{Backend: "go:large", Built: true, Usable: true, Note: "the same with blocked products on all cores, for large " +
			"batches"},
	}
	first := "go"
	for _, name := range []string{"cpu", "cuda"} {
		b := xlaInfo(ctx, name)
		if b.Usable {
			first = b.Backend
		}
		list = append(list, b)
	}
	return append(list, BackendInfo{Backend: "auto", Built: true, Usable: true, Note: "the first that opens of " +
		"xla:cuda, xla:cpu, go; here it begins with " + first})
}

// xlaInfo looks for XLA's plugin of that name.
func xlaInfo(ctx context.Context, name string) BackendInfo {
	b := BackendInfo{Backend: "xla:" + name, Built: plugin.Linked}
	path, err := plugin.Find(name)
	if err != nil {
		b.Note = "no plugin; to have it: ddps backend install " + b.Backend
	} else if b.Plugin, err = path, plugin.Check(path); err != nil {
		b.Note = cli.Message(err) + "; in its place: ddps backend install " + b.Backend
	}
	if !b.Built {
		if b.Note != "" {
			b.Note += "; "
		}
		b.Note += "to have XLA: " + plugin.BuildCommand
	}
	if err != nil {
		return b
	}
	b.Usable = b.Built
	if w, ok := plugin.Known(path); ok {
		b.API = w.API
	} else if b.Built {
		answer, err := AskProbe(ctx, "--api", path)
		if b.API = answer.API; err != nil {
			b.Usable, b.Note = false, cli.Message(err)
		}
	}
	if b.Usable {
		b.Note = fmt.Sprintf("to try it: ddps backend check %s", b.Backend)
	}
	return b
}
