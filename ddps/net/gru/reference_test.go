package gru

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// reference64 is the network in float64, one walk and one number at a time: the equations of the package comment.
type reference64 struct {
	n *network
	p [][]float64 // parameters
}

func newReference(n *network) *reference64 {
	r := &reference64{n: n}
	for _, p := range n.params {
		x := make([]float64, len(p.Data))
		for i := range x {
			x[i] = float64(p.Data[i])
		}
		r.p = append(r.p, x)
	}
	return r
}

// product returns W·x + b for parameters w and b.
func (r *reference64) product(w, b int, x []float64) []float64 {
	y := make([]float64, len(r.p[b]))
	for j := range y {
		y[j] = r.p[b][j]
		for i := range x {
			y[j] += r.p[w][j*len(x)+i] * x[i]
		}
	}
	return y
}

// rows calls f with the probabilities of each row that w visits; drop and keep, by step, multiply what the input and
// the output read (nil: ones).
func (r *reference64) rows(w walk, drop, keep [][]float64, f func(t int, p []float64)) {
	n, H := r.n, r.n.hidden
	h := make([]float64, H)
	for t, v := range w.vertices {
		x, read := make([]float64, n.embed), make([]float64, H)
		for i := range x {
			x[i] = r.p[pPlace][int(n.place[v])*n.embed+i] + r.p[pPosition][t*n.embed+i]
			if n.start && t > 0 {
				x[i] += r.p[pStart][int(n.place[w.vertices[1]])*n.embed+i]
			}
			if drop != nil {
				x[i] *= drop[t][i]
			}
		}
		g, a := r.product(pInput, pInputBias, x), r.product(pState, pStateBias, h)
		next := make([]float64, H)
		for i := range H {
			reset := 1 / (1 + math.Exp(-g[H+i]-a[i]))
			z := 1 / (1 + math.Exp(-g[2*H+i]-a[H+i]))
			c := math.Tanh(g[i] + reset*a[2*H+i])
			next[i] = (1-z)*c + z*h[i]
			if read[i] = next[i]; keep != nil {
				read[i] *= keep[t][i]
			}
		}
		h = next
		out := r.product(pOutput, pOutputBias, read)
		lo, hi := n.g.Edges(int(v))
		p, sum := make([]float64, hi-lo), 0.0
		for d := range p {
			z := out[n.head[lo+d]]
			for r, on := range related(n, w.vertices[:t+1], n.g.Head(lo+d)) {
				if on && n.outputs > n.places {
					z += out[n.places+r]
				}
			}
			p[d] = math.Exp(z)
			sum += p[d]
		}
		for d := range p {
			p[d] /= sum
		}
		f(t, p)
	}
}

// related returns the relations of an edge to vertex w to the walk so far, by the words of their constants.
func related(n *network, walk []int32, w int) (r [relations]bool) {
	place := func(v int32) int { return n.g.Meta().Place[v] }
	var places, way []int
	if n.g.Meta().Place == nil {
		return r
	}
	back := false
	for _, v := range walk {
		p := place(v)
		if p < 0 {
			continue
		}
		switch m := len(way); {
		case m > 0 && way[m-1] == p: // it stays
		case m > 1 && way[m-2] == p:
			way, back = way[:m-1], true
		default:
			way, back = append(way, p), false
		}
		places = append(places, p)
	}
	p, m := place(int32(w)), len(places)
	if p < 0 {
		r[closes] = n.single[w] && m > 1 && places[0] == places[m-1] && slices.Max(places) != slices.Min(places)
		return r
	}
	r[seen] = slices.Contains(places, p)
	r[home] = m > 0 && places[0] == p
	r[stays] = m > 0 && places[m-1] == p
	under := len(way) > 1 && way[len(way)-2] == p && !r[stays]
	r[turns], r[retraces] = under && !back, under && back
	return r
}

// nll returns −log p of w.
func (r *reference64) nll(w walk, drop, keep [][]float64) (sum float64) {
	r.rows(w, drop, keep, func(t int, p []float64) { sum -= math.Log(p[w.slots[t]]) })
	return sum
}

