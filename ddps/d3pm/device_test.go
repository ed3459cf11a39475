package d3pm_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/internal/xla"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
	"github.com/ddps-go/ddps/ddps/net/unet"
)

// allKernels are the kernels that a backend knows, by the names of exactSampler.
var allKernels = map[string]d3pm.Kernel{"Joint": {}, "Austin": d3pm.Austin(), "Eq2": d3pm.Eq2(),
	"Occupancy": d3pm.Occupancy(), "Algorithm2": d3pm.Algorithm2()}

// deviceModel makes a model on g, of a chain with rows of all kinds, whose network has drawn weights.
func deviceModel(t testing.TB, g *ddps.LayeredGraph, set func(*model.Config)) *model.Model {
	t.Helper()
	cfg := model.DefaultConfig()
	cfg.MLP.Hidden, cfg.UNet = 24, unet.Config{Channels: 4, Growth: 2, Levels: 2, Blocks: 1, Kernel: 3, Time: 6,
		Norm: true, Gamma: 0.3}
	set(&cfg)
	c := chain.Uniform(g)
	for e := range c.P {
		c.P[e] *= 1 + float64(e%5)
	}
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		sum := 0.0
		for _, p := range c.P[lo:hi] {
			sum += p
		}
		for e := lo; e < hi; e++ {
			c.P[e] /= sum
		}
	}
	m, err := model.New(c, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.Net != nil {
		nettest.Randomise(m.Net.Params(), 0.3, 7)
	}
	return m
}

// ascends returns s following the gradient of a reward, of which there are several.
func ascends(t testing.TB, s *d3pm.Sampler, lambda float64, which int) *d3pm.Sampler {
	t.Helper()
	guided := *s
	u := make([]float64, s.Graph.NumEdges())
	for e := range u {
		u[e] = float64(e / which % 3)
	}
	var err error
	if guided.Guide, err = guide.RewardGradient(s.Graph, u); err != nil {
		t.Fatal(err)
	}
	guided.Scale = lambda
	return &guided
}

// differ returns how many paths differ.
func differ(a, b []ddps.Path) (n int) {
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			n++
		}
	}
	return n
}

// With the exact denoiser a backend draws the host's paths, one by one, and so the distribution that sums over all
// PALMs give.
func TestDeviceDistribution(t *testing.T) { nettest.OnBackends(t, deviceDistribution) }

func deviceDistribution(t *testing.T, spec string) {
	m := deviceModel(t, ddps.Example(), func(c *model.Config) { c.Network, c.T = model.NetworkNone, 20 })
	const n = 5000
	engine := &xla.Engine{Host: fast.Engine{}}
	for name, kernel := range allKernels {
		s := m.Sampler()
		s.Kernel, s.Steps, s.Backend, s.Engine = kernel, 3, spec, engine
		for how, s := range map[string]*d3pm.Sampler{"plain": s, "guided": ascends(t, s, 2, 2)} {
			paths := draw(t, s, n, 5)
			host := *s
			host.Backend = ""
			if d := differ(paths, draw(t, &host, n, 5)); d > 1 {
				t.Errorf("%s, %s: %d of %d paths differ from the host's", name, how, d, n)
			}
			if name == "Algorithm2" {
				continue
			}
			chi2, df := oracle.ChiSquare(exactSampler(name, &host), oracle.NewDistribution(s.Graph).Shares(paths), n)
			if limit := chi999[df]; chi2 > limit {
				t.Errorf("%s, %s: χ² = %.1f, 99.9%% quantile %.1f with %d degrees of freedom", name, how, chi2, limit, df)
			}
		}
	}
	if got := engine.Graphs(); got != 2*len(allKernels) {
		t.Errorf("%d graphs for %d kinds", got, 2*len(allKernels))
	}
}

// With a network a backend draws the host's paths but for a few, where rounding decides.
func TestDeviceNetworks(t *testing.T) { nettest.OnBackends(t, deviceNetworks) }

func deviceNetworks(t *testing.T, spec string) {
	g := nettest.Graph(t, 6, 4, 3, 3)
	for name, set := range map[string]func(*model.Config){
		"MLP":            func(c *model.Config) {},
		"plain MLP":      func(c *model.Config) { c.MLP.Residual = false },
		"U-Net":          func(c *model.Config) { c.Network = model.NetworkUNet },
		"residual U-Net": func(c *model.Config) { c.Network, c.UNet.Residual = model.NetworkUNet, true },
	} {
		s := deviceModel(t, g, set).Sampler()
		s.Steps = 6
		if strings.HasPrefix(name, "plain") {
			s.Kernel = d3pm.Algorithm2()
			s = ascends(t, s, 3, 2)
		}
		const n = 400
		want := draw(t, s, n, 3)
		s.Backend = spec
		d := differ(draw(t, s, n, 3), want)
		t.Logf("%s: %d of %d paths differ from the host's", name, d, n)
		if d > n/100 {
			t.Errorf("%s: %d of %d paths differ from the host's", name, d, n)
		}
	}
}

// Strengths, rewards, steps and seeds are inputs: samplers that differ in them compile one graph, and go together with
// the paths that they have alone, to the last bit.
func TestSampleEach(t *testing.T) { nettest.OnBackends(t, sampleEach) }

