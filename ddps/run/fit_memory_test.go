package run

import (
	"bytes"
	"testing"

	"github.com/ddps-go/ddps/ddps/run/runtest"
)

// A model fitted in memory is that of a run directory to the byte, with a network and without; wrong settings are
// refused.
func TestFitInMemory(t *testing.T) {
	none := MapConfig()
	none.Hold = 0.3
	for name, cfg := range map[string]Config{"network": quick(), "none": none} {
		m, err := Fit(runtest.Example(t), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got, want bytes.Buffer
		if err := m.Save(&got); err != nil {
			t.Fatal(err)
		}
		r := trained(t, t.TempDir()+"/run", cfg.On(runtest.Example(t).Graph), 0)
		if m, err = r.Model(); err != nil {
			t.Fatal(err)
		}
		if err := m.Save(&want); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: another model than the run's", name)
		}
	}
	bad := quick()
	bad.Train.Batch = 0
	if _, err := Fit(runtest.Example(t), bad); err == nil {
		t.Error("a batch of 0: no error")
	}
}
