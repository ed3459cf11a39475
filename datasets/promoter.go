package datasets

import (
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// PromoterMin is the least length of a sequence that holds all of PromoterDistribution's promoters.
const PromoterMin = 38

// The two boxes of a promoter of E. coli, and how often a promoter has the consensus letter at each place (Hawley and
// McClure 1983); the other three letters share the rest.
const (
	box35, box10 = "TTGACA", "TATAAT"
)

func conserved35() []float64 { return []float64{.82, .84, .78, .65, .54, .45} }
func conserved10() []float64 { return []float64{.80, .95, .45, .60, .50, .96} }

// promoterSites are the ways in which the boxes may lie: letters between them, letters from the end of the second to
// the start of transcription, which is the sequence's last letter, and the odds. Harley and Reynolds (1987) found 16 to
// 18 letters in 92% of 263 promoters, and the start 6 to 8 letters on in 75%; here it is all of them.
func promoterSites() (sites []promoterSite) {
	odds := []float64{.25, .5, .25}
	for s, p := range odds {
		for d, q := range odds {
			sites = append(sites, promoterSite{16 + s, 6 + d, p * q})
		}
	}
	return sites
}

type promoterSite struct {
	spacer, start int
	odds          float64
}

// begin returns the positions, from 0, of the first letters of the boxes in a sequence of n letters.
func (s promoterSite) begin(n int) (at35, at10 int) {
	at10 = n - s.start - len(box10)
	return at10 - s.spacer - len(box35), at10
}

// background is the odds of letter b after a, 0 for none before, where there is no box: rich in A and T, with AA and TT
// more and TA less often than by their letters alone, as in E. coli, in round numbers.
func background(a, b byte) float64 {
	sum := 0.0
	for _, c := range []byte(ddps.Bases) {
		sum += follows(a, c)
	}
	return follows(a, b) / sum
}

// follows is background up to a factor.
func follows(a, b byte) float64 {
	p := .2
	if b == 'A' || b == 'T' {
		p = .3
	}
	switch {
	case a == b && p == .3:
		p *= 1.25
	case a == 'T' && b == 'A':
		p *= .75
	}
	return p
}

// PromoterDistribution returns a distribution of sequences like bacterial promoters on a DNA lattice (DNA), a mixture
// of nine chains: the sequence ends where transcription starts, a −10 box like TATAAT lies 6, 7 or 8 letters before,
// and a −35 box like TTGACA 16, 17 or 18 letters before that, each with odds ¼, ½, ¼; in a box each letter is drawn by
// itself, elsewhere after the one before it. What the −35 box tells of the place of the −10 box is a memory of some 30
// letters, which no chain of low order can hold. Forbidden pairs are left out by conditioning: each class is the
// distribution above given that none occurs. All numbers of it are known in closed form (mixture.Mixture).
//
// It is an error if g is not a lattice of A, C, G, T, or of fewer than PromoterMin letters.
func PromoterDistribution(g *ddps.LayeredGraph) (*mixture.Mixture, error) {
	first, ok := g.Letters(ddps.Bases)
	n := g.NumLayers() - first
	if !ok {
		return nil, fmt.Errorf("datasets: promoters: %w", ErrNoBases)
	}
	if n < PromoterMin {
		return nil, fmt.Errorf("datasets: promoters: sequences of %d letters, need %d or more", n, PromoterMin)
	}
	sites := promoterSites()
	K, E := len(sites), g.NumEdges()
	weight, p := make([]float64, K), make([]float64, E*K)
	w, row, tilter := make([]float64, E), make([]float64, E), chain.NewTilter(g)
	for k, s := range sites {
		at35, at10 := s.begin(n)
		for e := range E {
			w[e] = 1
			switch i := g.LayerOf(g.Head(e)) - first; {
			case i < 0:
			case i >= at35 && i < at35+len(box35):
				w[e] = boxed(base(g, g.Head(e)), box35[i-at35], conserved35()[i-at35])
			case i >= at10 && i < at10+len(box10):
				w[e] = boxed(base(g, g.Head(e)), box10[i-at10], conserved10()[i-at10])
			default:
				w[e] = background(base(g, g.Tail(e)), base(g, g.Head(e)))
			}
		}
		weight[k] = s.odds
		tilter.Tilt(w, nil, row)
		for e, x := range row {
			p[e*K+k] = x
		}
	}
	return mixture.New(chain.Identity(g), weight, p)
}

// boxed is the odds of a letter at a place of a box.
func boxed(letter, consensus byte, conserved float64) float64 {
	if letter == consensus {
		return conserved
	}
	return (1 - conserved) / 3
}

// base returns the letter of a vertex, 0 where it is none.
func base(g *ddps.LayeredGraph, v int) byte {
	if name := g.Name(v); len(name) == 1 && strings.Contains(ddps.Bases, name) {
		return name[0]
	}
	return 0
}

// Promoters draws n sequences of PromoterDistribution on g, from seed: those that come again are counted.
func Promoters(g *ddps.LayeredGraph, n int, seed uint64) (*Data, error) {
	dist, err := PromoterDistribution(g)
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("datasets: promoters: %d sequences, expected 1 or more", n)
	}
	b := NewCollector(g)
	for i := range n {
		if err := b.Add(dist.Sample(ddps.Rand(seed, uint64(i))), 1); err != nil {
			return nil, fmt.Errorf("datasets: promoters: %w", err)
		}
	}
	return b.Data(), nil
}
