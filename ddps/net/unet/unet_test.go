package unet

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/mlp"
	"github.com/ddps-go/ddps/ddps/net/nettest"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// unetConfigs have every part, and each one missing; on XLA, which takes long to compile, every part alone.
func unetConfigs(spec string) map[string]Config {
	all := small()
	if strings.HasPrefix(spec, "xla") {
		return map[string]Config{"all": all}
	}
	flat, deep, plain := all, all, all
	flat.Levels, flat.Kernel, flat.Gamma = 0, 1, 0
	deep.Levels, deep.Growth, deep.Blocks, deep.Kernel = 3, 1, 2, 5
	plain.Norm, plain.Gamma = false, 0
	return map[string]Config{"all": all, "flat": flat, "deep": deep, "no norm": plain}
}

// Loss and gradient against the specification in float64, by central differences.
func TestUNetGradient(t *testing.T) { nettest.OnBackends(t, unetGradient) }

func unetGradient(t *testing.T, spec string) {
	for name, cfg := range unetConfigs(spec) {
		cfg.Backend = spec
		g := nettest.Graph(t, 5, 4, 4, 1)
		u := newNetwork(t, g, cfg)
		nettest.Randomise(u.params, 0.3, 1)
		b := nettest.Batch(t, g, 3, 16, 1)
		grads, params := nettest.Zeros(u.params), nettest.Doubles(u.params)
		got, err := u.LossGrad(b, grads)
		if err != nil {
			t.Fatal(err)
		}
		if alone, err := u.LossGrad(b, nil); err != nil || math.Abs(alone.Total-got.Total) > 1e-6*got.Total {
			t.Fatalf("%s: without gradients: loss %+v, error %v, want %+v", name, alone, err, got)
		}
		want := plainLoss(u, params, b)
		if cfg.Gamma == 0 {
			want.VB = 0
		}
		for _, d := range []float64{got.Total - want.Total, got.CE - want.CE, got.VB - want.VB} {
			if !(math.Abs(d) <= 1e-5*want.Total) {
				t.Fatalf("%s: loss %+v, want %+v", name, got, want)
			}
		}
		for i, p := range params {
			for k := 0; k < len(p); k += 1 + len(p)/5 {
				const eps = 1e-5
				w := p[k]
				p[k] = w + eps
				up := plainLoss(u, params, b).Total
				p[k] = w - eps
				slope := (up - plainLoss(u, params, b).Total) / (2 * eps)
				p[k] = w
				if d := math.Abs(slope - float64(grads[i][k])); !(d <= 5e-5*(1+math.Abs(slope))) {
					t.Errorf("%s: gradient of %s[%d] is %g, want %g", name, u.params[i].Name, k, grads[i][k], slope)
				}
			}
		}
	}
}

// Forward against the GoMLX graph of the same network, and against the specification.
func TestUNetForward(t *testing.T) { nettest.OnBackends(t, unetForward) }

func unetForward(t *testing.T, spec string) {
	be, err := backend.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	g := nettest.Graph(t, 6, 7, 3, 4)
	for name, cfg := range unetConfigs(spec) {
		u := newNetwork(t, g, cfg)
		nettest.Randomise(u.params, 0.3, 2)
		const n, step = 35, 77
		E, xt := g.NumEdges(), nettest.PALMs(g, n, 4)
		out := make([]float32, n*E)
		u.Forward(out, nettest.PALMs(g, n, 5), 3) // what it leaves behind must not matter
		u.Forward(out, xt, step)
		x, time := make([]float32, u.V*n*u.D), make([]float32, n*cfg.Time)
		for i := range xt {
			for _, v := range u.rows {
				x[(int(v)*n+i)*u.D+int(xt[i][v])] = 1
			}
			u.freq.Write(time[i*cfg.Time:(i+1)*cfg.Time], step)
		}
		args := append(engine.ParamTensors(u.params), engine.Tensor(x, u.V, n, u.D), engine.Tensor(time, n, cfg.Time))
		onGraph := tensors.MustCopyFlatData[float32](graph.MustNewExec(be, func(a []*graph.Node) *graph.Node {
			nodes := graphNodes{u: u, p: a[:len(u.params)]}
			return nodes.forward(a[len(u.params)], a[len(u.params)+1])
		}).MustExec(args...)[0])
		plain := &plain{u: u, p: nettest.Doubles(u.params)}
		for i := range xt {
			for e, want := range plain.out(xt[i], step) {
				v := g.Tail(e)
				lo, hi := g.Edges(v)
				if hi-lo < 2 { // nothing of it is read
					continue
				}
				node := onGraph[(v*n+i)*u.D+e-lo]
				if got := out[i*E+e]; !nettest.Near(float64(got), want, 2e-5) || !nettest.Near(float64(node), want, 2e-5) {
					t.Fatalf("%s: sample %d edge %d: %g, graph %g, float64 %g", name, i, e, got, node, want)
				}
			}
		}
	}
}

