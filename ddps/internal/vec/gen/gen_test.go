package gen

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var regen = flag.Bool("regen", false, "write the assembly of package vec")

// The assembly of package vec is what this package writes.
func TestGenerated(t *testing.T) {
	all, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		path := filepath.Join("..", name)
		if *regen {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes (%v): run go test ./ddps/internal/vec/gen -regen", name, err)
		}
	}
}
