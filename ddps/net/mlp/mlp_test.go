package mlp

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

func TestMLPGradient(t *testing.T) {
	t.Run("native", func(t *testing.T) { mlpGradient(t, "") })
	nettest.OnBackends(t, mlpGradient)
}

func mlpGradient(t *testing.T, spec string) {
	g := nettest.Graph(t, 5, 4, 4, 1)
	for _, gamma := range []float64{0, 0.3} {
		m := newNetwork(t, g, Config{Hidden: 12, Layers: 2, Time: 6, Gamma: gamma, Backend: spec})
		random(m, 1)
		b := nettest.Batch(t, g, 7, 16, 1)
		grads := nettest.Zeros(m.params)
		got, err := m.LossGrad(b, grads)
		if err != nil {
			t.Fatal(err)
		}
		if alone, err := m.LossGrad(b, nil); err != nil || math.Abs(alone.Total-got.Total) > 1e-6*got.Total {
			t.Fatalf("without gradients: loss %+v, error %v, want %+v", alone, err, got)
		}
		params := nettest.Doubles(m.params)
		want := m.plainLoss(params, b)
		if gamma == 0 {
			want.VB = 0
		}
		for _, d := range []float64{got.Total - want.Total, got.CE - want.CE, got.VB - want.VB} {
			if math.Abs(d) > 1e-5*want.Total {
				t.Fatalf("gamma %g: loss %+v, want %+v", gamma, got, want)
			}
		}
		for i, p := range params {
			for k := 0; k < len(p); k += 1 + len(p)/60 {
				const eps = 1e-5
				w := p[k]
				p[k] = w + eps
				up := m.plainLoss(params, b).Total
				p[k] = w - eps
				slope := (up - m.plainLoss(params, b).Total) / (2 * eps)
				p[k] = w
				if d := math.Abs(slope - float64(grads[i][k])); !(d <= 2e-5*(1+math.Abs(slope))) {
					t.Fatalf("gamma %g: gradient of %s[%d] is %g, want %g", gamma, m.params[i].Name, k, grads[i][k], slope)
				}
			}
		}
	}
}

// Far from any sensible value: a sure and wrong network gives finite numbers.
func TestMLPExtreme(t *testing.T) {
	g := nettest.Graph(t, 5, 4, 4, 1)
	m := newNetwork(t, g, Config{Hidden: 8, Layers: 1, Time: 4, Gamma: 1})
	b := nettest.Batch(t, g, 4, 16, 2)
	bias := m.params[len(m.params)-1].Data
	for e := range bias {
		bias[e] = float32(400 * (e%3 - 1))
	}
	grads := nettest.Zeros(m.params)
	loss, err := m.LossGrad(b, grads)
	if err != nil || math.IsNaN(loss.Total) || math.IsInf(loss.Total, 0) {
		t.Fatalf("loss %+v, error %v", loss, err)
	}
	for i := range grads {
		for k, d := range grads[i] {
			if d != d || math.IsInf(float64(d), 0) {
				t.Fatalf("gradient of %s[%d] is %g", m.params[i].Name, k, d)
			}
		}
	}
}

func TestMLPLossGradDeterministic(t *testing.T) {
	g := nettest.Graph(t, 11, 4, 3, 2)
	nettest.SameBits(t, nettest.Batch(t, g, 128, 256, 3), func() net.Network {
		m := newNetwork(t, g, DefaultConfig())
		random(m, 1)
		return m
	})
}

