package plots_test

import (
	"bytes"
	"fmt"
	"image/png"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/plots"
	"gonum.org/v1/plot"
)

// show prints the size in pixels of what a notebook would show.
func show(d plots.Drawer, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := plots.Bytes(d, "png", plots.Width, plots.Height)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	fmt.Println(c.Width, c.Height, err)
}

// figure1 is the paper's figure 1.
func figure1() plots.Graph {
	return plots.Graph{
		Title: "A layered graph and the path A, C, G, H",
		Graph: ddps.Example(),
		Paths: []plots.NamedPath{{Name: "A, C, G, H", Path: ddps.Path{0, 2, 6, 7}}},
	}
}

func ExampleGraph() {
	show(figure1().Plot())
	// Output: 800 480 <nil>
}

// figure2 is the paper's figure 2: off-path rows are arbitrary.
func figure2() plots.Palm {
	return plots.Palm{
		Title: "The PALM (transposed) of A, C, G, H",
		Graph: ddps.Example(),
		X:     ddps.PALM{1, 0, 1, 1, 1, 0, 0, 0, 0, 0},
	}
}

func ExamplePalm() {
	show(figure2().Plot())
	// Output: 800 480 <nil>
}

// training is two curves that fall towards the bound of a perfect denoiser.
func training() plots.Training {
	var steps, net, residual []float64
	noise := uint32(1)
	for k := range 400 {
		noise = noise*1664525 + 1013904223
		jitter := .12 * (float64(noise)/math.MaxUint32 - .5)
		t := float64(10 * (k + 1))
		steps = append(steps, t)
		net = append(net, 8.2+2.6*math.Exp(-t/500)+jitter)
		residual = append(residual, 8.17+.35*math.Exp(-t/900)-jitter)
	}
	return plots.Training{
		Title:  "Training on paths with memory",
		YLabel: "cross-entropy (nats per path)",
		Series: []plots.Series{{Name: "plain network", X: steps, Y: net}, {Name: "residual on the chain", X: steps,
			Y: residual}},
		References: []plots.Reference{{Name: "fitted chain", Value: 8.52}, {Name: "distribution of the data", Value: 8.1}},
		Smooth:     .8,
	}
}

// gain is a run that overfits: better and better on its batches, not so on validation paths.
func gain() (*plot.Plot, error) {
	steps, evals := training().Series[1], plots.Series{X: []float64{500, 1000, 2000, 3000, 4000}, Y: []float64{.03, .09,
		.15, .14, .12}}
	for k, y := range steps.Y {
		steps.Y[k] = 8.52 - y
	}
	return plots.Gain("Gain over the chain", steps, evals)
}

func ExampleGain() {
	show(gain())
	// Output: 800 480 <nil>
}

// town is a graph of four places on a map, of which paths use some streets more.
func town() plots.Edges {
	g, err := ddps.New([]int{1, 3, 4}, [][]int{{1, 2, 3}, {4, 5}, {4, 5, 6}, {6, 7}, {}, {}, {}, {}})
	if err != nil {
		panic(err)
	}
	at := [][2]float64{{24.95, 60.17}, {24.955, 60.171}, {24.952, 60.173}, {24.958, 60.168}}
	meta := ddps.Meta{Place: []int{0, 0, 1, 2, 0, 1, 2, 3}}
	for _, place := range meta.Place {
		meta.XY = append(meta.XY, at[place])
	}
	if g, err = g.WithMeta(meta); err != nil {
		panic(err)
	}
	return plots.Edges{Title: "Streets", Graph: g, Uses: []float64{.2, .5, .3, .1, .1, .1, .1, .3, .1, .2}}
}

func ExampleEdges() {
	show(town().Plot())
	show(plots.Edges{Graph: town().Graph}.Plot())
	// Output:
	// 800 480 <nil>
	// plots: edges: 0 numbers, expected one an edge of a graph
}

