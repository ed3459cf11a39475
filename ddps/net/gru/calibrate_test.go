package gru

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// ended returns mesh with an end that is no place.
func ended(t testing.TB) *ddps.LayeredGraph {
	t.Helper()
	g := mesh(t)
	m := g.Meta()
	for v, p := range m.Place {
		if p == 3 {
			m.Place[v] = -1
		}
	}
	g, err := g.WithMeta(m)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// exactRates returns the rates of a distribution by enumeration.
func exactRates(t testing.TB, m *GRU) Rates {
	t.Helper()
	all := allPaths(m.g)
	p, total := logProbs(t, m, all), 0.0
	for i, x := range p {
		p[i] = math.Exp(x)
		total += p[i]
	}
	if math.Abs(total-1) > 1e-9 {
		t.Fatalf("the probabilities of all paths sum to %.15g", total)
	}
	r, err := m.Rates(all, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sure returns a random model whose rates are a good way from 0 and 1.
func sure(g *ddps.LayeredGraph) *GRU {
	y, s := newLayout(g), Shape{32, 32, true, true}
	return newGRU(y, s, []*tables{newTables(random(y, s, 3)), newTables(random(y, s, 4))})
}

// Of a mixture of a model and others, the calibrated model's exact rates are those wanted, by enumeration; walks that
// end and walks of one length.
func TestCalibrate(t *testing.T) {
	for _, g := range []*ddps.LayeredGraph{ended(t), mesh(t)} {
		m := sure(g)
		want := exactRates(t, m.Tilted(Tilt{End: []float64{.3, -.4, .2, .5, 0}, Close: .5, Home: -.3, Back: .4}))
		others, before := exactRates(t, sure(g)), exactRates(t, m)
		var target Rates
		target.Add(want, .7)
		target.Add(others, .3)
		tilt, err := m.Calibrate(context.Background(), Calibration{Target: target, Walks: 1e6, Others: others, Weight: .7,
			Draws: 100_000, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := exactRates(t, m.Tilted(tilt))
		for _, r := range [][3]float64{{got.Return, want.Return, before.Return}, {got.Revisit, want.Revisit, before.Revisit},
			{got.Mean(), want.Mean(), before.Mean()}} {
			if far, near := math.Abs(r[2]-r[1]), math.Abs(r[0]-r[1]); near > .006*(1+r[1]) || far > .01 && near > far/2 {
				t.Errorf("a rate is %.4f, want %.4f; it was %.4f", r[0], r[1], r[2])
			}
		}
		for n, x := range want.Length {
			if math.Abs(got.Length[n]-x) > .006 {
				t.Errorf("length %d: share %.4f, want %.4f", n+1, got.Length[n], x)
			}
		}
	}
}

// A tilted row is the plain row times the factors, divided by the sum; no factor changes nothing, to the bit.
func TestTilted(t *testing.T) {
	m := sure(ended(t))
	all := allPaths(m.g)
	tilt := Tilt{End: []float64{.3, -.4}, Close: .5, Home: .2, Back: -.7}
	plain, tilted, zero := logProbs(t, m, all), logProbs(t, m.Tilted(tilt), all), logProbs(t, m.Tilted(Tilt{}), all)
	place := m.g.Meta().Place
	ratio := func(p ddps.Path) (log float64) { // of all factors that p meets
		var places []int
		came := false
		for l, v := range p[1:] {
			a, n := place[v], len(places)
			switch {
			case a < 0 && place[p[l]] < 0:
			case a < 0:
				log += []float64{.3, -.4}[min(n, 2)-1]
				if places[0] == places[n-1] && n > 1 {
					log += .5
				}
			case n > 0 && a != places[n-1]:
				for _, b := range places {
					if a == b {
						if !came {
							log -= .7
						}
						came = true
						break
					}
				}
			}
			if l+2 == len(p) && a >= 0 && n > 0 && a == places[0] {
				log += .5
			}
			if a >= 0 {
				places = append(places, a)
			}
		}
		return log
	}
	// Paths that differ in their last choice alone share all rows before it: their ratio is that of the factors.
	for i, p := range all {
		if zero[i] != plain[i] {
			t.Fatalf("path %v: a tilt of 0 changes log p", p)
		}
		for j, q := range all[:i] {
			L := len(p) - 1
			if !equal(p[:L], q[:L]) {
				continue
			}
			got := tilted[i] - tilted[j] - (plain[i] - plain[j])
			if want := ratio(p) - ratio(q); math.Abs(got-want) > 1e-9 {
				t.Fatalf("paths %v and %v: the factors' ratio is %g, want %g", p, q, got, want)
			}
		}
	}
	var b bytes.Buffer
	if err := m.Tilted(tilt).Write(&b, false); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&b, m.g)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range logProbs(t, again, all) {
		if x != tilted[i] {
			t.Fatal("a model read again has other probabilities")
		}
	}
}

func equal(p, q ddps.Path) bool {
	for i, v := range p {
		if v != q[i] {
			return false
		}
	}
	return true
}
