package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// Streams returns the random streams of items lo…hi−1.
func Streams(seed uint64, lo, hi int) []*rand.Rand {
	rngs := make([]*rand.Rand, hi-lo)
	for i := range rngs {
		rngs[i] = ddps.Rand(seed, uint64(lo+i))
	}
	return rngs
}
