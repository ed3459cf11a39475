package plots_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
)

var (
	regen = flag.Bool("regen", false, "rewrite the golden images")
	look  = flag.String("look", "", "directory for the figures at full size, to look at them")
)

// toy is a graph of 11 layers as in the paper's Toy: about half of the edges of full layers of 4.
func toy(tb testing.TB) *ddps.LayeredGraph {
	tb.Helper()
	sizes, heads := []int{1}, [][]int{{1, 3, 4}}
	for l := 1; l <= 10; l++ {
		sizes = append(sizes, 4)
		for v := range 4 {
			var to []int
			for w := range 4 {
				if l < 10 && (v == w || (3*v+5*w+l)%4 == 0) {
					to = append(to, 4*l+1+w)
				}
			}
			heads = append(heads, to)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// toyGraph shows the uniform chain's edge marginals and two paths.
func toyGraph(tb testing.TB) plots.Graph {
	g := toy(tb)
	reach, marginal := make([]float64, g.NumVertices()), make([]float64, g.NumEdges())
	reach[0] = 1
	for e := range marginal {
		marginal[e] = reach[g.Tail(e)] / float64(g.Degree(g.Tail(e)))
		reach[g.Head(e)] += marginal[e]
	}
	walk := func(last bool) (p ddps.Path) {
		for v := 0; ; {
			p = append(p, v)
			next := g.From(v)
			if len(next) == 0 {
				return p
			}
			v = next[0]
			if last {
				v = next[len(next)-1]
			}
		}
	}
	return plots.Graph{Title: "Toy: edge marginals of the uniform chain", Graph: g, Marginals: marginal,
		Paths: []plots.NamedPath{{Name: "first edges", Path: walk(false)}, {Name: "last edges", Path: walk(true)}}}
}

// preferred shows which edges have a reward.
func preferred() plots.Graph {
	g := ddps.Example()
	u := make([]float64, g.NumEdges())
	u[1], u[6], u[9] = 1, 1, 1
	return plots.Graph{Title: "preferred edges", Graph: g, Marginals: u, What: "reward"}
}

// marked is a graph without a map: what paths take, and which edges have a reward.
func marked() plots.Edges {
	return plots.Edges{Title: "Paths of a graph without a map", Graph: ddps.Example(), Reward: preferred().Marginals,
		Uses: []float64{.2, .7, .1, .1, .1, .5, .2, .05, .05, .4, .2, .15, .15, .1}}
}

func toyPalm(tb testing.TB) plots.Palm {
	g := toy(tb)
	x := make(ddps.PALM, g.NumVertices())
	for v := range x {
		if d := g.Degree(v); d > 0 {
			x[v] = int32(v % d)
		}
	}
	return plots.Palm{Title: "A PALM of Toy, transposed", Graph: g, X: x}
}

// panels is the layout of the paper's figure 5, four metrics in two rows.
func panels(tb testing.TB) *plots.Figure {
	grid := [][]*plot.Plot{{nil, nil}, {nil, nil}}
	s := distances()
	s.References = s.References[1:]
	for i, name := range []string{"L1", "sup |p − q|", "SFD", "KL (nats)"} {
		s.Title, s.YLabel, s.LogY = name, name, i == 3
		p, err := s.Plot()
		if err != nil {
			tb.Fatal(err)
		}
		grid[i/2][i%2] = p
	}
	f, err := plots.NewFigure("Toy: distances to the target", s, grid)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func multiples(tb testing.TB) *plots.Figure {
	f, err := phases().Figure()
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// walks is a graph of A B, A C and C behind a source, of which A C takes a layer on the way and C ends at once.
func walks(tb testing.TB) *ddps.LayeredGraph {
	g, err := ddps.New([]int{1, 2, 3, 2}, [][]int{{1, 2}, {3, 4}, {5}, {7}, {6}, {7}, nil, nil})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: []string{"source", "A", "C", "B", "A>C 1/2", "END", "C", "END"},
			Place: []int{-1, 0, 2, 1, 3, 4, 2, 4}, Attr: map[string]string{ddps.AttrTransit: "3"}})
	}
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func walkUses() []float64 { return []float64{.7, .3, .5, .2, .3, .5, .2, .3} }

func figures(tb testing.TB) map[string]plots.Drawer {
	must := func(p *plot.Plot, err error) *plot.Plot {
		if err != nil {
			tb.Fatal(err)
		}
		return p
	}
	logs := training()
	logs.LogX, logs.LogY, logs.Smooth = true, true, 0
	return map[string]plots.Drawer{
		"graph": must(figure1().Plot()), "graph_toy": must(toyGraph(tb).Plot()),
		"palm": must(figure2().Plot()), "palm_toy": must(toyPalm(tb).Plot()),
		"edges": must(town().Plot()), "gain": must(gain()), "training": must(training().Plot()),
		"training_log": must(logs.Plot()),
		"reward":       must(rewards().Plot()), "distance": must(distances().Plot()), "pareto": must(frontier().Plot()),
		"preferred": must(preferred().Plot()), "marked": must(marked().Plot()), "map": must(city().Plot()),
		"multiples": multiples(tb), "bars": must(dists().Plot()), "figure": panels(tb),
		"flow":      must(letters().Plot()),
		"walks":     must(plots.Graph{Graph: walks(tb)}.Plot()),
		"walk_uses": must(plots.Edges{Title: "walks", Graph: walks(tb), Uses: walkUses()}.Plot()),
	}
}

// TestGolden compares every figure with an image at half its size, so that the images stay small.
func TestGolden(t *testing.T) {
	for name, d := range figures(t) {
		t.Run(name, func(t *testing.T) {
			h := plots.Height
			switch name {
			case "figure":
				h = 1.4 * plots.Height
			case "multiples":
				_, h = multiples(t).Size()
			case "palm":
				_, h = figure2().Size()
			case "palm_toy":
				_, h = toyPalm(t).Size()
			}
			full, err := plots.Bytes(d, "png", plots.Width, h)
			if err != nil {
				t.Fatal(err)
			}
			if *look != "" {
				if err := plots.Save(d, filepath.Join(*look, name+".png"), plots.Width, h); err != nil {
					t.Fatal(err)
				}
			}
			got, path := half(decode(t, full)), filepath.Join("testdata", name+".png")
			if *regen {
				if err := os.WriteFile(path, encode(t, got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(want) > 40<<10 {
				t.Errorf("golden image of %d bytes", len(want))
			}
			if share := different(t, got, decode(t, want)); share > .002 {
				t.Errorf("%.2f%% of the pixels differ; look, then run with -regen", 100*share)
			}
		})
	}
}

// half returns m at half its size in 16 levels a channel, each pixel the mean of four.
func half(m image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx()/2, m.Bounds().Dy()/2))
	for x := range out.Bounds().Dx() {
		for y := range out.Bounds().Dy() {
			var s [3]uint32
			for _, d := range [][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
				r, g, b, _ := m.At(2*x+d[0], 2*y+d[1]).RGBA()
				s[0], s[1], s[2] = s[0]+r, s[1]+g, s[2]+b
			}
			q := func(v uint32) uint8 { return uint8((v/4*15+1<<15)/0xFFFF) * 17 }
			out.SetRGBA(x, y, color.RGBA{q(s[0]), q(s[1]), q(s[2]), 255})
		}
	}
	return out
}

func encode(t *testing.T, m image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, m); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// different returns the share of pixels that differ visibly.
func different(t *testing.T, x, y image.Image) float64 {
	t.Helper()
	if x.Bounds() != y.Bounds() {
		t.Fatalf("size %v, want %v", x.Bounds(), y.Bounds())
	}
	n := 0
	for i := range x.Bounds().Dx() {
		for j := range x.Bounds().Dy() {
			if far(x.At(i, j), y.At(i, j)) {
				n++
			}
		}
	}
	return float64(n) / float64(x.Bounds().Dx()*x.Bounds().Dy())
}

func far(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	d := func(x, y uint32) uint32 { return (max(x, y) - min(x, y)) >> 8 }
	return max(d(r, r2), d(g, g2), d(bl, b2)) > 24
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