func sampleEach(t *testing.T, spec string) {
	m := deviceModel(t, nettest.Graph(t, 5, 4, 3, 3), func(*model.Config) {})
	plain := m.Sampler()
	plain.Steps, plain.Backend = 3, spec
	each := []*d3pm.Sampler{ascends(t, plain, 1, 2), ascends(t, plain, 30, 2), ascends(t, plain, 1e5, 3),
		ascends(t, plain, 0, 3)}
	const n = 100 // of which a batch holds several samplers' samples
	last := 0
	all, err := d3pm.SampleEach(context.Background(), each, n, 4, func(done, total int) {
		if last = done; total != 4*n*3 {
			t.Fatalf("of %d", total)
		}
	})
	if err != nil || len(all) != len(each) || last != 4*n*3 {
		t.Fatalf("%d samples of %d, %d done: %v", len(all), len(each), last, err)
	}
	for i, s := range each {
		if alone := draw(t, s, n, 4); differ(all[i], alone) != 0 {
			t.Errorf("sampler %d: other paths than alone", i)
		}
	}
	each[0].Steps = 2
	draw(t, each[0], n, 9)
	if got := m.Net.(net.Graphed).Engine().Graphs(); got != 1 {
		t.Errorf("%d graphs compiled, want 1", got)
	}
	if differ(all[0], all[1]) == 0 || differ(all[1], all[2]) == 0 {
		t.Error("strengths and rewards change nothing")
	}
	host := make([]*d3pm.Sampler, len(each))
	for i, s := range each {
		one := *s
		one.Steps, one.Backend = 3, ""
		host[i] = &one
	}
	want, err := d3pm.SampleEach(context.Background(), host, n, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if d := differ(all[i], want[i]); d > 2 {
			t.Errorf("sampler %d: %d of %d paths differ from the host's", i, d, n)
		}
	}
}

// What a backend cannot do the host does: settings that it has no graph for, numbers that leave its range.
func TestDeviceFallsBack(t *testing.T) {
	g := ddps.Example()
	best, err := guide.MaxReward(g, make([]float64, g.NumEdges()))
	if err != nil {
		t.Fatal(err)
	}
	m := deviceModel(t, g, func(c *model.Config) { c.Network = model.NetworkNone })
	base := *m.Sampler()
	base.Backend, base.Steps = "go", 3
	for name, set := range map[string]func(*d3pm.Sampler){
		"condition":     func(s *d3pm.Sampler) { s.Condition = best },
		"own kernel":    func(s *d3pm.Sampler) { s.Kernel = d3pm.Kernel{Name: "eq2", Fill: d3pm.Eq2().Fill} },
		"own signal":    func(s *d3pm.Sampler) { s.Guide, s.Scale = guide.Gradient(func(pi, g []float64) { clear(g) }), 1 },
		"no own graph":  func(s *d3pm.Sampler) { s.Denoiser = deviceModel(t, g, func(c *model.Config) {}) },
		"on no backend": func(s *d3pm.Sampler) { s.Backend = "" },
	} {
		s := base
		set(&s)
		if takes := name == "no own graph" || name == "on no backend"; (s.HostReason() == "") != takes {
			t.Errorf("%s: host, as %q", name, s.HostReason())
		}
		draw(t, &s, 10, 1)
	}
	// a chain so sure that messages leave the range of a float64
	for e := range m.Chain.P {
		m.Chain.P[e] = 1e-200
	}
	s := base
	host := base
	host.Backend = ""
	if d := differ(draw(t, &s, 50, 1), draw(t, &host, 50, 1)); d != 0 {
		t.Errorf("%d of 50 paths differ from the host's", d)
	}
	times, traced, err := s.Trace(context.Background(), 50, 1)
	if err != nil || len(times) != 4 || differ(traced[3], draw(t, &host, 50, 1)) != 0 ||
		len(traced[1][49]) != g.NumLayers() {
		t.Errorf("traced at %v, error %v", times, err)
	}
}

// The errors are the host's: no backend, weights that are none.
func TestDeviceErrors(t *testing.T) {
	m := deviceModel(t, ddps.Example(), func(*model.Config) {})
	s := m.Sampler()
	s.Backend = "xla:/none.so"
	if _, err := s.Sample(context.Background(), 5, 1); err == nil || !strings.Contains(err.Error(), "none.so") {
		t.Errorf("no such backend: %v", err)
	}
	s.Backend = "go"
	m.Net.Params()[0].Data[3] = float32(math.NaN())
	if _, err := s.Sample(context.Background(), 500, 1); err == nil || !strings.Contains(err.Error(), "not a number") {
		t.Errorf("weights that are none: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Sample(ctx, 5, 1); err == nil {
		t.Error("a context that ended, and no error")
	}
}

// A traced sample is what it decodes to at every time, on a backend too.
func TestDeviceTrace(t *testing.T) {
	s := deviceModel(t, ddps.Example(), func(*model.Config) {}).Sampler()
	s.Steps = 4
	_, want, err := s.Trace(context.Background(), 300, 2)
	if err != nil {
		t.Fatal(err)
	}
	s.Backend = "go"
	_, got, err := s.Trace(context.Background(), 300, 2)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d times, want %d: %v", len(got), len(want), err)
	}
	for k := range want {
		if d := differ(got[k], want[k]); d > 3 {
			t.Errorf("time %d: %d of 300 differ", k, d)
		}
	}
}