// mesh returns a graph of six layers in which places recur, some have one successor, and an end absorbs: layers after
// the source hold places 0, 1, 2 and, from the fourth on, the end 3; from 2 leads only 0.
func mesh(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	sizes, place := []int{1, 3, 3, 4, 4, 4}, []int{-1}
	for _, s := range sizes[1:] {
		for i := range s {
			place = append(place, i)
		}
	}
	heads, lo := [][]int{{1, 2, 3}}, 1
	for l := 1; l < len(sizes); l++ {
		next := lo + sizes[l]
		for i := range sizes[l] {
			var to []int
			if l+1 < len(sizes) {
				for j := range sizes[l+1] {
					if i == 3 && j == 3 || i < 2 && j < 3 || i < 2 && j == 3 || i == 2 && j == 0 {
						to = append(to, next+j)
					}
				}
			}
			heads = append(heads, to)
		}
		lo = next
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: place})
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// many returns a graph of more than fewPlaces vertices without places.
func many(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	const width = fewPlaces/3 + 1
	heads := make([][]int, 1+3*width)
	for i := range width {
		heads[0] = append(heads[0], 1+i)
		for l := range 2 {
			for j := range 1 + i%3 {
				heads[1+l*width+i] = append(heads[1+l*width+i], 1+(l+1)*width+(i*(l+2)+5*j)%width)
			}
		}
	}
	g, err := ddps.New([]int{1, width, width, width}, heads)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// starts returns a graph in which most of a thousand vertices are those that paths may start from.
func starts(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	const width = 1033
	heads := make([][]int, 1+width+6)
	for i := range width {
		heads[0] = append(heads[0], 1+i)
		heads[1+i] = []int{1 + width + i%2, 1 + width + 2}[i%3/2:]
	}
	for i := range 3 {
		heads[1+width+i] = []int{4 + width, 5 + width, 6 + width}[:1+i]
	}
	g, err := ddps.New([]int{1, width, 3, 3}, heads)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// allPaths returns the paths of g.
func allPaths(g *ddps.LayeredGraph) (all []ddps.Path) {
	for p := range g.Paths() {
		all = append(all, p)
	}
	return all
}

// random returns a network with random parameters, biases too.
func random(y *layout, s Shape, seed uint64) *network {
	n := newNetwork(y, s)
	rng := ddps.Rand(seed, 1)
	n.draw(rng)
	for _, i := range []int{pInputBias, pStateBias, pOutputBias} {
		for j := range n.data(i) {
			n.data(i)[j] = float32(0.3 * rng.NormFloat64())
		}
	}
	return n
}

// The log-probabilities of all paths against the reference, with one network and with the mean of two, with the start
// and without; they sum to 1.
func TestLogProb(t *testing.T) {
	for _, g := range []*ddps.LayeredGraph{mesh(t), ended(t), many(t)} {
		checkLogProb(t, g)
	}
}

func checkLogProb(t *testing.T, g *ddps.LayeredGraph) {
	y, paths := newLayout(g), allPaths(g)
	for _, s := range []Shape{{32, 32, false, false}, {32, 32, true, false}, {64, 32, true, true}} {
		for count := 1; count < 3; count++ {
			var nets []*tables
			var refs []*reference64
			for i := range count {
				n := random(y, s, uint64(i))
				nets, refs = append(nets, newTables(n)), append(refs, newReference(n))
			}
			m, out, total := newGRU(y, s, nets), make([]float64, len(paths)), 0.0
			if err := m.LogProb(paths, out); err != nil {
				t.Fatal(err)
			}
			for i, p := range paths {
				total += math.Exp(out[i])
				w, err := y.walk(p)
				if err != nil {
					t.Fatal(err)
				}
				means := make([]float64, len(w.slots))
				for _, r := range refs {
					r.rows(w, nil, nil, func(t int, p []float64) { means[t] += p[w.slots[t]] / float64(count) })
				}
				want := 0.0
				for _, x := range means {
					want += math.Log(x)
				}
				if !(math.Abs(out[i]-want) < 1e-5) {
					t.Fatalf("%v: log p of path %v is %g, want %g", s, p, out[i], want)
				}
			}
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("%v: the probabilities sum to %.15g", s, total)
			}
		}
	}
}

// masks returns what block multiplied by at each step in lane k.
func masks(b *block, k, T int) (drop, keep [][]float64) {
	column := func(x []vec.Block) (y []float64) {
		for j := range x {
			y = append(y, float64(x[j][k]))
		}
		return y
	}
	for t := range T {
		drop = append(drop, column(b.steps[t].drop))
		if keep = append(keep, column(b.steps[t].keep)); !b.steps[t].choices {
			keep[t] = column(b.steps[t].h) // not read
		}
	}
	return drop, keep
}

// The loss of a block of walks and its gradient, with dropout, against central differences of the reference in float64.
func TestGradient(t *testing.T) {
	for _, g := range []*ddps.LayeredGraph{mesh(t), ended(t), many(t), starts(t)} {
		checkGradient(t, g, false)
		if y := newLayout(g); y.places > fewPlaces {
			checkGradient(t, g, true)
		}
	}
}

func checkGradient(t *testing.T, g *ddps.LayeredGraph, wide bool) {
	const eps = 1e-5
	y, paths := newLayout(g), allPaths(g)
	rng := rand.New(rand.NewPCG(3, 1))
	rng.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	list, err := y.walks(paths[:20])
	if err != nil {
		t.Fatal(err)
	}
	for _, dropout := range []float64{0, 0.3} {
		n := random(y, Shape{32, 32, true, true}, 5)
		n.wide = wide
		var grads [][]float32
		for _, p := range n.params {
			grads = append(grads, make([]float32, len(p.Data)))
		}
		weights := make([]float32, vec.Lanes)
		for k := range weights {
			weights[k] = float32(k+1) / 64
		}
		back := newTransposed(n)
		back.set(n)
		b, ref := newBlock(n, back, dropout/2, dropout), newReference(n)
		loss := b.lossGrad(list, weights, ddps.Rand(7, 1), grads)
		total := func() (sum float64) {
			for k, w := range list {
				var drop, keep [][]float64
				if dropout > 0 {
					drop, keep = masks(b, k, len(w.vertices))
				}
				sum += float64(weights[k]) * ref.nll(w, drop, keep)
			}
			return sum
		}
		if want := total(); !(math.Abs(loss-want) < 1e-5*want) {
			t.Fatalf("the loss is %g, want %g", loss, want)
		}
		for i, p := range ref.p {
			for range min(len(p), 12) {
				j := rng.IntN(len(p))
				before := p[j]
				p[j] = before + eps
				up := total()
				p[j] = before - eps
				slope := (up - total()) / (2 * eps)
				p[j] = before
				if !(math.Abs(float64(grads[i][j])-slope) < 2e-5*(1+math.Abs(slope))) {
					t.Fatalf("dropout %g: the gradient of %s[%d] is %g, want %g",
						dropout, n.params[i].Name, j, grads[i][j], slope)
				}
			}
		}
	}
}
