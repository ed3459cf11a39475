package plots_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

var nan, inf = math.NaN(), math.Inf(1)

type figure interface {
	Plot() (*plot.Plot, error)
}

func one(x, y float64) []plots.Series {
	return []plots.Series{{Name: "one", X: []float64{x}, Y: []float64{y}}}
}

// oddGraphs returns one edge, and 200 vertices in a layer.
func oddGraphs(t *testing.T) (single, big *ddps.LayeredGraph) {
	single, err := ddps.New([]int{1, 1}, [][]int{{1}, {}})
	if err != nil {
		t.Fatal(err)
	}
	wide := make([]int, 200)
	for i := range wide {
		wide[i] = 1 + i
	}
	big, err = ddps.New([]int{1, 200}, append([][]int{wide}, make([][]int, 200)...))
	if err != nil {
		t.Fatal(err)
	}
	return single, big
}

func oddFigures(t *testing.T) map[string]figure {
	full := []plots.Series{{X: []float64{0, 1, 10, 100, 1e4}, Y: []float64{nan, inf, -inf, 0, 3}, Err: []float64{1, nan, 0,
		2, 9}}}
	single, big := oddGraphs(t)
	return map[string]figure{
		"point at 1, log": plots.Training{Series: one(1, 1), LogX: true, LogY: true},
		"point at 0, log": plots.Training{Series: one(0, 0), LogX: true, LogY: true},
		"point at 0":      plots.Training{Series: one(0, 0), Smooth: .9},
		"huge":            plots.Training{Series: one(5, 1e308)},
		"tiny":            plots.Training{Series: []plots.Series{{X: []float64{1, 2}, Y: []float64{1e-300, 2e-300}}}},
		"nearly equal": plots.Training{Series: []plots.Series{{X: []float64{1e6, 1e6 + 1e-9},
			Y: []float64{7, 7 + 1e-15}}}},
		"all":               plots.Training{Series: full, LogX: true, LogY: true, Smooth: .5},
		"reference 0, log":  plots.Training{Series: one(1, 1), LogY: true, References: []plots.Reference{{Value: 0}}},
		"λ = 0 alone":       plots.Sweep{Series: one(0, 2), SweetSpot: 100},
		"λ = 1 alone":       plots.Sweep{Series: one(1, 1), LogY: true, SweetSpot: 1},
		"gaps and triangle": plots.Sweep{Series: full, LogY: true, Limits: []float64{nan}},
		"linear":            plots.Sweep{Series: full, Limits: []float64{-3}, References: []plots.Reference{{Value: -1}}},
		"40 decades": plots.Sweep{Series: []plots.Series{{X: []float64{1e-20, 1e20}, Y: []float64{1e-30, 1e30}}},
			LogY: true},
		"many series":     plots.Sweep{Series: append(append(full, full...), append(full, append(full, full...)...)...)},
		"pareto, a point": plots.Pareto{Series: one(1, 1), Front: one(1, 0)[0], Limit: nan},
		"pareto, odd": plots.Pareto{Series: []plots.Series{{X: []float64{0, 1, 2}, Y: []float64{inf, nan, 3}}},
			Front: one(1, -2)[0], Labels: [][]string{{"a", "b", "c"}}, Limit: 5},
		"bars of nothing": plots.Bars{Categories: []string{""}, Series: []plots.BarSeries{{Values: []float64{nan}}}},
		"bars below 0": plots.Bars{Categories: []string{"a", "b"}, Series: []plots.BarSeries{{Values: []float64{-1, 0}}},
			Floors: []float64{nan, 2}},
		"one edge":       plots.Graph{Graph: single, Marginals: []float64{0}},
		"200 in a layer": plots.Graph{Graph: big},
		"palm of 201":    plots.Palm{Graph: big, X: make(ddps.PALM, 201)},
		"one place":      plots.Map{Places: [][2]float64{{7, 47}}, Starts: []int{0}},
		"no traffic": plots.Map{Places: [][2]float64{{7, 47}, {7, 47}}, Edges: [][2]int{{0, 1}},
			Density: []float64{0}},
	}
}

// Odd data that a figure can show: it must draw, in every format.
func TestOddDataDraws(t *testing.T) {
	for name, f := range oddFigures(t) {
		p, err := f.Plot()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, format := range []string{"png", "svg", "pdf"} {
			if data, err := plots.Bytes(p, format, 200, 150); err != nil || len(data) == 0 {
				t.Errorf("%s: %s: %v", name, format, err)
			} else if bytes.Contains(data, []byte("NaN")) {
				t.Errorf("%s: %s has NaN coordinates", name, format)
			}
		}
	}
}

