package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/ddps/run/runtest"
)

// TestModelOfChangedLog: a model opens although its log was changed or cut, with one warning that names the log.
func TestModelOfChangedLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	trained(t, dir, quick(), 0)
	log := mustRead(t, filepath.Join(dir, logFile))
	for what, c := range map[string]struct {
		log  []byte
		want string
	}{
		"as it was": {log, ""},
		"changed":   {append([]byte(" "), log...), "was changed or cut"},
		"cut":       {log[:len(log)/2], "was changed or cut"},
	} {
		to := copyRun(t, dir)
		if err := os.WriteFile(filepath.Join(to, logFile), c.log, 0o644); err != nil {
			t.Fatal(err)
		}
		r, warnings := reopen(t, to)
		if _, err := r.Model(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		switch {
		case c.want == "" && len(*warnings) == 0:
		case c.want == "" || len(*warnings) != 1:
			t.Errorf("%s: warnings %q", what, *warnings)
		default:
			runtest.Has(t, what, errors.New((*warnings)[0]), filepath.Join(to, logFile), c.want)
		}
	}
}
