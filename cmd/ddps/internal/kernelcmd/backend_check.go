package kernelcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/plugin"
)

// BackendCheck is what backend check reports of a backend.
type BackendCheck struct {
	Backend string         `json:"backend"`
	OK      bool           `json:"ok"`
	Report  *plugin.Report `json:"report,omitempty"`
	Error   string         `json:"error,omitempty"`
	log     []string       // what the plugin wrote to standard error
}

func newBackendCheckCmd(a *cli.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "check [BACKEND…]",
		Short: "Open backends and compare a step on them with the right numbers",
		Long: "Open each backend, by default all of this build whose plugins are there, run a matrix product\n" +
			"and its gradients and compare them with the right numbers to what float32 allows. A line for\n" +
			"each: ok or fail, its device, how long it takes to open, to compile and to run. The status is\n" +
			"1 if any fails. Each runs in a process of its own: what crashes is reported.",
		Example: `  ddps backend check
  ddps backend check xla:cpu xla:cuda
  ddps backend check xla:/opt/plugins/pjrt_c_api_cpu_plugin.so --format json`,
		Args: cli.WantArgs("[BACKEND…]"), ValidArgs: []string{"go", "go:large", "xla:cpu", "xla:cuda", "auto"},
		RunE: func(cmd *cobra.Command, args []string) error { return checkBackends(a, cmd.Context(), args, format) },
	}
	cli.ChoiceVar(cmd, &format, "format", "", "text", reportFormats, "format")
	return cmd
}

// checkBackends checks the backends named, or those that should work.
func checkBackends(a *cli.App, ctx context.Context, specs []string, format string) error {
	if len(specs) == 0 {
		specs = []string{"go", "go:large"}
		for _, p := range plugins {
			if _, err := plugin.Find(strings.TrimPrefix(p, "xla:")); err == nil && plugin.Linked {
				specs = append(specs, p)
			}
		}
	}
	list, failed := make([]BackendCheck, len(specs)), 0
	for k, spec := range specs {
		list[k] = checkBackend(ctx, spec)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !list[k].OK {
			failed++
			for _, line := range list[k].log {
				a.Notef("%s: %s", spec, line)
			}
		}
	}
	err := a.WriteFile("", func(w io.Writer) error {
		if format == "json" {
			return cli.WriteJSON(w, list)
		}
		rows := make([][]string, len(list))
		for k, c := range list {
			f := c.finding(stateFail)
			rows[k] = []string{f.state, c.Backend, f.detail}
		}
		return cli.PrintTable(w, nil, rows)
	})
	if err == nil && failed > 0 {
		err = fmt.Errorf("backend check: %d of %d failed", failed, len(list))
	}
	return err
}

// checkBackend probes a backend in a process of its own.
func checkBackend(ctx context.Context, spec string) BackendCheck {
	answer, err := AskProbe(ctx, spec)
	c := BackendCheck{Backend: spec, OK: err == nil, Report: answer.Report, log: answer.log}
	if err != nil {
		c.Error, c.Report = strings.TrimPrefix(cli.Message(err), spec+": "), nil
	}
	return c
}

// finding says what was found on one line; otherwise is the state of a failure.
func (c BackendCheck) finding(otherwise string) finding {
	f := finding{otherwise, "backend " + c.Backend, c.Error}
	if r := c.Report; c.OK {
		f.state, f.detail = StateOK, fmt.Sprintf("%s; device %s; opened in %s ms, first step %s ms, a step %s ms, error %.1e",
			r.Opened, r.Device, cli.Real3(1000*r.Open), cli.Real3(1000*r.First), cli.Real3(1000*r.Step), r.MaxError)
	}
	return f
}

// probeAnswer is what a probing process writes to standard output, on one line.
type probeAnswer struct {
	Report *plugin.Report `json:"report,omitempty"`
	API    string         `json:"api,omitempty"`
	Error  string         `json:"error,omitempty"`
	log    []string
}

// newBackendProbeCmd is the process that check and list start.
func newBackendProbeCmd(a *cli.App) *cobra.Command {
	var api bool
	cmd := &cobra.Command{
		Use:     "probe BACKEND",
		Short:   "Probe a backend in this process, as check does in another",
		Example: `  ddps backend probe go`,
		Hidden:  true,
		Args:    cli.WantArgs("BACKEND"),
		RunE: func(_ *cobra.Command, args []string) error {
			var answer probeAnswer
			var err error
			if api {
				answer.API, err = plugin.API(args[0])
			} else {
				var r plugin.Report
				if r, err = plugin.Probe(args[0]); err == nil {
					answer.Report = &r
				}
			}
			if err != nil {
				answer.Error = err.Error()
			}
			return json.NewEncoder(a.Stdout).Encode(answer)
		},
	}
	cmd.Flags().BoolVar(&api, "api", false, "tell the PJRT API of a plugin file instead")
	return cmd
}

// probeTime is how long a process may probe: a plugin for a GPU compiles for many seconds.
const probeTime = 5 * time.Minute

// AskProbe runs ddps backend probe. What the process says failed, a crash and no answer in time are errors.
func AskProbe(ctx context.Context, args ...string) (probeAnswer, error) {
	self, err := os.Executable()
	if err != nil {
		return probeAnswer{}, err
	}
	timed, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(timed, self, append([]string{"backend", "probe"}, args...)...)
	cmd.Env = append(os.Environ(), "GOTRACEBACK=none")
	cmd.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	log, crash := crashOf(errs.String())
	answer := probeAnswer{}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	parse := json.Unmarshal([]byte(lines[len(lines)-1]), &answer)
	answer.log = log
	switch {
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case timed.Err() != nil:
		return answer, fmt.Errorf("no answer within %s", cli.Duration(probeTime))
	case err != nil && crash == "":
		return answer, fmt.Errorf("it ended the process: %w", err)
	case err != nil:
		return answer, fmt.Errorf("it crashed: %s", crash)
	case parse != nil:
		return answer, errors.New("it ended the process without an answer")
	case answer.Error != "":
		return answer, errors.New(answer.Error)
	}
	return answer, nil
}

// crashOf parts standard error of a process: what was written before Go told of a crash, its last lines, and
// Go's first line on the crash ("" if there was none).
func crashOf(text string) (log []string, crash string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		for _, start := range []string{"SIG", "fatal error: ", "panic: ", "runtime: "} {
			if strings.HasPrefix(line, start) {
				return log, line
			}
		}
		if line != "" {
			log = append(log, line)
		}
		const most = 10
		log = log[max(0, len(log)-most):]
	}
	return log, ""
}
