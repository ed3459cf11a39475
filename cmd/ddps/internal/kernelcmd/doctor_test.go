package kernelcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
)

// TestMain makes the test's own binary the command for the processes that probe.
func TestMain(m *testing.M) {
	if os.Getenv("DDPS_TEST_AS_COMMAND") == "" {
		os.Exit(m.Run())
	}
	root := &cobra.Command{Use: "ddps", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(NewBackend(&cli.App{Stdout: os.Stdout, Stderr: os.Stderr}))
	root.SetArgs(os.Args[1:])
	if root.Execute() != nil {
		os.Exit(1)
	}
}

func TestFindings(t *testing.T) {
	if f := backendFinding("xla:/no/such.so", StateWarn); f.state != StateWarn || !strings.Contains(f.detail,
		"xla:/no/such.so") {
		t.Errorf("%+v", f)
	}
	if list := xlaFindings(t.Context(), false); len(list) != 1 || list[0].state != StateOK {
		t.Errorf("%+v", list)
	}
	t.Setenv("DDPS_TEST_AS_COMMAND", "1") // for the processes that probe
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", t.TempDir())
	for _, f := range xlaFindings(t.Context(), true) {
		if f.state != StateWarn || !strings.Contains(f.what, "backend xla:c") || !strings.Contains(f.detail,
			"backend install xla:c") && !strings.Contains(f.detail, "-tags xla") {
			t.Errorf("%+v", f)
		}
	}
	if f := diskFinding("disk", filepath.Join(t.TempDir(), "none")); f.state != StateWarn {
		t.Errorf("%+v", f)
	}
}
