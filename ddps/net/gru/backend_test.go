package gru

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// The network as a GoMLX graph has the loss and the gradient of the native one, with dropout and without, with the
// start and without.
func TestBackend(t *testing.T) {
	for _, g := range []*ddps.LayeredGraph{mesh(t), ended(t), many(t), starts(t)} {
		checkBackend(t, g)
	}
}

func checkBackend(t *testing.T, g *ddps.LayeredGraph) {
	y := newLayout(g)
	list, err := y.walks(allPaths(y.g)[:40])
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float32, len(list))
	for k := range weights {
		weights[k] = float32(k+1) / 64
	}
	for _, start := range []bool{false, true} {
		for _, dropout := range []float64{0, 0.3} {
			n := random(y, Shape{32, 64, start, start}, 5)
			back := newTransposed(n)
			back.set(n)
			zeros := func() (g [][]float32) {
				for _, p := range n.params {
					g = append(g, make([]float32, len(p.Data)))
				}
				return g
			}
			want, got, loss := zeros(), zeros(), 0.0
			var blocks []*block
			for lo := 0; lo < len(list); lo += vec.Lanes {
				b, hi := newBlock(n, back, dropout/2, dropout), min(lo+vec.Lanes, len(list))
				loss += b.lossGrad(list[lo:hi], weights[lo:hi], ddps.Rand(7, uint64(lo)), want)
				blocks = append(blocks, b)
			}
			d := &device{spec: "go"}
			on, err := d.lossGrad(n, list, weights, blocks, got)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(on-loss) < 1e-5*loss) {
				t.Fatalf("start %v, dropout %g: the loss is %g, natively %g", start, dropout, on, loss)
			}
			for i := range want {
				for j, x := range want[i] {
					if !(math.Abs(float64(got[i][j]-x)) < 2e-5*(1+math.Abs(float64(x)))) {
						t.Fatalf("start %v, dropout %g: the gradient of %s[%d] is %g, natively %g",
							start, dropout, n.params[i].Name, j, got[i][j], x)
					}
				}
			}
		}
	}
}

// A trainer on a backend takes the steps of the native one, dropout and all.
func TestBackendTrainer(t *testing.T) {
	y := newLayout(mesh(t))
	d, err := y.data("training", Sample{Paths: allPaths(y.g)})
	if err != nil {
		t.Fatal(err)
	}
	var trained [2]*network
	for i, backend := range []string{"", "go"} {
		n := newNetwork(y, toy().Shape)
		tr := newTrainer(n, toy(), newMachine(&Config{Backend: backend}), 3, d.rows(), nil)
		for range 4 {
			if err := tr.update(d, 0); err != nil {
				t.Fatal(err)
			}
		}
		trained[i] = n
	}
	for i, p := range trained[0].params {
		for j, x := range p.Data {
			if got := trained[1].data(i)[j]; !(math.Abs(float64(got-x)) < 1e-3) {
				t.Fatalf("%s[%d] is %g, natively %g", p.Name, j, got, x)
			}
		}
	}
}
