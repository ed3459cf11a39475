//go:build unix

package pathfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// Parquet is read at any place of a file: from a pipe it is an error that says so.
func TestParquetOfPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe.parquet")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	whole, err := os.ReadFile("testdata/cases/decimal-count.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, read := range []func() error{
		func() error { _, err := pathfile.ReadFile(name, ddps.Example(), pathfile.ByName); return err },
		func() error { _, err := sequences.ReadFile(sequences.ReadOptions{}, name); return err },
	} {
		sent := make(chan struct{})
		go func() {
			os.WriteFile(name, whole, 0o600)
			close(sent)
		}()
		if err := read(); err == nil || !strings.Contains(err.Error(), "not read from a pipe or a device") {
			t.Error(err)
		}
		<-sent
	}
}
