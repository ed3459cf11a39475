package ddps

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/internal/pcg"
)

// Rand returns the random numbers of item number i under a seed: streams of their own, so that what is
// drawn for an item does not depend on how many items there are, in which order or on how many threads they
// are worked on. All sampling, training and data draw this way.
func Rand(seed, i uint64) *rand.Rand { return rand.New(pcg.Of(seed, i)) }
