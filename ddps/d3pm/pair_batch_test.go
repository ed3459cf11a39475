package d3pm

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// A sample's numbers do not depend on the batch, nor on other callers.
func TestPairBatchIndependence(t *testing.T) {
	g := pairPlaces(t, mlpGraph(t, 8, 9, 4, 2))
	p := pairNew(t, g, PairConfig{Hidden: 20, Time: 3, Shared: true})
	pairRandom(p, 0.4, 1)
	xt, E := mlpPALMs(g, 19, 3), g.NumEdges()
	out := make([]float32, len(xt)*E)
	p.Forward(out, xt, 30)
	var wg sync.WaitGroup
	for i, x := range xt {
		wg.Go(func() {
			one := make([]float32, E)
			if p.Forward(one, []ddps.PALM{x}, 30); !slices.Equal(one, out[i*E:(i+1)*E]) {
				t.Errorf("sample %d alone gives other numbers", i)
			}
		})
	}
	wg.Wait()
}

func TestPairDeterminism(t *testing.T) {
	g := pairPlaces(t, mlpGraph(t, 8, 9, 4, 2))
	p := pairNew(t, g, PairConfig{Hidden: 20, Time: 3, Shared: true})
	pairRandom(p, 0.4, 1)
	b := mlpBatch(t, g, 61, p.times, 3)
	want, _ := pairGrads(p)
	loss, err := p.LossGrad(b, want)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(n)
		grads, _ := pairGrads(p)
		if again, err := p.LossGrad(b, grads); err != nil || again != loss {
			t.Errorf("%d threads: loss %v, %v, want %v", n, again, err, loss)
		}
		for i := range grads {
			if !slices.Equal(grads[i], want[i]) {
				t.Errorf("%d threads: other bits in %s", n, p.params[i].Name)
			}
		}
	}
}

func TestPairErrors(t *testing.T) {
	g := mlpGraph(t, 4, 5, 3, 2)
	s := Cosine(64)
	c := chain.NewDenoiser(chain.Uniform(g), s.Abar)
	for name, cfg := range map[string]PairConfig{"vectors of 0": {Time: 1}, "time features": {Hidden: 4}, "places": DefaultPair()} {
		if _, err := NewPair(g, c, s, cfg, 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewPair(ddps.Example(), c, s, PairConfig{Hidden: 4, Time: 1}, 1); err == nil {
		t.Error("a chain of another graph must fail")
	}
	p := pairNew(t, g, PairConfig{Hidden: 4, Time: 1})
	for name, spoil := range map[string]func(b *Batch){
		"size": func(b *Batch) { b.Base = b.Base[1:] }, "time 65": func(b *Batch) { b.T[1] = 65 },
		"x_t": func(b *Batch) { b.Xt[0]++; b.Xt[0] += 5 }, "edge": func(b *Batch) { b.Edge[0] = -1 },
		"target": func(b *Batch) { b.Target[2] = 9 }, "are not the edges": func(b *Batch) { b.Edge[0]++ },
	} {
		b := mlpBatch(t, g, 3, p.times, 3)
		spoil(b)
		if _, err := p.LossGrad(b, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := p.LossGrad(mlpBatch(t, g, 3, p.times, 3), make([][]float32, 2)); err == nil {
		t.Error("missing gradients must fail")
	}
}
