package sequences_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// million writes a file of a million walks of 2 to 20 places among 500, each with 40 places that may follow.
func million(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "walks.txt")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out, rng := bufio.NewWriter(f), ddps.Rand(0, 0)
	for range 1_000_000 {
		at := rng.IntN(500)
		for k := range 2 + rng.IntN(19) {
			if k > 0 {
				at = (7*at + rng.IntN(40)) % 500
				out.WriteByte(' ')
			}
			fmt.Fprintf(out, "stop%d", at)
		}
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkMillion reads a million walks, splits them, and makes the graph and the paths of both parts.
func BenchmarkMillion(b *testing.B) {
	path := million(b)
	for b.Loop() {
		w := read(b, path)
		train, test := w.Split(0.1, 0)
		r := graphOf(b, sequences.Options{}, train, test)
		known, total := sequences.KnownWalks(r.Data[0], r.Data[1])
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
		b.ReportMetric(float64(known)/float64(total), "known")
		b.ReportMetric(float64(r.Graph.NumEdges()), "edges")
	}
}

// BenchmarkEvents reads an event log of 200,000 cases of 2 to 20 events, the rows of many cases among each other.
func BenchmarkEvents(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log.csv")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out, rng := bufio.NewWriter(f), ddps.Rand(0, 0)
	fmt.Fprintln(out, "case,time,place")
	rows := 0
	for block := range 2000 {
		for k := range 20 {
			for c := range 100 {
				if k < 2 || rng.IntN(18) > 8 {
					fmt.Fprintf(
						out,
						"%d,2026-01-%02d 10:%02d:00,stop%d\n",
						100*block+c,
						1+k,
						rng.IntN(60),
						rng.IntN(500),
					)
					rows++
				}
			}
		}
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w := read(b, path)
		if w.Len() != 200_000 {
			b.Fatal(w.Len())
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
