package datasets

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// The paths of a lattice are all sequences without a forbidden pair, and no others.
func TestDNA(t *testing.T) {
	g, err := DNA(3)
	if err != nil || g.NumVertices() != 13 || g.NumEdges() != 4+2*16 || g.MaxDegree() != 4 ||
		ddps.NewIndex(g).Count().Int64() != 64 {
		t.Fatal(g, err)
	}
	for _, c := range []struct {
		length    int
		forbidden []ForbiddenPair
	}{
		{1, nil}, {5, []ForbiddenPair{{"AG", 4}}}, {5, []ForbiddenPair{{"AG", 0}, {"CG", 2}, {"CG", 2}, {"TT", 1}}},
		{4, []ForbiddenPair{{"AA", 0}, {"AC", 0}, {"AG", 0}, {"AT", 0}}}, // A only at the end
		{4, []ForbiddenPair{{"AA", 3}, {"CA", 3}, {"GA", 3}, {"TA", 3}}}, // no A at the end
	} {
		g, err := DNA(c.length, c.forbidden...)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, s := range words(c.length) {
			if !slices.ContainsFunc(c.forbidden, func(f ForbiddenPair) bool {
				for i := range len(s) - 1 {
					if s[i:i+2] == f.Pair && (f.At == 0 || f.At == i+1) {
						return true
					}
				}
				return false
			}) {
				want = append(want, s)
			}
		}
		for p := range g.Paths() {
			got = append(got, fixture.Spelled(g, p))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %d sequences, want %d", c, len(got), len(want))
		}
		if first, ok := g.Letters(ddps.Bases); first != 1 || !ok {
			t.Errorf("%v: letters from layer %d, %v", c, first, ok)
		}
	}
}

// words lists all sequences of n letters in order.
func words(n int) []string {
	list := []string{""}
	for range n {
		var longer []string
		for _, s := range list {
			for _, b := range ddps.Bases {
				longer = append(longer, s+string(b))
			}
		}
		list = longer
	}
	return list
}

func TestDNAErrors(t *testing.T) {
	for _, c := range []struct {
		length int
		f      ForbiddenPair
		want   string
	}{{0, ForbiddenPair{}, "length 0 is not in 1…"}, {1 << 21, ForbiddenPair{}, "is not in 1…"},
		{4, ForbiddenPair{"AN", 1}, `"AN" is not two letters`},
		{4, ForbiddenPair{"AC", 4}, "no pair begins at position 4 of 4"}, {4, ForbiddenPair{"A", 0}, `"A" is not two`},
		{4, ForbiddenPair{"AC", -1}, "position -1"}} {
		if _, err := DNA(c.length, c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c, err, c.want)
		}
	}
	var all []ForbiddenPair
	for _, s := range words(2) {
		all = append(all, ForbiddenPair{s, 2})
	}
	if _, err := DNA(4, all...); err == nil || !strings.Contains(err.Error(), "leave no sequence of 4 letters") {
		t.Error(err)
	}
	for s, want := range map[string]ForbiddenPair{"AG": {"AG", 0}, "ct@12": {"CT", 12}} {
		if f, err := ParseForbidden(s); err != nil || f != want || !strings.EqualFold(f.String(), s) {
			t.Errorf("%s: %v, %v", s, f, err)
		}
	}
	for _, s := range []string{"", "A", "AGT", "AU", "AG@", "AG@0", "AG@x", "@4"} {
		if f, err := ParseForbidden(s); err == nil || !strings.Contains(err.Error(), "datasets: forbidden pair") {
			t.Errorf("%q: %v, %v", s, f, err)
		}
	}
}

