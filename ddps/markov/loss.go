package markov

import "math"

// parts is the number of sums that a loss is made of, whatever the number of threads.
const parts = 32

// loss is −Σ share·log p of steps, with the prior, and its gradient in the weights.
type loss struct {
	m     *Model
	steps []step
	prior []float64
	ridge float64
	sums  [parts]float64
	grads [parts][]float64
}

func (m *Model) loss(steps []step, ridge float64) *loss {
	l := &loss{m: m, steps: steps, prior: m.prior(), ridge: ridge}
	for k := range l.grads {
		l.grads[k] = make([]float64, len(l.prior))
	}
	return l
}

// prior returns the weights of the interpolated back-off of last places: 1 for its views, and 0 for all else.
func (m *Model) prior() []float64 {
	theta := make([]float64, m.numWeights())
	for i := range theta[:len(m.views)*buckets] {
		if m.views[i/buckets].kind == plain {
			theta[i] = 1
		}
	}
	return theta
}

// value returns the loss, and sets grad to its gradient.
func (l *loss) value(theta, grad []float64) float64 {
	each(parts, l.m.threads, func(next func() (int, bool)) {
		z := make([]float64, l.m.g.MaxDegree())
		for k, ok := next(); ok; k, ok = next() {
			l.sums[k] = 0
			clear(l.grads[k])
			for i := k * len(l.steps) / parts; i < (k+1)*len(l.steps)/parts; i++ {
				l.sums[k] += l.step(&l.steps[i], theta, l.grads[k], z)
			}
		}
	})
	sum := 0.0
	for i, x := range theta {
		d := x - l.prior[i]
		sum += .5 * l.ridge * d * d
		grad[i] = l.ridge * d
	}
	for k, g := range l.grads {
		sum += l.sums[k]
		for i, x := range g {
			grad[i] += x
		}
	}
	return sum
}

// curvature returns the diagonal of the loss's Hessian at theta.
func (l *loss) curvature(theta []float64) []float64 {
	each(parts, l.m.threads, func(next func() (int, bool)) {
		z, of := make([]float64, l.m.g.MaxDegree()), map[int32]float64{}
		for k, ok := next(); ok; k, ok = next() {
			clear(l.grads[k])
			for i := k * len(l.steps) / parts; i < (k+1)*len(l.steps)/parts; i++ {
				l.steps[i].curvature(theta, l.grads[k], z, of)
			}
		}
	})
	sum := make([]float64, len(theta))
	for i := range sum {
		sum[i] = l.ridge
		for k := range l.grads {
			sum[i] += l.grads[k][i]
		}
	}
	return sum
}

// curvature adds share·Var of each feature over the out-edges; z and of are scratch.
func (s *step) curvature(theta, sum, z []float64, of map[int32]float64) {
	z = s.logits(theta, z)
	softmax(z)
	k := 0
	for j, i := range s.weight {
		mean, square := 0.0, 0.0
		for ; k < int(s.end[j]); k++ {
			q, x := z[s.edge[k]], float64(s.x[k])
			mean, square = mean+float64(q*x), square+float64(float64(q*x)*x)
		}
		sum[i] += s.share * max(0, square-float64(mean*mean))
	}
	R := len(s.rel) / len(z)
	clear(of)
	for n, i := range s.rel {
		of[i] += z[n/R]
	}
	for i, q := range of {
		sum[i] += s.share * max(0, float64(q*(1-q)))
	}
}

// logits sets z to the logits of the out-edges.
func (s *step) logits(theta, z []float64) []float64 {
	z = z[:s.degree]
	R := len(s.rel) / len(z)
	for d := range z {
		z[d] = theta[s.rel[d*R]]
		for _, i := range s.rel[d*R+1 : d*R+R] {
			z[d] += theta[i]
		}
	}
	from := 0
	for j, i := range s.weight {
		w, end := theta[i], int(s.end[j])
		x := s.x[from:end]
		for k, e := range s.edge[from:end] {
			z[e] += float64(w * float64(x[k]))
		}
		from = end
	}
	return z
}

// step returns the loss of one step and adds its gradient; z is scratch.
func (l *loss) step(s *step, theta, grad, z []float64) float64 {
	z = s.logits(theta, z)
	goal := z[s.target]
	log := softmax(z)
	z[s.target]--
	R := len(s.rel) / len(z)
	for d, q := range z {
		q *= s.share
		z[d] = q
		for _, i := range s.rel[d*R : d*R+R] {
			grad[i] += q
		}
	}
	from := 0
	for j, i := range s.weight {
		sum, end := 0.0, int(s.end[j])
		x := s.x[from:end]
		for k, e := range s.edge[from:end] {
			sum += float64(z[e] * float64(x[k]))
		}
		grad[i] += sum
		from = end
	}
	if math.IsInf(log, 0) {
		return math.Inf(1)
	}
	return s.share * (log - goal)
}
