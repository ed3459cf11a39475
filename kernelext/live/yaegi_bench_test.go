package live_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/kernelext/live"
)

// additions prints how long a loop of ten million additions takes, in nanoseconds.
const additions = `package main

import (
	"fmt"
	"time"
)

func main() {
	t := time.Now()
	s := 0
	for i := 0; i < 10_000_000; i++ {
		s += i
	}
	fmt.Println(s, time.Since(t).Nanoseconds())
}
`

// BenchmarkAdditions times the loop in a live cell and in the interpreter yaegi, and reports the least of each and how
// many times yaegi's the cell takes. It builds yaegi apart from this module.
func BenchmarkAdditions(b *testing.B) {
	dir := b.TempDir()
	install := exec.Command("go", "install", "github.com/traefik/yaegi/cmd/yaegi@v0.16.1")
	install.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		b.Skipf("yaegi cannot be had: %v\n%s", err, out)
	}
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(additions), 0o644); err != nil {
		b.Fatal(err)
	}
	nanoseconds := func(said string, err error) float64 {
		var sum int64
		var ns float64
		if _, scan := fmt.Sscan(said, &sum, &ns); err != nil || scan != nil || sum != 49_999_995_000_000 {
			b.Fatal(said, err, scan)
		}
		return ns
	}
	out := &screen{}
	s, err := live.New(out)
	if err != nil {
		b.Fatal(err)
	}
	var cell, yaegi float64
	for n := 0; b.Loop(); n++ {
		err := s.Eval(context.Background(), additions, out)
		ours := nanoseconds(out.take(), err)
		said, err := exec.Command(filepath.Join(dir, "yaegi"), file).Output()
		theirs := nanoseconds(string(said), err)
		if n == 0 || ours < cell {
			cell = ours
		}
		if n == 0 || theirs < yaegi {
			yaegi = theirs
		}
	}
	b.ReportMetric(cell/1e6, "cell-ms")
	b.ReportMetric(yaegi/1e6, "yaegi-ms")
	b.ReportMetric(cell/yaegi, "ratio")
}
