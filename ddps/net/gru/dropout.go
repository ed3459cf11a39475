package gru

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// dropout multiplies by 0 with a rate, in 256ths so that a byte decides, and else by 1/(1 − rate).
type dropout struct {
	on     bool
	factor [256]float32 // by byte
}

func newDropout(rate float64) (d dropout) {
	lost := int(256*rate + 0.5)
	d.on = lost > 0
	for i := lost; i < 256; i++ {
		d.factor[i] = 256 / float32(256-lost)
	}
	return d
}

// draw draws what it multiplies by.
func (d *dropout) draw(to []vec.Block, rng *rand.PCG) {
	if !d.on {
		return
	}
	flat := vec.Flat(to)
	for i := 0; i < len(flat); i += 8 {
		x, part := rng.Uint64(), flat[i:i+8]
		for j := range part {
			part[j] = d.factor[x&255]
			x >>= 8
		}
	}
}

// times multiplies x by what was drawn.
func (d *dropout) times(x, drawn []vec.Block) {
	if d.on {
		vec.Times(vec.Flat(x), vec.Flat(x), vec.Flat(drawn))
	}
}