// phases is the same town at three strengths of a guide to two of its edges.
func phases() plots.Multiples {
	m := plots.Multiples{Title: "Paths led to two edges"}
	for i, uses := range [][]float64{{.2, .5, .3, .1, .1, .1, .1, .3, .1, .2}, {.1, .3, .6, 0, .1, .1, .1, .1, .2, .4},
		{0, 0, 1, 0, 0, 0, 0, 0, 0, 1}} {
		p := town()
		p.Title, p.Uses, p.Reward = []string{"λ = 0", "λ = 10", "λ = 100, where next to all of them take the two"}[i], uses,
			make([]float64, 10)
		p.Reward[2], p.Reward[9] = 1, 1
		m.Panels = append(m.Panels, p)
	}
	return m
}

func ExampleMultiples() {
	f, err := phases().Figure()
	if err != nil {
		panic(err)
	}
	data, err := plots.Bytes(f, "png", plots.Width, plots.Height)
	fmt.Println(len(data) > 0, err)
	// Output: true <nil>
}

func ExampleUses() {
	g := ddps.Example()
	uses, err := plots.Uses(g, []ddps.Path{{0, 1, 4, 7}, {0, 2, 4, 7}}, []int{3, 1})
	fmt.Println(uses, err)
	_, err = plots.Uses(g, []ddps.Path{{0, 1, 4, 7}, {0, 1, 6, 7}}, nil)
	fmt.Println(err)
	// Output:
	// [0.75 0.25 0 0.75 0 0.25 0 0 0 1 0 0 0 0] <nil>
	// plots: uses: path 2: ddps: not a path: position 3: no edge from B to G
}

func ExampleTraining() {
	show(training().Plot())
	// Output: 800 480 <nil>
}

var lambdas = []float64{0, .1, .3, 1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 1e5}

// rewards is the shape of the paper's figure 4: S-curves that plateau at the maximum.
func rewards() plots.Sweep {
	s := plots.Sweep{Title: "Reward against guidance, Toy", YLabel: "mean reward", LimitName: "maximum", SweetSpot: 100}
	for _, most := range []float64{1, 2, 4, 7} {
		c := plots.Series{Name: fmt.Sprintf("max %v", most), X: lambdas}
		for _, l := range lambdas {
			share := 1 / (1 + math.Pow(8/(l+1e-9), .9))
			c.Y = append(c.Y, most*(.25+.75*share))
			c.Err = append(c.Err, .35*math.Sqrt(most)*(1.02-share))
		}
		s.Series, s.Limits = append(s.Series, c), append(s.Limits, most)
	}
	return s
}

func ExampleSweep() {
	show(rewards().Plot())
	// Output: 800 480 <nil>
}

// distances is the shape of the paper's figure 5: a fall, a sweet spot, a rise.
func distances() plots.Sweep {
	s := plots.Sweep{Title: "Distance to the target against guidance, Toy", YLabel: "KL(target ‖ generated) (nats)",
		SweetSpot: 100, LogY: true, References: []plots.Reference{{Name: "exact condition", Value: .042},
			{Name: "sampling floor (99.9%)", Value: .031}}}
	for i, most := range []float64{1, 2, 4, 7} {
		c := plots.Series{Name: fmt.Sprintf("max %v", most), X: lambdas}
		for _, l := range lambdas {
			x := math.Log10(l+.05) - 2
			y := .06 + .05*float64(i) + (1.5+float64(i))*(1-math.Exp(-x*x/4))
			c.Y, c.Err = append(c.Y, y), append(c.Err, .25*y)
		}
		s.Series = append(s.Series, c)
	}
	s.Series[3].Y[12] = math.Inf(1)
	return s
}

func ExampleSweep_distance() {
	show(distances().Plot())
	// Output: 800 480 <nil>
}

// frontier is two samplers of growing strength above a front.
func frontier() plots.Pareto {
	f := plots.Pareto{Title: "Reward against faithfulness, Toy", XLabel: "mean reward", YLabel: "KL(q ‖ p) (nats)",
		Limit: 4, LimitName: "maximum",
		Front: plots.Series{Name: "least for the reward"}, Series: []plots.Series{{Name: "tilted"}, {Name: "pushed"}},
		Labels: [][]string{nil, {}}}
	for k := range 41 {
		x := 1.6 + .06*float64(k)
		f.Front.X, f.Front.Y = append(f.Front.X, x), append(f.Front.Y, .47*(x-1.6)*(x-1.6))
	}
	for k, x := range []float64{1.6, 1.9, 2.5, 3.2, 3.7, 3.95, 4} {
		y := .47 * (x - 1.6) * (x - 1.6)
		f.Series[0].X, f.Series[0].Y = append(f.Series[0].X, x), append(f.Series[0].Y, y+.05)
		f.Series[1].X, f.Series[1].Y = append(f.Series[1].X, x), append(f.Series[1].Y, y+.2+.5*float64(k*k)/12)
		f.Labels[1] = append(f.Labels[1], fmt.Sprintf("λ = %v", lambdas[2*k]))
	}
	return f
}

