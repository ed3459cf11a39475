package datasets

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// DNALength is the number of letters of the DNA lattice by which the project's experiments go.
const DNALength = 40

// MaxDNA bounds the length of a DNA lattice.
const MaxDNA = 1 << 20

// ErrNoBases is the error of a graph that is not a DNA lattice.
var ErrNoBases = errors.New("the graph is no lattice of the letters A, C, G, T behind a source")

// ForbiddenPair is two letters of A, C, G, T that may not be next to each other: with the first at position At,
// from 1, or anywhere where At is 0. The paper (§2.1) forbids G after A "in the 4th and 5th location": {"AG", 4}.
type ForbiddenPair struct {
	Pair string
	At   int
}

// ParseForbidden reads a forbidden pair: AG, or AG@4; lower case will do.
func ParseForbidden(s string) (ForbiddenPair, error) {
	pair, at, some := strings.Cut(s, "@")
	f := ForbiddenPair{Pair: strings.ToUpper(pair)}
	if len(f.Pair) != 2 || strings.Trim(f.Pair, ddps.Bases) != "" {
		return f, fmt.Errorf("datasets: forbidden pair %q: expected two letters of A, C, G, T, and @ and a position if only "+
			"there, like AG@4", s)
	}
	if !some {
		return f, nil
	}
	var err error
	if f.At, err = strconv.Atoi(at); err != nil || f.At < 1 {
		return f, fmt.Errorf("datasets: forbidden pair %q: %q is not a position, a whole number from 1", s, at)
	}
	return f, nil
}

func (f ForbiddenPair) String() string {
	if f.At == 0 {
		return f.Pair
	}
	return f.Pair + "@" + strconv.Itoa(f.At)
}

// DNA returns the lattice of the DNA sequences of a length, the paper's other example of a layered graph (§2.1): a
// source, then a layer of A, C, G, T for each position, and an edge for each pair of letters that may follow each
// other. A letter from which no way leads to the end gets no edge; it stays, as the paper's Definition 1 allows. The
// graph has 1+4·length vertices and, where nothing is forbidden, 4+16·(length−1) edges and 4^length paths.
//
// Errors: a length outside 1…2²⁰, a pair that is not two letters or whose position is not in 1…length−1, pairs that
// leave no sequence.
func DNA(length int, forbidden ...ForbiddenPair) (*ddps.LayeredGraph, error) {
	if length < 1 || length > MaxDNA {
		return nil, fmt.Errorf("datasets: DNA: length %d is not in 1…%d", length, MaxDNA)
	}
	barred, err := barredPairs(length, forbidden)
	if err != nil {
		return nil, err
	}
	n := len(ddps.Bases)
	heads := latticeEdges(length, barred)
	if len(heads[0]) == 0 {
		return nil, fmt.Errorf("datasets: DNA: the forbidden pairs leave no sequence of %d letters", length)
	}
	sizes, names := []int{1}, []string{"source"}
	for range length {
		sizes, names = append(sizes, n), append(names, strings.Split(ddps.Bases, "")...)
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		return nil, fmt.Errorf("datasets: DNA: %w", err)
	}
	attr := map[string]string{"name": "DNA", "alphabet": ddps.Bases}
	if len(forbidden) > 0 {
		words := make([]string, len(forbidden))
		for i, f := range forbidden {
			words[i] = f.String()
		}
		attr["forbidden"] = strings.Join(words, " ")
	}
	return g.WithMeta(ddps.Meta{Names: names, Attr: attr})
}

// latticeEdges lists the heads of the source and of the letters of each position, from which the end can be reached.
func latticeEdges(length int, barred map[pairAt]bool) [][]int {
	n := len(ddps.Bases)
	heads := make([][]int, 1+n*length)
	var open []int // letters of the layer after from which a way leads to the end
	for i := length - 1; i >= 0; i-- {
		var now []int
		for a := range n {
			v := 1 + i*n + a
			for _, b := range open {
				if !barred[pairAt{a, b, 0}] && !barred[pairAt{a, b, i + 1}] {
					heads[v] = append(heads[v], v-a+n+b)
				}
			}
			if i == length-1 || len(heads[v]) > 0 {
				now = append(now, a)
			}
		}
		open = now
	}
	for _, a := range open {
		heads[0] = append(heads[0], 1+a)
	}
	return heads
}

// pairAt is a pair of letters by number, the first at position at, 0 for anywhere.
type pairAt struct{ a, b, at int }

// barredPairs returns the forbidden pairs as a set.
func barredPairs(length int, forbidden []ForbiddenPair) (map[pairAt]bool, error) {
	barred := map[pairAt]bool{}
	for _, f := range forbidden {
		if len(f.Pair) != 2 || strings.Trim(f.Pair, ddps.Bases) != "" {
			return nil, fmt.Errorf("datasets: DNA: forbidden pair %q is not two letters of A, C, G, T", f.Pair)
		}
		if f.At < 0 || f.At >= max(length, 1) {
			return nil, fmt.Errorf("datasets: DNA: forbidden pair %v: no pair begins at position %d of %d", f, f.At, length)
		}
		barred[pairAt{strings.IndexByte(ddps.Bases, f.Pair[0]), strings.IndexByte(ddps.Bases, f.Pair[1]), f.At}] = true
	}
	return barred, nil
}
