//go:build unix

package gru

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// readTokens reads a file of walks, a line each, of tokens separated by spaces.
func readTokens(t testing.TB, name string) (walks [][]string) {
	t.Helper()
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		f, err = os.Open(name + ".gz")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(f.Name(), ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	for s := bufio.NewScanner(in); s.Scan(); {
		walks = append(walks, strings.Fields(s.Text()))
	}
	return walks
}

// BenchmarkReal fits the settings that Suggest gives to real paths and reports the NLL of the test walks, in nats per
// path, and the CPU seconds of the fit. DDPS_PATHS names the directory with NAME-train.txt and NAME-test.txt, or
// .txt.gz:
//
//	DDPS_PATHS=data/paths go test -run - -bench Real/names -benchtime 1x ./ddps/net/gru
//
// Nine tenths of the training walks train, the others validate, then all train again.
func BenchmarkReal(b *testing.B) {
	dir := os.Getenv("DDPS_PATHS")
	if dir == "" {
		b.Skip("DDPS_PATHS names no directory")
	}
	for _, name := range []string{"names", "flights", "sepsis", "mvad"} {
		b.Run(name, func(b *testing.B) {
			g, train, test := realSet(b, dir, name)
			tenth := len(train) / 10
			for b.Loop() {
				begin := CPU()
				m, r, err := Fit(context.Background(), g, Sample{Paths: train[tenth:]}, Sample{Paths: train[:tenth]},
					Config{Refit: true}, 1)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(CPU()-begin, "cpu-s")
				b.ReportMetric(r.NLL, "nll-validation")
				sum := 0.0
				for _, lp := range logProbs(b, m, test) {
					sum -= lp
				}
				b.ReportMetric(sum/float64(len(test)), "nll-test")
				b.ReportMetric(float64(r.Weights), "weights")
				for _, t := range r.Tried {
					b.Logf("race %v, start %v: validation NLL %.4f after %.1f epochs, %.0f s, %s", t.Race, t.Start,
						t.NLL, t.Best, t.Seconds, t.End)
				}
			}
		})
	}
}

// realSet returns the graph of a set of real paths, and its walks.
func realSet(t testing.TB, dir, name string) (g *ddps.LayeredGraph, train, test []ddps.Path) {
	a, b := readTokens(t, filepath.Join(dir, name+"-train.txt")), readTokens(t, filepath.Join(dir, name+"-test.txt"))
	g, path := sequences(t, slices.Concat(a, b))
	for _, w := range a {
		train = append(train, path(w))
	}
	for _, w := range b {
		test = append(test, path(w))
	}
	return g, train, test
}