func ExamplePareto() {
	show(frontier().Plot())
	show(plots.Pareto{Series: frontier().Series}.Plot())
	// Output:
	// 800 480 <nil>
	// plots: pareto: front: series 0 () has no point
}

// city is a bent street grid with a density that spreads from a start.
func city() plots.Map {
	m := plots.Map{Title: "Sampled paths, 12 moves from the start"}
	const w, h = 14, 9
	for i := range w * h {
		x, y := float64(i%w), float64(i/w)
		m.Places = append(m.Places, [2]float64{
			13.40 + .0016*x + .0004*math.Sin(y*.9), 52.51 + .0011*y + .0003*math.Sin(x*.7)})
	}
	start := w*4 + 3
	add := func(a, b int) {
		if (a*7+b*13)%11 == 0 {
			return
		}
		m.Edges = append(m.Edges, [2]int{a, b})
		d := math.Hypot(float64(a%w-start%w), float64(a/w-start/w)) + .8*math.Abs(float64(a/w-start/w))
		m.Density = append(m.Density, max(0, 1.3*math.Exp(-.35*d)-.02))
	}
	for i := range w * h {
		if i%w < w-1 {
			add(i, i+1)
		}
		if i/w < h-1 {
			add(i, i+w)
		}
	}
	m.Starts, m.Ends = []int{start}, []int{w*5 + 8, w*2 + 9, w*6 + 5}
	m.Streets = []plots.Street{
		{Name: "River Street", Line: [][2]float64{{13.395, 52.5115}, {13.41, 52.5125}, {13.426, 52.5185}}},
		{Name: "North Road", Line: [][2]float64{{13.4045, 52.505}, {13.4055, 52.525}}},
		{Line: [][2]float64{{13.39, 52.5205}, {13.43, 52.5165}}}, // without a name
		{Name: "A name that is longer than its street", Line: [][2]float64{{13.42, 52.514}, {13.421, 52.514}}}}
	return m
}

func ExampleMap() {
	show(city().Plot())
	// Output: 800 480 <nil>
}

func dists() plots.Bars {
	return plots.Bars{
		Title:      "Features with memory, distance to the data",
		YLabel:     "½ L1",
		Categories: []string{"district after three moves and at the end", "number of revisits", "all edges"},
		Series: []plots.BarSeries{
			{Name: "validation data", Values: []float64{.041, .021, .018}},
			{Name: "chain", Values: []float64{.125, .141, .02}, Err: []float64{.008, .01, .003}},
			{Name: "mixture, S = 16", Values: []float64{.053, .031, .022}, Err: []float64{.006, .005, .003}},
		},
		Floors: []float64{.04, .02, .017},
	}
}

func ExampleBars() {
	show(dists().Plot())
	// Output: 800 480 <nil>
}

// letters is a flow of short words: the third layer is reached by half of them.
func letters() plots.Flow {
	g, err := ddps.New([]int{1, 3, 4, 4}, [][]int{{1, 2, 3}, {4, 5, 7}, {4, 6, 7}, {5}, {8, 9, 11}, {8, 10}, {9, 11}, {11},
		{}, {}, {}, {}})
	if err != nil {
		panic(err)
	}
	return plots.Flow{Title: "Words by their letters", Graph: g, First: 1,
		Uses:  []float64{.5, .3, .2, .2, .2, .1, .1, .05, .15, .2, .1, .1, .1, .3, .1, .03, .02, .25},
		Names: []string{"", "a", "b", "long name", "a", "b", "long name", "", "a", "b", "long name", ""},
		Ended: []bool{7: true, 11: true}}
}

func ExampleFlow() {
	show(letters().Plot())
	show(plots.Flow{Graph: letters().Graph}.Plot())
	// Output:
	// 800 480 <nil>
	// plots: flow: 0 uses for 18 edges
}
