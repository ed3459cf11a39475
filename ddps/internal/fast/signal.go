package fast

import "github.com/ddps-go/ddps/ddps/internal/vec"

// laneSignal is scratch for the signals of a group, and of one sample.
type laneSignal struct {
	grad  []vec.Lane // [E]
	pi, g []float64  // [E]
}

// signal returns the group's signals, nil if there are none.
func (w *worker) signal(n int) []vec.Lane {
	if w.Guide == nil || w.Scale == 0 {
		return nil
	}
	s := &w.signals
	if s.grad == nil {
		s.grad, s.pi, s.g = make([]vec.Lane, len(w.pi)), make([]float64, len(w.pi)), make([]float64, len(w.pi))
	}
	if many, ok := w.Guide.(interface{ Gradients(pi, grad [][8]float64) }); ok {
		many.Gradients(w.pi, s.grad)
		for e := range s.grad {
			for k, x := range s.grad[e][:n] {
				if x != x {
					lane(s.g, s.grad, k)
					w.CheckSignal(s.g[:e+1])
					return s.grad
				}
			}
		}
		return s.grad
	}
	for k := range n {
		for e := range s.pi {
			s.pi[e] = w.pi[e][k]
		}
		w.Guide.Gradient(s.pi, s.g)
		w.CheckSignal(s.g)
		for e, x := range s.g {
			s.grad[e][k] = x
		}
	}
	return s.grad
}