// Forward on a backend against plain Go's; a sample's numbers are the same bits at every place in every batch.
func TestUNetDevice(t *testing.T) { nettest.OnBackends(t, unetOnDevice) }

func unetOnDevice(t *testing.T, spec string) {
	g, cfg := nettest.Graph(t, 7, 5, 4, 3), small()
	cfg.Channels, cfg.Growth, cfg.Backend = 24, 1, spec
	u := newNetwork(t, g, cfg)
	nettest.Randomise(u.params, 0.15, 2)
	cfg.Backend = ""
	plain := newNetwork(t, g, cfg)
	nettest.Randomise(plain.params, 0.15, 2)
	xt, E := nettest.PALMs(g, sampleBatch+5, 5), g.NumEdges()
	want, got := make([]float32, len(xt)*E), make([]float32, len(xt)*E)
	plain.Forward(want, xt, 9)
	if err := u.deviceForward(got, xt, 9); err != nil {
		t.Fatal(err)
	}
	for i, x := range want {
		if g.Degree(g.Tail(i%E)) > 1 && !nettest.Near(float64(got[i]), float64(x), 2e-5) {
			t.Fatalf("entry %d is %g, in plain Go %g", i, got[i], x)
		}
	}
	for lo := 1; lo < len(xt); lo += 11 {
		out := make([]float32, (len(xt)-lo)*E)
		if err := u.deviceForward(out, xt[lo:], 9); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out, got[lo*E:]) {
			t.Fatalf("batch from sample %d differs", lo)
		}
	}
	device := strings.HasPrefix(spec, "xla") && (spec != "xla:cpu" || !vec.Vectors())
	if u.Forward(want, xt, 9); u.onDevice() != device || device && !slices.Equal(want, got) {
		t.Error("Forward runs elsewhere")
	}
}

// Without the backend that the settings name, Forward is plain Go's.
func TestUNetWithoutDevice(t *testing.T) {
	g, cfg := nettest.Graph(t, 7, 5, 4, 3), small()
	plain := newNetwork(t, g, cfg)
	cfg.Backend = "xla:/none.so"
	u := newNetwork(t, g, cfg)
	nettest.Randomise(u.params, 0.3, 2)
	nettest.Randomise(plain.params, 0.3, 2)
	xt := nettest.PALMs(g, 3, 5)
	want, got := make([]float32, 3*g.NumEdges()), make([]float32, 3*g.NumEdges())
	plain.Forward(want, xt, 9)
	if u.Forward(got, xt, 9); !slices.Equal(got, want) || u.onDevice() {
		t.Error("other numbers than plain Go's")
	}
}

// A sample's numbers are the same bits alone, at any place in any batch, and with other goroutines at work.
func TestUNetForwardIndependent(t *testing.T) {
	g := nettest.Graph(t, 7, 5, 4, 3)
	u := newNetwork(t, g, small())
	nettest.Randomise(u.params, 0.3, 2)
	xt, E := nettest.PALMs(g, vec.Lanes+5, 5), g.NumEdges()
	alone := make([]float32, len(xt)*E)
	for k := range xt {
		u.Forward(alone[k*E:(k+1)*E], xt[k:k+1], 9)
	}
	var wg sync.WaitGroup
	for lo := range xt {
		wg.Go(func() {
			out := make([]float32, (len(xt)-lo)*E)
			u.Forward(out, xt[lo:], 9)
			if !slices.Equal(out, alone[lo*E:]) {
				t.Errorf("batch from sample %d differs", lo)
			}
		})
	}
	wg.Wait()
}

// A fresh network's output is zero: the chain, or the uniform distribution. Its loss has a gradient all the same.
func TestUNetStartsAtZero(t *testing.T) {
	g := nettest.Graph(t, 7, 5, 4, 3)
	u := newNetwork(t, g, small())
	out := make([]float32, 2*g.NumEdges())
	u.Forward(out, nettest.PALMs(g, 2, 6), 3)
	if slices.ContainsFunc(out, func(x float32) bool { return x != 0 }) {
		t.Fatal("a new network's output is not zero")
	}
	grads := nettest.Zeros(u.params)
	if _, err := u.LossGrad(nettest.Batch(t, g, 3, 8, 1), grads); err != nil {
		t.Fatal(err)
	}
	if last := grads[len(grads)-2]; !slices.ContainsFunc(last, func(x float32) bool { return x != 0 }) {
		t.Error("the last layer has no gradient")
	}
}

