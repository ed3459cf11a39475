package ddps

import "math/rand/v2"

// Rand returns the random numbers of item number i under a seed: streams of their own, so that what is
// drawn for an item does not depend on how many items there are, in which order or on how many threads they
// are worked on. All sampling, training and data draw this way.
func Rand(seed, i uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, mix(i))) }

// mix is a bijection of the 64-bit numbers that scatters consecutive ones (the finaliser of SplitMix64,
// Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
