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
		z, w := make([]float64, l.m.g.MaxDegree()), make([]float64, len(l.m.views))
		for k, ok := next(); ok; k, ok = next() {
			l.sums[k] = 0
			clear(l.grads[k])
			for i := k * len(l.steps) / parts; i < (k+1)*len(l.steps)/parts; i++ {
				l.sums[k] += l.step(&l.steps[i], theta, l.grads[k], z, w)
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

// step returns the loss of one step and adds its gradient; z and w are scratch.
func (l *loss) step(s *step, theta, grad, z, w []float64) float64 {
	J := len(s.weight)
	D := len(s.x) / J
	R := len(s.rel) / D
	for j, i := range s.weight {
		if w[j] = 0; i >= 0 {
			w[j] = theta[i]
		}
	}
	z = z[:D]
	for d := range z {
		sum := 0.0
		for j, x := range s.x[d*J : d*J+J] {
			sum += w[j] * float64(x)
		}
		for _, i := range s.rel[d*R : d*R+R] {
			sum += theta[i]
		}
		z[d] = sum
	}
	goal := z[s.target]
	log := softmax(z)
	z[s.target]--
	clear(w)
	for d, q := range z {
		q *= s.share
		for j, x := range s.x[d*J : d*J+J] {
			w[j] += q * float64(x)
		}
		for _, i := range s.rel[d*R : d*R+R] {
			grad[i] += q
		}
	}
	for j, i := range s.weight {
		if i >= 0 {
			grad[i] += w[j]
		}
	}
	if math.IsInf(log, 0) {
		return math.Inf(1)
	}
	return s.share * (log - goal)
}
