package swingnn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A batch in parts has the loss and the gradient of the whole, the same bits every time; samples do not change at all.
func TestParts(t *testing.T) {
	onBackends(t, func(t *testing.T, spec string) {
		cfg := configs()["moved"]
		whole := make1(t, 7, cfg, spec)
		cfg.Parts = 3
		parts := make1(t, 7, cfg, spec)
		b := smallBatch(whole, rand.New(rand.NewPCG(3, 9)), true)
		gradient := func(n *Model) (float64, [][]float32) {
			var g [][]float32
			for _, p := range n.params {
				g = append(g, make([]float32, len(p.Data)))
			}
			loss, err := n.lossGrad(b, g)
			if err != nil {
				t.Fatal(err)
			}
			return loss, g
		}
		want, slopes := gradient(whole)
		got, mine := gradient(parts)
		again, others := gradient(parts)
		if math.Abs(got-want) > 1e-5*want || again != got {
			t.Errorf("loss %g, then %g, of the whole %g", got, again, want)
		}
		for i, g := range mine {
			if !slices.Equal(g, others[i]) {
				t.Errorf("%s: another gradient the second time", parts.params[i].Name)
			}
			for k, x := range g {
				if d := math.Abs(float64(x - slopes[i][k])); d > 1e-4*(1+math.Abs(float64(slopes[i][k]))) {
					t.Fatalf("%s[%d]: gradient %g, of the whole %g", parts.params[i].Name, k, x, slopes[i][k])
				}
			}
		}
		alone, err := parts.lossGrad(b, nil)
		if err != nil || math.Abs(alone-want) > 1e-5*want {
			t.Errorf("without gradient: loss %g, error %v", alone, err)
		}
		one, two := make([]float64, len(b.Noisy)), make([]float64, len(b.Noisy))
		if err := whole.estimate(one, b); err != nil {
			t.Fatal(err)
		}
		if err := parts.estimate(two, b); err != nil {
			t.Fatal(err)
		}
		for i := range one {
			if math.Abs(one[i]-two[i]) > 1e-5 {
				t.Fatalf("estimate %d is %g, of the whole %g", i, two[i], one[i])
			}
		}
		x := gauss(rand.New(rand.NewPCG(5, 9)), (2*deviceBatch+1)*whole.Dim(), 1)
		one, two = make([]float64, len(x)), make([]float64, len(x))
		if err := whole.Denoise(one, x, nil, 0.7); err != nil {
			t.Fatal(err)
		}
		if err := parts.Denoise(two, x, nil, 0.7); err != nil || !slices.Equal(one, two) {
			t.Errorf("other numbers side by side, error %v", err)
		}
	})
}

// Parts that do not divide a batch are none.
func TestPartsDivide(t *testing.T) {
	cfg := configs()["flat"]
	cfg.Parts = 2
	n := make1(t, 7, cfg, "")
	if n.divide(3) != 1 || n.divide(4) != 2 {
		t.Errorf("%d and %d parts of batches of 3 and 4", n.divide(3), n.divide(4))
	}
}

// First weights with Init have that deviation times the root of the inputs.
func TestInit(t *testing.T) {
	cfg := configs()["flat"]
	cfg.Dim, cfg.Heads, cfg.Init = 64, 1, 0.5
	n, err := New(7, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range n.params {
		if p.Name != "down0.0.fc2.weight" {
			continue
		}
		sum := 0.0
		for _, x := range p.Data {
			sum += float64(x) * float64(x)
		}
		got, want := math.Sqrt(sum/float64(len(p.Data))), 0.5/math.Sqrt(float64(p.Shape[1]))
		if math.Abs(got/want-1) > 0.1 {
			t.Errorf("deviation %g, want %g", got, want)
		}
		return
	}
	t.Error("no such layer")
}
