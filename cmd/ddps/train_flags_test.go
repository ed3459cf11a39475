package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/cmd/ddps/internal/clitest"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// killedAfter makes a run directory that of one killed when it had no checkpoint after step last.
func killedAfter(t *testing.T, dir string, last int) {
	t.Helper()
	for _, name := range []string{"model.safetensors", "SHA256SUMS"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		step := 0
		if fmt.Sscanf(filepath.Base(name), "step-%d", &step); step > last {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Whatever flags of a network a run was begun with, its configuration is read as it was, and killed before its first
// checkpoint, or after one, it resumes to the same bytes; finished, it can be lengthened.
func TestNetworkFlagsResume(t *testing.T) {
	trainable(t)
	short := strings.Replace(clitest.Tiny, "steps = 12", "steps = 4", 1)
	clitest.Write(t, "tiny.toml", strings.ReplaceAll(short, "checkpoint = 3", "checkpoint = 2"))
	flags := [][]string{nil, {"--residual=false"}, {"--residual"}, {"--gamma", "0.03"}, {"--kappa", "0.5"},
		{"--residual=false", "--gamma", "0.02"}, {"--residual", "--gamma", "0.02", "--lr", "0.003"},
		{"--seed", "7", "--batch", "3", "--hold", "0.2"}}
	n := 0
	for _, network := range []string{model.NetworkMLP, model.NetworkUNet} {
		for _, more := range flags {
			n++
			dir, again := fmt.Sprintf("run%d", n), fmt.Sprintf("again%d", n)
			args := append([]string{"--network", network}, more...)
			if network == model.NetworkUNet {
				args = append([]string{"--hidden", "4", "--backend", "go"}, args...)
			}
			trainTiny(t, dir, args...)
			trainTiny(t, again, args...)
			r, err := run.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			m, err := r.Model()
			if err != nil {
				t.Fatal(err)
			}
			if m.Config.Kappa = r.Config.Model.Kappa; m.Config != r.Config.Model { // kappa is chosen
				t.Errorf("%q: trained %+v\nread %+v", args, m.Config, r.Config.Model)
			}
			for _, last := range []int{2, 0} {
				killedAfter(t, again, last)
				good(t, "train", "--resume", "-o", again)
				sameRun(t, dir, again)
			}
			good(t, "train", "--resume", "--steps", "5", "-o", again)
		}
	}
}

// Commands on a run that has not ended say from which step its model is.
func TestUnfinishedSays(t *testing.T) {
	trainable(t)
	trainTiny(t, "run")
	killedAfter(t, "run", 9)
	for _, args := range [][]string{{"sample", "run", "-n", "2"}, {"score", "run", "paths.csv"},
		{"evaluate", "run", "-n", "20"}, {"view", "run", "-n", "2", "-o", "view.html"},
		{"explain", "run", "--where", `visit("E")`}} {
		_, _, errs := call(args...)
		if !strings.Contains(errs, "after step 9 of 12") {
			t.Errorf("%q: %q", args, errs)
		}
	}
}
