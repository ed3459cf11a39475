package swingnn

import (
	"cmp"
	"errors"
	"sync"

	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// sideBySide calls f for 0…count−1, Config.Parts of them at a time, each with inputs of its own, and joins the errors.
func (n *Model) sideBySide(count int, f func(k int, in *inputs) error) error {
	P := min(n.cfg.parts(), count)
	if err := n.open(P); err != nil {
		return err
	}
	errs := make([]error, count)
	var wait sync.WaitGroup
	for p := range P {
		wait.Go(func() {
			for k := p; k < count; k += P {
				errs[k] = f(k, n.inputs[p])
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// open makes inputs for so many parts, each with an engine of its own where that may be: XLA runs the graphs of one
// client on the CPU one after the other.
func (n *Model) open(parts int) error {
	for len(n.inputs) < parts {
		in := &inputs{engine: new(engine.Engine)}
		if len(n.inputs) > 0 {
			first := n.inputs[0].engine
			alone, err := first.Alone(n.backend())
			if err != nil {
				return err
			}
			if alone {
				in.engine = first
			}
		}
		n.inputs = append(n.inputs, in)
	}
	return nil
}

// backend returns what the network runs on.
func (n *Model) backend() string { return cmp.Or(n.cfg.Backend, "go:large") }

// parts returns Parts, of which the zero value is 1.
func (c Config) parts() int { return max(1, c.Parts) }

// divide returns how many parts a batch of size examples is computed in.
func (n *Model) divide(size int) int {
	if P := n.cfg.parts(); size%P == 0 {
		return P
	}
	return 1
}

// part returns part k of as many, which divide b.N.
func (b *batch) part(k, parts int) *batch {
	of := func(a []float64) []float64 {
		if a == nil {
			return nil
		}
		size := len(a) / parts
		return a[k*size : (k+1)*size]
	}
	return &batch{N: b.N / parts, Clean: of(b.Clean), Noisy: of(b.Noisy), Self: of(b.Self), Sigma: of(b.Sigma)}
}

// partGrads returns buffer k for the gradients of a part.
func (n *Model) partGrads(k int) [][]float32 {
	for len(n.partial) <= k {
		var g [][]float32
		for _, p := range n.params {
			g = append(g, make([]float32, len(p.Data)))
		}
		n.partial = append(n.partial, g)
	}
	return n.partial[k]
}

// mean sets g to the mean of parameter i's gradients over the parts; g is that of the first.
func mean(g []float32, parts [][][]float32, i int) {
	for _, p := range parts[1:] {
		for j, x := range p[i] {
			g[j] += x
		}
	}
	scale := 1 / float32(len(parts))
	for j := range g {
		g[j] *= scale
	}
}
