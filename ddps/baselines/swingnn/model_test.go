package swingnn

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps/internal/backend"
)

// onBackends runs test on the Go backend and, where this program has XLA and finds a plugin, on XLA, which must be
// there if DDPS_TEST_XLA is 1.
func onBackends(t *testing.T, test func(t *testing.T, spec string)) {
	for _, spec := range []string{"go", "xla:cpu"} {
		t.Run(spec, func(t *testing.T) {
			b, err := backend.Open(spec)
			if err != nil && spec == "xla:cpu" && os.Getenv("DDPS_TEST_XLA") != "1" {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			b.Finalize()
			test(t, spec)
		})
	}
}

// configs are small networks: with moved windows at the first stage, three stages, one stage, one token a window.
func configs() map[string]Config {
	c := Default()
	c.Dim, c.Heads, c.Noise, c.Ratio, c.Backend = 4, 2, 6, 2, ""
	c.Patch, c.Window, c.Depths = 2, 2, []int{2, 1}
	deep, flat, whole := c, c, c
	deep.Patch, deep.Window, deep.Depths, deep.Ratio = 1, 4, []int{2, 2, 1}, 1
	flat.Patch, flat.Window, flat.Depths, flat.Heads = 3, 24, []int{1}, 1
	whole.Window, whole.Position = 24, true
	return map[string]Config{"moved": c, "deep": deep, "flat": flat, "whole": whole}
}

// make1 makes a network whose parameters are all random.
func make1(t testing.TB, V int, cfg Config, spec string) *Model {
	t.Helper()
	cfg.Backend = spec
	n, err := New(V, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, p := range n.params {
		for i := range p.Data {
			p.Data[i] += 0.4 * float32(rng.NormFloat64())
		}
	}
	return n
}

func gauss(rng *rand.Rand, n int, scale float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = scale * rng.NormFloat64()
	}
	return x
}

// Every layer's parameters counted from the publication's list of layers.
func TestNumWeights(t *testing.T) {
	dense := func(to, from int) int { return to*from + to }
	count := func(c Config, grid int) int {
		total := dense(c.Noise, c.Dim) + dense(c.Noise, c.Noise) + dense(c.Dim, 2*c.Patch*c.Patch) + 2*c.Dim +
			dense(2*c.Dim, c.Noise) +
			2*c.Dim + c.Dim*c.Dim*c.Patch*c.Patch + c.Dim + dense(c.Dim, c.Dim) + c.Dim + 1
		for s, depth := range c.Depths {
			d, w := c.Dim<<s, min(c.Window, grid>>s)
			block := dense(2*d, c.Noise) + 4*d + dense(3*d, d) + dense(d, d) + dense(c.Ratio*d, d) + dense(d, c.Ratio*d) +
				(2*w-1)*(2*w-1)*c.Heads<<s
			total += 2 * depth * block
			if s < len(c.Depths)-1 {
				total += 8*d + 4*d*2*d + 16*d*d + 8*d + 2*d + d*d
			}
		}
		if c.Position {
			total += grid * grid * c.Dim
		}
		return total
	}
	for name, c := range configs() {
		n := make1(t, 7, c, "")
		if got, want := n.NumWeights(), count(c, n.N/c.Patch); got != want {
			t.Errorf("%s: %d parameters, want %d", name, got, want)
		}
	}
	n, err := New(46, Default(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := n.NumWeights(), count(Default(), 16); got != want || n.N != 48 || want != 15_398_049 {
		t.Errorf("default: %d parameters on a side of %d, want %d", got, n.N, want)
	}
}

// D on fixed weights against the reference in float64, with an estimate and without, more matrices than go at a time.
func TestDenoise(t *testing.T) { onBackends(t, denoise) }

func denoise(t *testing.T, spec string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, cfg := range configs() {
		n := make1(t, 7, cfg, spec)
		ref, D, count := newReference(n), n.Dim(), deviceBatch+3
		for _, sigma := range []float64{0.01, 0.7, 30} {
			x, self, got := gauss(rng, count*D, 1+sigma), gauss(rng, count*D, 1), make([]float64, count*D)
			for _, est := range [][]float64{nil, self} {
				if err := n.Denoise(got, x, est, sigma); err != nil {
					t.Fatal(err)
				}
				for _, k := range []int{0, deviceBatch - 1, count - 1} {
					var own []float64
					if est != nil {
						own = est[k*D : (k+1)*D]
					}
					want := ref.D(x[k*D:(k+1)*D], own, sigma)
					for c := range want {
						if g := got[k*D+c]; !(math.Abs(g-want[c]) <= 2e-5*(1+math.Abs(want[c]))) {
							t.Fatalf("%s, σ = %g, matrix %d, coordinate %d: %g, want %g", name, sigma, k, c, g, want[c])
						}
					}
				}
			}
		}
	}
}

// F itself: symmetric, 0 on the diagonal and in the padding, which no input there changes.
func TestSymmetric(t *testing.T) {
	n := make1(t, 5, configs()["moved"], "go")
	be, err := backend.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	args := []any{}
	for _, p := range n.params {
		args = append(args, tensors.FromFlatDataAndDimensions(p.Data, p.Shape...))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	x, level := make([]float32, n.N*n.N), make([]float32, n.cfg.Dim)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	in := tensors.FromFlatDataAndDimensions(x, 1, n.N, n.N)
	args = append(args, in, in, tensors.FromFlatDataAndDimensions(level, 1, n.cfg.Dim))
	out := graph.MustNewExec(be, func(a []*graph.Node) *graph.Node {
		P := len(n.params)
		f := &nodes{n: n, p: a[:P], x: a[P], self: a[P+1], level: a[P+2]}
		return f.forward()
	}).MustExec(args...)[0]
	f := tensors.MustCopyFlatData[float32](out)
	moved := 0
	for i := range n.N {
		for j := range n.N {
			z := f[i*n.N+j]
			if z != f[j*n.N+i] {
				t.Errorf("(%d, %d) is %g, (%d, %d) is %g", i, j, z, j, i, f[j*n.N+i])
			}
			if inside := i != j && i < n.V && j < n.V; !inside && z != 0 {
				t.Errorf("(%d, %d) is %g, want 0", i, j, z)
			} else if inside && z != 0 {
				moved++
			}
		}
	}
	if n.N <= n.V || moved != n.V*(n.V-1) {
		t.Errorf("side %d for %d vertices, %d entries are not 0", n.N, n.V, moved)
	}
}

// Partitions and moves of a grid whose tokens are numbered, and their inverses.
func TestWindows(t *testing.T) {
	be, err := backend.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	const B, grid, window, C, shift = 2, 6, 3, 2, 1
	x := make([]float32, B*grid*grid*C)
	for i := range x {
		x[i] = float32(i)
	}
	run := func(f func(x *graph.Node) *graph.Node) []float32 {
		return tensors.MustCopyFlatData[float32](graph.MustExecOnce(be, f, tensors.FromFlatDataAndDimensions(x, B, grid*grid,
			C)))
	}
	parts := run(func(x *graph.Node) *graph.Node { return partition(x, grid, window) })
	moved := run(func(x *graph.Node) *graph.Node { return roll(x, grid, shift) })
	k := grid / window
	for b := range B {
		for i := range grid {
			for j := range grid {
				for c := range C {
					is := float32(((b*grid+i)*grid+j)*C + c)
					win, tok := (b*k+i/window)*k+j/window, i%window*window+j%window
					if got := parts[(win*window*window+tok)*C+c]; got != is {
						t.Fatalf("window %d, token %d holds %g, want %g", win, tok, got, is)
					}
					to := (i-shift+grid)%grid*grid + (j-shift+grid)%grid
					if got := moved[(b*grid*grid+to)*C+c]; got != is {
						t.Fatalf("moved token %d holds %g, want %g", to, got, is)
					}
				}
			}
		}
	}
	back := run(func(x *graph.Node) *graph.Node { return unpartition(partition(x, grid, window), grid, window) })
	home := run(func(x *graph.Node) *graph.Node { return roll(roll(x, grid, shift), grid, grid-shift) })
	if !slices.Equal(back, x) || !slices.Equal(home, x) {
		t.Error("partition or roll is not undone")
	}
}

// No token sees one that met it by going around the edges.
func TestRegions(t *testing.T) {
	b := &block{grid: 6, window: 3, shift: 1}
	for win := range 4 {
		for s := range 9 {
			for u := range 9 {
				at := func(tok int) (i, j int) {
					return (win/2*3 + tok/3 + 1) % 6, (win%2*3 + tok%3 + 1) % 6
				}
				si, sj := at(s)
				ui, uj := at(u)
				together := max(si-ui, ui-si) < 3 && max(sj-uj, uj-sj) < 3
				if (b.region(win, s) == b.region(win, u)) != together {
					t.Errorf("window %d: tokens of (%d, %d) and (%d, %d)", win, si, sj, ui, uj)
				}
			}
		}
	}
}

func TestNewErrors(t *testing.T) {
	for name, set := range map[string]func(c *Config){
		"patch": func(c *Config) { c.Patch = 0 }, "window": func(c *Config) { c.Window = 65 },
		"dim":   func(c *Config) { c.Dim = 5; c.Heads = 5 },
		"heads": func(c *Config) { c.Heads = 7 }, "depths": func(c *Config) { c.Depths = nil },
		"depth 2": func(c *Config) { c.Depths = []int{1, 0} },
		"ratio":   func(c *Config) { c.Ratio = 0 }, "noise": func(c *Config) { c.Noise = -1 },
		"sigma": func(c *Config) { c.Sigma = math.Inf(1) },
		"init":  func(c *Config) { c.Init = -1 }, "parts": func(c *Config) { c.Parts = 65 },
		"p_std": func(c *Config) { c.PStd = math.NaN() }, "p_mean": func(c *Config) { c.PMean = math.NaN() },
		"parameters": func(c *Config) { c.Dim, c.Heads, c.Depths = 1024, 1, []int{32, 32, 32, 32, 32, 32} },
	} {
		c := Default()
		set(&c)
		if _, err := New(10, c, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := New(1, Default(), 0); err == nil || !strings.Contains(err.Error(), "vertices") {
		t.Errorf("one vertex: error %v", err)
	}
	n := make1(t, 5, configs()["flat"], "abacus")
	x := make([]float64, n.Dim())
	if err := n.Denoise(x, x, nil, 1); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("unknown backend: error %v", err)
	}
	for _, err := range []error{n.Denoise(x, x[1:], nil, 1), n.Denoise(x, x, x[1:], 1), n.Denoise(x, x, nil, 0),
		n.DenoiseGrad(x, x, x, nil, x[1:], 1)} {
		if err == nil {
			t.Error("wrong lengths or σ: no error")
		}
	}
}
