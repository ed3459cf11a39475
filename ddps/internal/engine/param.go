package engine

import (
	"fmt"
	"math/rand/v2"
)

// Param is one named trainable array, row-major float32, living on the host.
type Param struct {
	Name  string
	Shape []int
	Data  []float32
}

// Params are the parameters of a network, in an order that never changes.
type Params []Param

// Add appends a zero parameter and returns its data.
func (p *Params) Add(name string, shape ...int) []float32 {
	n := 1
	for _, d := range shape {
		n *= d
	}
	*p = append(*p, Param{Name: name, Shape: shape, Data: make([]float32, n)})
	return (*p)[len(*p)-1].Data
}

// Normal fills w with draws from the normal distribution of mean 0 and deviation sigma.
func Normal(rng *rand.Rand, w []float32, sigma float64) {
	for i := range w {
		w[i] = float32(sigma * rng.NormFloat64())
	}
}

// CheckGrads holds grads, unless nil, to the lengths of params.
func CheckGrads(params []Param, grads [][]float32) error {
	if grads != nil && len(grads) != len(params) {
		return fmt.Errorf("%d gradients for %d parameters", len(grads), len(params))
	}
	for i := range grads {
		if len(grads[i]) != len(params[i].Data) {
			return fmt.Errorf("gradient of %s has %d entries, expected %d", params[i].Name, len(grads[i]), len(params[i].Data))
		}
	}
	return nil
}