// Forward against the GoMLX graph of the same network, and against the specification.
func TestMLPForward(t *testing.T) {
	be, err := backend.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	g := nettest.Graph(t, 7, 5, 4, 3)
	for _, cfg := range []Config{{Hidden: 33, Layers: 2, Time: 8}, {Hidden: 16, Layers: 0, Time: 2},
		{Hidden: 64, Layers: 3, Time: 16}} {
		m := newNetwork(t, g, cfg)
		random(m, 2)
		const n, step = 21, 77
		xt, b := nettest.PALMs(g, n, 4), &net.Batch{N: n}
		for _, x := range xt {
			b.T = append(b.T, step)
			for r, v := range m.rows {
				b.Xt = append(b.Xt, m.first[r]+x[v])
			}
		}
		out := make([]float32, n*m.edges)
		m.Forward(out, xt, step)
		m.train.host.inputs(m, b)
		args := []any{tensors.FromFlatDataAndDimensions(m.train.host.pre, n, cfg.Hidden)}
		for _, p := range m.params[1:] {
			args = append(args, tensors.FromFlatDataAndDimensions(p.Data, p.Shape...))
		}
		onGraph := tensors.MustCopyFlatData[float32](graph.MustNewExec(be, func(a []*graph.Node) *graph.Node {
			return forwardNode(a[0], a[1:])
		}).MustExec(args...)[0])
		params, rows := nettest.Doubles(m.params), len(m.rows)
		for k := range n {
			want := m.plain(params, b.Xt[k*rows:(k+1)*rows], step)
			for e := range m.edges {
				i := k*m.edges + e
				if g.Degree(g.Tail(e)) < 2 { // nothing of it is read
					continue
				}
				if math.Abs(float64(out[i]-onGraph[i])) > 1e-5 || math.Abs(float64(out[i])-want[e]) > 1e-5 {
					t.Fatalf("%+v: sample %d edge %d: %g, graph %g, float64 %g", cfg, k, e, out[i], onGraph[i], want[e])
				}
			}
		}
	}
}

// A sample's numbers are the same bits alone, at any place in any batch, and with other goroutines at work.
func TestMLPForwardIndependent(t *testing.T) {
	g := nettest.Graph(t, 7, 5, 4, 3)
	m := newNetwork(t, g, Config{Hidden: 33, Layers: 2, Time: 8})
	random(m, 2)
	xt := nettest.PALMs(g, 3*vec.Lanes+5, 5)
	alone := make([]float32, len(xt)*m.edges)
	for k := range xt {
		m.Forward(alone[k*m.edges:(k+1)*m.edges], xt[k:k+1], 9)
	}
	var wg sync.WaitGroup
	for lo := range xt {
		wg.Go(func() {
			out := make([]float32, (len(xt)-lo)*m.edges)
			m.Forward(out, xt[lo:], 9)
			if !slices.Equal(out, alone[lo*m.edges:]) {
				t.Errorf("batch from sample %d differs", lo)
			}
		})
	}
	wg.Wait()
}

// A new network corrects nothing.
func TestMLPStartsAtZero(t *testing.T) {
	g := nettest.Graph(t, 7, 5, 4, 3)
	m := newNetwork(t, g, DefaultConfig())
	out := make([]float32, 2*m.edges)
	m.Forward(out, nettest.PALMs(g, 2, 6), 3)
	if slices.ContainsFunc(out, func(x float32) bool { return x != 0 }) {
		t.Fatal("a new network's output is not zero")
	}
}

