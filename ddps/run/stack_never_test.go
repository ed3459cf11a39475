package run

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/internal/safetensors"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
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
		cfg.Model.Stack.Parts, cfg.Hold = "first-order context small gru", .2
		m, err := Fit(d, cfg)
		if err != nil {
			t.Fatal(err)
		}
		paths := make([]ddps.Path, 2000)
		for _, p := range m.Stack.Parts {
			if p.Name != "gru" && p.Name != "context" {
				continue
			}
			if err := p.Distribution.Sample(t.Context(), paths, 1, 0); err != nil {
				t.Fatal(err)
			}
			twice := 0
			for i := range paths {
				if stack.Revisits(m.Graph, paths[i:i+1]) {
					twice++
				}
			}
			// the context model's steps to visited places are rare, those of the GRU have probability 0
			if !never && twice < len(paths)/5 || never && (twice > len(paths)/50 || p.Name == "gru" && twice > 0) {
				t.Errorf("%s: walks that pass no place twice: %v; %d samples of %d do", p.Name, never, twice, len(paths))
			}
		}
		if never {
			readAgain(t, m, d.Paths)
		}
	}
}

// readAgain writes and reads a model, whose probabilities and samples given a condition stay.
func readAgain(t *testing.T, m *model.Model, paths []ddps.Path) {
	t.Helper()
	file, err := model.ReadFile(bytes.NewReader(bytesOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	less := slices.ContainsFunc(m.Stack.Parts, func(p stack.Part) bool { return stack.VisitedFactor(p.Distribution) < 1 })
	if v := file.Meta[safetensors.Version]; (v == "3") != less { // else an older program would read another model
		t.Errorf("a context model that discounts visited places: %v, version %s", less, v)
	}
	read, err := model.Load(bytes.NewReader(bytesOf(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	at := m.Graph.Name(paths[0][3])
	x, err := where.Parse(fmt.Sprintf("visit(%q)", at))
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, len(paths)), make([]float64, len(paths))
	if err := errors.Join(m.Stack.LogProb(paths, a), read.Stack.LogProb(paths, b)); err != nil || !slices.Equal(a, b) {
		t.Errorf("read again it has other probabilities: %v", err)
	}
	c, err := x.Condition(read.Graph, nil)
	if err != nil {
		t.Fatal(err)
	}
	given, err := read.Given(t.Context(), c, stack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	draws := make([]ddps.Path, 2000)
	if err := given.Sample(t.Context(), draws, 1, 0); err != nil {
		t.Fatal(err)
	}
	for _, p := range draws {
		if math.IsInf(c.LogWeight(p), -1) {
			t.Fatalf("%v does not meet %s", p, x)
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
