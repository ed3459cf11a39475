// Package pcg is the random numbers of package ddps: those of PCG in math/rand/v2, of which it draws many at once.
package pcg

import "math/bits"

// Source is a rand.Source with the numbers of rand.PCG, PCG-DXSM of O'Neill's PCG family, with a state of 128 bits.
type Source struct{ hi, lo uint64 }

// Of returns the source of item i under a seed: that of rand.NewPCG(seed, mix(i)).
func Of(seed, i uint64) *Source { return &Source{seed, mix(i)} }

// mix is a bijection of the 64-bit numbers that scatters consecutive ones (the finaliser of SplitMix64,
// Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// The multiplier and increment of the state, and the multiplier of its scrambling.
const (
	mulHi, mulLo = 2549297995355413924, 4865540595714422341
	incHi, incLo = 6364136223846793005, 1442695040888963407
	scramble     = 0xda942042e4dd58b5
)

// next returns the state that follows to one, and its number.
func next(hi, lo uint64) (nextHi, nextLo, x uint64) {
	h, l := bits.Mul64(lo, mulLo)
	l, carry := bits.Add64(l, incLo, 0)
	h += hi*mulLo + lo*mulHi + incHi + carry
	x = (h ^ h>>32) * scramble
	return h, l, (x ^ x>>48) * (l | 1)
}

// Uint64 implements rand.Source.
func (s *Source) Uint64() (x uint64) {
	s.hi, s.lo, x = next(s.hi, s.lo)
	return x
}

// Float64 returns a number in [0, 1), as rand.Rand does.
func (s *Source) Float64() float64 { return unit(s.Uint64()) }

// unit turns 53 bits of x into a number in [0, 1).
func unit(x uint64) float64 { return float64(x<<11>>11) / (1 << 53) }

// Column sets u[·][k], k in 0…7, to numbers in [0, 1), as many calls of Float64 do.
func (s *Source) Column(u [][8]float64, k int) {
	hi, lo, x := s.hi, s.lo, uint64(0)
	for r := range u {
		hi, lo, x = next(hi, lo)
		u[r][k&7] = unit(x)
	}
	s.hi, s.lo = hi, lo
}