func TestMLPErrors(t *testing.T) {
	g := nettest.Graph(t, 5, 4, 4, 1)
	for _, cfg := range []Config{{}, {Hidden: 4, Time: 3}, {Hidden: 4, Layers: -1, Time: 2},
		{Hidden: 4, Time: 2, Gamma: math.NaN()}} {
		if _, err := New(g, cfg, 1); err == nil {
			t.Errorf("%+v: no error", cfg)
		}
	}
	m := newNetwork(t, g, Config{Hidden: 4, Time: 2, Gamma: 1})
	for name, spoil := range map[string]func(b *net.Batch){
		"Xt": func(b *net.Batch) { b.Xt = b.Xt[1:] }, "edge number": func(b *net.Batch) { b.Edge[3] = 999 },
		"target slot": func(b *net.Batch) { b.Target[2] = 9 }, "Post": func(b *net.Batch) { b.Post = nil },
	} {
		b := nettest.Batch(t, g, 3, 8, 1)
		spoil(b)
		if _, err := m.LossGrad(b, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := m.LossGrad(nettest.Batch(t, g, 3, 8, 1), make([][]float32, 1)); err == nil {
		t.Error("wrong gradients: no error")
	}
	m = newNetwork(t, g, Config{Hidden: 4, Time: 2, Backend: "abacus"})
	if _, err := m.LossGrad(nettest.Batch(t, g, 3, 8, 1), nil); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("unknown backend: error %v", err)
	}
}

// Without a backend the numbers are GoMLX's up to rounding, at any size of the batch, and have the same bits on any
// number of CPU.
func TestMLPNative(t *testing.T) {
	g := nettest.Graph(t, 6, 5, 4, 3)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		hidden, layers, n int
		gamma             float64
	}{{1, 0, 1, 0}, {40, 1, 33, 0.1}, {33, 3, 700, 0}, {64, 2, 96, 0.01}} {
		cfg := Config{Hidden: c.hidden, Layers: c.layers, Time: 6, Gamma: c.gamma}
		m := newNetwork(t, g, cfg)
		cfg.Backend = "go"
		other := newNetwork(t, g, cfg)
		random(m, 1)
		random(other, 1)
		b := nettest.Batch(t, g, c.n, 16, 1)
		grads, again, want := nettest.Zeros(m.params), nettest.Zeros(m.params), nettest.Zeros(m.params)
		runtime.GOMAXPROCS(1)
		got, err := m.LossGrad(b, grads)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GOMAXPROCS(4)
		if l, err := m.LossGrad(b, again); err != nil || l != got {
			t.Fatalf("loss %+v on four CPUs, %+v on one; %v", l, got, err)
		}
		loss, err := other.LossGrad(b, want)
		if err != nil || math.Abs(loss.Total-got.Total) > 1e-5*loss.Total || math.Abs(loss.VB-got.VB) > 1e-4*(1+loss.VB) {
			t.Fatalf("%+v: loss %+v, want %+v; %v", c, got, loss, err)
		}
		for i, p := range m.params {
			for k, w := range want[i] {
				if grads[i][k] != again[i][k] {
					t.Fatalf("%+v: other bits on four CPUs", c)
				}
				if d := math.Abs(float64(grads[i][k] - w)); !(d <= 2e-5*(1+math.Abs(float64(w)))) {
					t.Fatalf("%+v: gradient of %s[%d] is %g, want %g", c, p.Name, k, grads[i][k], w)
				}
			}
		}
	}
}

// Vertices numbered otherwise within their layers, and an MLP's rows by edge with them, give the same numbers in other
// places. (A UNet has no such symmetry.)
func TestMLPPermutation(t *testing.T) {
	g := nettest.Graph(t, 6, 7, 3, 8)
	h, at := nettest.Renumber(t, g, 9)
	cfg := Config{Hidden: 9, Layers: 2, Time: 6}
	m, q := newNetwork(t, g, cfg), newNetwork(t, h, cfg)
	nettest.Randomise(m.params, 0.4, 1)
	for i, p := range m.params {
		copy(q.params[i].Data, p.Data)
	}
	x, y := nettest.PALMs(g, 1, 2)[0], make(ddps.PALM, g.NumVertices())
	edge := make([]int, g.NumEdges())
	for e := range edge {
		v := g.Tail(e)
		k, ok := h.EdgeBetween(at[v], at[g.Head(e)])
		if !ok {
			t.Fatal("an edge is lost")
		}
		edge[e] = k
		first, _ := g.Edges(v)
		other, _ := h.Edges(at[v])
		if int(x[v]) == e-first {
			y[at[v]] = int32(k - other)
		}
		last := len(m.params) - 2
		for i, width := range map[int]int{0: 9, last: 9, last + 1: 1} {
			copy(q.params[i].Data[k*width:(k+1)*width], m.params[i].Data[e*width:(e+1)*width])
		}
	}
	out, other := make([]float32, len(edge)), make([]float32, len(edge))
	m.Forward(out, []ddps.PALM{x}, 20)
	q.Forward(other, []ddps.PALM{y}, 20)
	for e, k := range edge {
		if !nettest.Near(float64(other[k]), float64(out[e]), 1e-5) {
			t.Errorf("edge %d: %v, renumbered %v", e, out[e], other[k])
		}
	}
}