// plainPromoter is the probability of a sequence, by the words of PromoterDistribution's comment.
func plainPromoter(s string) float64 {
	pair := map[string]float64{"AA": 1.25, "TT": 1.25, "TA": .75}
	letter := map[byte]float64{'A': .3, 'C': .2, 'G': .2, 'T': .3}
	factor := func(a string, b byte) float64 {
		if f := pair[a+string(b)]; f > 0 {
			return f * letter[b]
		}
		return letter[b]
	}
	after := func(a string, b byte) float64 {
		return factor(a, b) / (factor(a, 'A') + factor(a, 'C') + factor(a, 'G') + factor(a, 'T'))
	}
	sum := 0.0
	for spacer, p := range map[int]float64{16: .25, 17: .5, 18: .25} {
		for start, q := range map[int]float64{6: .25, 7: .5, 8: .25} {
			places := map[int][2]any{}
			at10 := len(s) - start - 6
			for j, c := range []float64{.80, .95, .45, .60, .50, .96} {
				places[at10+j] = [2]any{"TATAAT"[j], c}
			}
			for j, c := range []float64{.82, .84, .78, .65, .54, .45} {
				places[at10-spacer-6+j] = [2]any{"TTGACA"[j], c}
			}
			x := p * q
			for i := range s {
				if in, boxed := places[i]; !boxed {
					x *= after(s[max(i-1, 0):i], s[i])
				} else if c := in[1].(float64); s[i] == in[0] {
					x *= c
				} else {
					x *= (1 - c) / 3
				}
			}
			sum += x
		}
	}
	return sum
}

// The distribution is what its comment says, sums to 1 where all sequences can be listed, and is what the draws follow.
func TestPromoterDistribution(t *testing.T) {
	g, err := DNA(DNALength)
	if err != nil {
		t.Fatal(err)
	}
	dist, err := PromoterDistribution(g)
	if err != nil {
		t.Fatal(err)
	}
	const n = 4000
	data, err := Promoters(g, n, 3)
	if err != nil || data.Total() != n {
		t.Fatal(data, err)
	}
	var seen [2]float64
	for i, p := range data.Paths {
		lp, err := dist.LogProb(p)
		if want := math.Log(plainPromoter(fixture.Spelled(g, p))); err != nil || math.Abs(lp-want) > 1e-9 {
			t.Fatalf("%s: log probability %v, want %v, %v", fixture.Spelled(g, p), lp, want, err)
		}
		if s := fixture.Spelled(g, p); s[28] == 'A' { // the second letter of the −10 box where it lies in the middle
			seen[0] += float64(data.Counts[i])
		} else {
			seen[1] += float64(data.Counts[i])
		}
	}
	want, reach := 0.0, make([]float64, g.NumVertices())
	v, _ := g.VertexByName(29, "A")
	for k, w := range dist.Weight {
		chain.Reach(g, dist.Class(k).P, reach)
		want += w * reach[v]
	}
	chi2 := math.Pow(seen[0]-n*want, 2) / (n * want * (1 - want))
	if chi2 > 15 || want < .5 {
		t.Errorf("A at position 29: %v of %d, expected share %v, χ² %.1f", seen[0], n, want, chi2)
	}
	again, _ := Promoters(g, n, 3)
	if !slices.EqualFunc(again.Paths, data.Paths, slices.Equal) {
		t.Error("the same seed draws other sequences")
	}
}

// With pairs forbidden each class is what it was given that none occurs, so that the distribution sums to 1 over what
// is left.
func TestPromoterDistributionForbidden(t *testing.T) {
	var forbidden []ForbiddenPair
	for at := 1; at < PromoterMin; at++ {
		for _, pair := range words(2) {
			if pair[0] != pair[1] && at%7 != 3 {
				forbidden = append(forbidden, ForbiddenPair{pair, at})
			}
		}
	}
	g, err := DNA(PromoterMin, forbidden...)
	if err != nil {
		t.Fatal(err)
	}
	dist, err := PromoterDistribution(g)
	if err != nil {
		t.Fatal(err)
	}
	sum, paths := 0.0, 0
	for p := range g.Paths() {
		lp, err := dist.LogProb(p)
		if err != nil {
			t.Fatal(err)
		}
		sum, paths = sum+math.Exp(lp), paths+1
	}
	if math.Abs(sum-1) > 1e-9 || paths < 1000 {
		t.Errorf("the %d sequences have probability %v", paths, sum)
	}
	short, _ := DNA(37)
	if _, err := PromoterDistribution(short); err == nil || !strings.Contains(err.Error(), "37 letters, need 38") {
		t.Error(err)
	}
	if _, err := PromoterDistribution(ddps.Example()); err == nil || !strings.Contains(err.Error(), "no lattice") {
		t.Error(err)
	}
	if _, err := Promoters(g, 0, 0); err == nil {
		t.Error("0 sequences")
	}
}
