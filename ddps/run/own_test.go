package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
)

// Settings of networks that the model does not have are none of a run: a run that was killed before its first
// checkpoint, or stopped after it, ends in the bytes of one that was not.
func TestOwnNetworkResumes(t *testing.T) {
	cfg := quick()
	cfg.Model.UNet.Gamma, cfg.Model.UNet.Residual, cfg.Model.UNet.Channels = 0.3, true, 7
	dir := t.TempDir()
	whole := mustCreate(t, filepath.Join(dir, "whole"), cfg)
	again, _ := reopen(t, whole.Dir)
	if again.Config != whole.Config {
		t.Errorf("written %+v\nread %+v", whole.Config, again.Config)
	}
	if err := trainUntil(whole, false, 0); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, filepath.Join(dir, "killed"), cfg)
	trained(t, filepath.Join(dir, "stopped"), cfg, 7)
	for _, name := range []string{"killed", "stopped"} {
		r, _ := reopen(t, filepath.Join(dir, name))
		if err := trainUntil(r, true, 0); err != nil {
			t.Fatal(err)
		}
		sameProducts(t, name, r.Dir, whole.Dir)
	}
}

// A log that was cut among what validation chose is begun anew with the run.
func TestKilledBeforeTheLog(t *testing.T) {
	dir := t.TempDir()
	cfg := quick()
	whole := trained(t, filepath.Join(dir, "whole"), cfg, 0)
	cut := mustCreate(t, filepath.Join(dir, "cut"), cfg)
	first := `{"step":0,"kappa":1,"held_chain_nats":9}` + "\n"
	if err := os.WriteFile(filepath.Join(cut.Dir, logFile), []byte(first), 0o644); err != nil {
		t.Fatal(err)
	}
	r, _ := reopen(t, cut.Dir)
	if err := trainUntil(r, true, 0); err != nil {
		t.Fatal(err)
	}
	sameProducts(t, "cut", cut.Dir, whole.Dir)
}

// The model of a run that has not ended is said to be that of a step.
func TestModelOfACheckpoint(t *testing.T) {
	r := trained(t, filepath.Join(t.TempDir(), "run"), quick(), 7)
	m, _, err := OpenModel(r.Dir, nil)
	if err != nil || m.Config.Network != model.NetworkMLP {
		t.Fatal(err)
	}
	var said []string
	if _, _, err = OpenModel(r.Dir, func(s string) { said = append(said, s) }); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(said, "\n"); !strings.Contains(text, "after step 7 of 20") {
		t.Errorf("%q", text)
	}
}