func badFigures() map[string]figure {
	g := ddps.Example()
	place := [][2]float64{{7, 47}}
	return map[string]figure{
		"no series":     plots.Training{},
		"empty series":  plots.Training{Series: []plots.Series{{}}},
		"lengths":       plots.Training{Series: []plots.Series{{X: []float64{1}, Y: []float64{1, 2}}}},
		"only NaN":      plots.Training{Series: one(1, nan)},
		"step NaN":      plots.Training{Series: one(nan, 1)},
		"step < 0, log": plots.Training{Series: one(-1, 1), LogX: true},
		"reference":     plots.Training{Series: one(1, 1), References: []plots.Reference{{Value: nan}}},
		"smooth":        plots.Training{Series: one(1, 1), Smooth: 1},
		"no sweep":      plots.Sweep{},
		"λ < 0":         plots.Sweep{Series: one(-1, 1)},
		"λ = Inf":       plots.Sweep{Series: one(inf, 1)},
		"sweet spot":    plots.Sweep{Series: one(1, 1), SweetSpot: nan},
		"limits":        plots.Sweep{Series: one(1, 1), Limits: []float64{1, 2}},
		"Down": plots.Sweep{Series: []plots.Series{{X: []float64{1}, Y: []float64{1}, Err: []float64{1},
			Down: []float64{-1}}}},
		"Down, too few":  plots.Sweep{Series: []plots.Series{{X: []float64{1}, Y: []float64{1}, Down: []float64{}}}},
		"Err":            plots.Sweep{Series: []plots.Series{{X: []float64{1}, Y: []float64{1}, Err: []float64{-1}}}},
		"no front":       plots.Pareto{Series: one(1, 1)},
		"front descends": plots.Pareto{Series: one(1, 1), Front: plots.Series{X: []float64{2, 1}, Y: []float64{0, 0}}},
		"front Inf":      plots.Pareto{Series: one(1, 1), Front: one(1, 1e200)[0]},
		"labels":         plots.Pareto{Series: one(1, 1), Front: one(1, 1)[0], Labels: [][]string{{"a", "b"}}},
		"labels of none": plots.Pareto{Series: one(1, 1), Front: one(1, 1)[0], Labels: [][]string{}},
		"limit":          plots.Pareto{Series: one(1, 1), Front: one(1, 1)[0], Limit: inf},
		"no bars":        plots.Bars{},
		"bar Inf":        plots.Bars{Categories: []string{"a"}, Series: []plots.BarSeries{{Values: []float64{inf}}}},
		"bar count":      plots.Bars{Categories: []string{"a"}, Series: []plots.BarSeries{{}}},
		"floor Inf": plots.Bars{Categories: []string{"a"}, Series: []plots.BarSeries{{Values: []float64{1}}},
			Floors: []float64{inf}},
		"no graph":          plots.Graph{},
		"no path":           plots.Graph{Graph: g, Paths: []plots.NamedPath{{Path: ddps.Path{0, 9}}}},
		"marginals":         plots.Graph{Graph: g, Marginals: []float64{1}},
		"marginal NaN":      plots.Graph{Graph: g, Marginals: append(make([]float64, g.NumEdges()-1), nan)},
		"no palm":           plots.Palm{},
		"palm short":        plots.Palm{Graph: g},
		"palm out of range": plots.Palm{Graph: g, X: ddps.PALM{3, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		"no places":         plots.Map{},
		"place NaN":         plots.Map{Places: [][2]float64{{nan, 0}}},
		"edge":              plots.Map{Places: place, Edges: [][2]int{{0, 1}}},
		"start":             plots.Map{Places: place, Starts: []int{-1}},
		"scale":             plots.Map{Places: place, Most: nan},
		"marks":             plots.Map{Places: place, Marked: []bool{true}},
		"end shares":        plots.Map{Places: place, Ends: []int{0}, EndShares: []float64{2}},
		"graph marks":       plots.Graph{Graph: g, Marked: []bool{true}},
		"graph scale":       plots.Graph{Graph: g, Most: 7},
		"edge rewards":      plots.Edges{Graph: g, Uses: make([]float64, g.NumEdges()), Reward: []float64{1}},
		"density":           plots.Map{Places: place, Edges: [][2]int{{0, 0}}, Density: []float64{inf}},
	}
}

// Data that no figure can show: an error, no panic.
func TestBadDataIsAnError(t *testing.T) {
	for name, f := range badFigures() {
		if p, err := f.Plot(); err == nil || p != nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := plots.NewFigure("", nil, nil); err == nil {
		t.Error("figure without panels: no error")
	}
	uses := make([]float64, ddps.Example().NumEdges())
	for name, m := range map[string]plots.Multiples{"none": {}, "no graph": {Panels: []plots.Edges{{}}},
		"a map and none": {Panels: []plots.Edges{town(), {Graph: ddps.Example(), Uses: uses}}},
		"NaN":            {Panels: []plots.Edges{{Graph: ddps.Example(), Uses: append([]float64{nan}, uses[1:]...)}}}} {
		if f, err := m.Figure(); err == nil || f != nil {
			t.Errorf("multiples, %s: no error", name)
		}
	}
	for _, counts := range [][]int{{1, 2}, {0}} {
		if _, err := plots.Uses(ddps.Example(), []ddps.Path{{0, 1, 4, 7}}, counts); err == nil {
			t.Errorf("uses with counts %v: no error", counts)
		}
	}
	if _, err := plots.NewFigure("", nil, [][]*plot.Plot{{nil}, {nil, nil}}); err == nil {
		t.Error("ragged figure: no error")
	}
}

func TestBytesErrors(t *testing.T) {
	p, err := figure1().Plot()
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() ([]byte, error){
		"format":  func() ([]byte, error) { return plots.Bytes(p, "jpeg2000", 100, 100) },
		"width":   func() ([]byte, error) { return plots.Bytes(p, "png", 0, 100) },
		"height":  func() ([]byte, error) { return plots.Bytes(p, "png", 100, 1e9) },
		"nil":     func() ([]byte, error) { return plots.Bytes(nil, "png", 100, 100) },
		"no plot": func() ([]byte, error) { return plots.Bytes((*plot.Plot)(nil), "png", 100, 100) },
		"broken": func() ([]byte, error) {
			q := plot.New()
			q.Y.Scale, q.Y.Min, q.Y.Max = plot.LogScale{}, 0, 1
			q.Y.Tick.Marker = plot.LogTicks{}
			return plots.Bytes(q, "png", 100, 100)
		},
	} {
		if data, err := f(); err == nil || data != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSave(t *testing.T) {
	p, err := rewards().Plot()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for ext, start := range map[string]string{".png": "\x89PNG", ".svg": "<?xml", ".PDF": "%PDF"} {
		path := filepath.Join(dir, "reward"+ext)
		if err := plots.Save(p, path, plots.Width, plots.Height); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(data, []byte(start)) {
			t.Errorf("%s starts with %q, %v", ext, data[:min(8, len(data))], err)
		}
		if ext == ".svg" {
			checkSVG(t, data)
		}
	}
	if err := plots.Save(p, filepath.Join(dir, "none", "x.png"), 100, 100); err == nil {
		t.Error("no directory: no error")
	}
	if err := plots.Save(p, filepath.Join(dir, "x"), 100, 100); err == nil {
		t.Error("no extension: no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 3 {
		t.Errorf("files left: %v", left)
	}
}

// checkSVG parses the file and looks for text, which depends on the reader's fonts.
func checkSVG(t *testing.T, data []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "text" {
			t.Fatal("svg has text")
		}
	}
}

// A map of 20,000 paths on the streets of Heights, from the paths to the file.
func BenchmarkMapOfPaths(b *testing.B) {
	d, err := datasets.Heights(20000, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, format := range []string{"png", "svg"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				uses, err := plots.Uses(d.Graph, d.Paths, d.Counts)
				if err != nil {
					b.Fatal(err)
				}
				p, err := plots.Edges{Graph: d.Graph, Uses: uses}.Plot()
				if err != nil {
					b.Fatal(err)
				}
				if _, err := plots.Bytes(p, format, plots.Width, plots.Height); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSweepPNG(b *testing.B) {
	p, err := distances().Plot()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := plots.Bytes(p, "png", plots.Width, plots.Height); err != nil {
			b.Fatal(fmt.Errorf("sweep: %w", err))
		}
	}
}
