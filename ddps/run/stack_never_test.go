package run

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// Of walks that pass no place twice the GRU takes no place twice either, and is the better for it; of others it does
// not.
func TestNeverTwice(t *testing.T) {
	for _, never := range []bool{true, false} {
		d := walks(t)
		if never {
			d = onceEach(t)
		}
		cfg := StackConfig()
		cfg.Model.Stack.Parts, cfg.Hold = "first-order gru", .2
		m, err := Fit(d, cfg)
		if err != nil {
			t.Fatal(err)
		}
		paths := make([]ddps.Path, 2000)
		for _, p := range m.Stack.Parts {
			if p.Name != "gru" {
				continue
			}
			if err := p.Distribution.Sample(t.Context(), paths, 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		place := m.Graph.Meta().Place
		twice := slices.IndexFunc(paths, func(p ddps.Path) bool {
			for i, v := range p {
				if slices.ContainsFunc(p[:i], func(u int) bool { return place[u] == place[v] }) {
					return true
				}
			}
			return false
		})
		if (twice < 0) != never {
			t.Errorf("walks that pass no place twice: %v; sample %d passes one twice", never, twice)
		}
	}
}

// onceEach returns walks of five positions among seven places, each place at most once.
func onceEach(t *testing.T) *datasets.Data {
	t.Helper()
	const L, n = 5, 7
	sizes, heads, place := []int{1}, [][]int{{}}, []int{n}
	for x := range n {
		heads[0] = append(heads[0], 1+x)
	}
	for l := range L {
		sizes = append(sizes, n)
		for x := range n {
			var h []int
			for y := 0; y < n && l+1 < L; y++ {
				if y != x {
					h = append(h, 1+n*(l+1)+y)
				}
			}
			heads, place = append(heads, h), append(place, x)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: place})
	}
	if err != nil {
		t.Fatal(err)
	}
	d, at := &datasets.Data{Graph: g}, map[string]int{}
	for i := range 500 {
		rng, p := ddps.Rand(3, uint64(i)), ddps.Path{0}
		for l, x := range rng.Perm(n)[:L] {
			p = append(p, 1+n*l+x)
		}
		k, ok := at[key(p)]
		if !ok {
			k = len(d.Paths)
			at[key(p)] = k
			d.Paths, d.Counts = append(d.Paths, p), append(d.Counts, 0)
		}
		d.Counts[k]++
	}
	return d
}
