package unet

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// What regions leave out changes no bit of a row with a choice, and there is something to leave out.
func TestRegions(t *testing.T) {
	g := nettest.Graph(t, 6, 7, 3, 4)
	for name, cfg := range unetConfigs("") {
		u, whole := newNetwork(t, g, cfg), newNetwork(t, g, cfg)
		nettest.Randomise(u.params, 0.3, 2)
		nettest.Randomise(whole.params, 0.3, 2)
		left := 0
		for i := range whole.blocks {
			r := &whole.blocks[i].region
			for _, x := range []*[]bool{&r.in, &r.between, &r.out} {
				all := slices.Repeat([]bool{true}, len(*x))
				for _, yes := range *x {
					if !yes {
						left++
					}
				}
				*x = all
			}
			r.zero = nil
		}
		if left == 0 {
			t.Errorf("%s: no vertex is left out", name)
		}
		E, xt := g.NumEdges(), nettest.PALMs(g, 20, 4)
		want, got := make([]float32, len(xt)*E), make([]float32, len(xt)*E)
		whole.Forward(want, xt, 9)
		u.Forward(got, xt, 9)
		for i := range got {
			if g.Degree(g.Tail(i%E)) > 1 && got[i] != want[i] {
				t.Fatalf("%s: entry %d is %g, of whole maps %g", name, i, got[i], want[i])
			}
		}
	}
}