func TestUNetDeterministic(t *testing.T) {
	g := nettest.Graph(t, 6, 4, 3, 2)
	nettest.SameBits(t, nettest.Batch(t, g, 32, 64, 3), func() net.Network {
		u := newNetwork(t, g, small())
		nettest.Randomise(u.params, 0.3, 1)
		return u
	})
}

// No parameter of a vertex that no path visits has a gradient, in any network: what x_t says of it is not read.
func TestUnreached(t *testing.T) {
	g := nettest.Graph(t, 6, 7, 3, 4)
	b := nettest.Batch(t, g, 32, 16, 7)
	u := newNetwork(t, g, small())
	m, err := mlp.New(g, mlp.Config{Hidden: 5, Layers: 1, Time: 4}, 5)
	if err != nil {
		t.Fatal(err)
	}
	nettest.Randomise(u.params, 0.3, 1)
	nettest.Randomise(m.Params(), 0.3, 1)
	du, dm := nettest.Zeros(u.params), nettest.Zeros(m.Params())
	if _, err := u.LossGrad(b, du); err != nil {
		t.Fatal(err)
	}
	if _, err := m.LossGrad(b, dm); err != nil {
		t.Fatal(err)
	}
	last, moved, off := len(dm)-2, 0, 0
	for e := range g.NumEdges() {
		v := g.Tail(e)
		lo, _ := g.Edges(v)
		row, C := v*u.D+e-lo, u.cfg.Channels
		for name, d := range map[string][]float32{"mlp in": dm[0][e*5 : e*5+5], "mlp out": dm[last][e*5 : e*5+5],
			"mlp bias": dm[last+1][e : e+1],
			"unet in":  du[0][row*C : (row+1)*C], "unet out": du[len(du)-2][row*C : (row+1)*C],
			"unet bias": du[len(du)-1][row : row+1]} {
			zero := !slices.ContainsFunc(d, func(x float32) bool { return x != 0 })
			switch {
			case !g.Reachable()[v] && !zero:
				t.Errorf("%s: edge %d leaves vertex %d, which lies on no path, and has a gradient", name, e, v)
			case !g.Reachable()[v]:
				off++
			case !zero:
				moved++
			}
		}
	}
	if moved == 0 || off == 0 {
		t.Errorf("%d parameters have a gradient, %d are of vertices off every path", moved, off)
	}
}

func TestUNetErrors(t *testing.T) {
	g := nettest.Graph(t, 5, 4, 4, 1)
	for name, set := range map[string]func(c *Config){
		"channels": func(c *Config) { c.Channels = 0 }, "growth": func(c *Config) { c.Growth = 5 },
		"levels": func(c *Config) { c.Levels = -1 },
		"blocks": func(c *Config) { c.Blocks = 1 << 40 }, "kernel": func(c *Config) { c.Kernel = 2 },
		"time":  func(c *Config) { c.Time = 3 },
		"gamma": func(c *Config) { c.Gamma = math.NaN() },
	} {
		cfg := small()
		set(&cfg)
		if _, err := New(g, cfg, 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	u := newNetwork(t, g, small())
	for name, spoil := range map[string]func(b *net.Batch){
		"Xt": func(b *net.Batch) { b.Xt = b.Xt[1:] }, "edge number": func(b *net.Batch) { b.Edge[3] = 999 },
		"target slot": func(b *net.Batch) { b.Target[2] = 9 },
		"Post":        func(b *net.Batch) { b.Post = nil }, "does not leave": func(b *net.Batch) {
			b.Xt[0] = b.Xt[len(u.rows)-1]
		},
		"slot": func(b *net.Batch) { b.Edge[slices.Index(b.Mask[1:], 1)+1] = b.Edge[0] },
	} {
		b := nettest.Batch(t, g, 3, 8, 1)
		spoil(b)
		if _, err := u.LossGrad(b, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := u.LossGrad(nettest.Batch(t, g, 3, 8, 1), make([][]float32, 1)); err == nil {
		t.Error("wrong gradients: no error")
	}
	cfg := small()
	cfg.Backend = "abacus"
	if _, err := newNetwork(t, g, cfg).LossGrad(nettest.Batch(t, g, 3, 8, 1), nil); err == nil ||
		!strings.Contains(err.Error(), "abacus") {
		t.Errorf("unknown backend: error %v", err)
	}
}

func BenchmarkUNetForwardToy(b *testing.B) {
	g := nettest.Graph(b, 11, 4, 3, 2)
	u := newNetwork(b, g, DefaultConfig())
	xt := nettest.PALMs(g, 64, 6)
	out := make([]float32, len(xt)*g.NumEdges())
	for b.Loop() {
		u.Forward(out, xt, 100)
	}
	b.ReportMetric(float64(b.N*len(xt))/b.Elapsed().Seconds(), "samples/s")
}
