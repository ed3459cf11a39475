package stack

import (
	"fmt"
	"math"
	"math/big"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Split takes a share of the walks of a sample of paths of g, by chance, for validation: a path of weight n is n walks
// where n is a whole number, so that paths that are walked often are in both; a path of another weight goes to one of
// them whole. An enumeration of g's paths (Enumerates) is no sample of walks: what is taken from it would be just what
// does not train, and models would learn that. Both are then the whole of it.
func Split(g *ddps.LayeredGraph, s chain.Sample, share float64, seed uint64) (train, validation chain.Sample,
	err error) {
	w, _, err := ddps.Weights(len(s.Paths), s.Weights)
	if err != nil {
		return train, validation, fmt.Errorf("stack: %w", err)
	}
	if Enumerates(g, s) {
		return s, s, nil
	}
	for i, p := range s.Paths {
		rng, n, size := ddps.Rand(seed, uint64(i)), 1, w[i]
		if r := math.Round(w[i]); r == w[i] && r < 1e9 {
			n, size = int(r), 1
		}
		held := 0.0
		for range n {
			if rng.Float64() < share {
				held += size
			}
		}
		if held > 0 {
			validation.Paths, validation.Weights = append(validation.Paths, p), append(validation.Weights, held)
		}
		if rest := w[i] - held; rest > 0 {
			train.Paths, train.Weights = append(train.Paths, p), append(train.Weights, rest)
		}
	}
	if len(train.Paths) == 0 || len(validation.Paths) == 0 {
		return train, validation, fmt.Errorf("stack: a share of %v of the paths leaves none to train or to validate with",
			share)
	}
	return train, validation, nil
}

// Paths are an enumeration where they are this share of all, and so many that walks would repeat some.
const (
	enumerated = .95
	enumerable = 40
)

// Enumerates reports whether s has nearly all paths of g, each with the same weight, which walks drawn from a
// distribution would not: of n ≥ 40 draws of n/.95 paths or fewer none repeats another with a probability of less than
// e^(−.95·(n−1)/2) < 10⁻⁸, whatever the distribution.
func Enumerates(g *ddps.LayeredGraph, s chain.Sample) bool {
	all, _ := new(big.Float).SetInt(ddps.NumPaths(g)).Float64()
	if n := len(s.Paths); n < enumerable || float64(n) < enumerated*all {
		return false
	}
	s, err := Join(s, s) // distinct ones, twice the weight
	if err != nil || float64(len(s.Paths)) < enumerated*all {
		return false
	}
	for _, w := range s.Weights {
		if w != s.Weights[0] {
			return false
		}
	}
	return true
}
