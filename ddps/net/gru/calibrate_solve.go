package gru

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// tilt returns θ as a Tilt.
func (s *calibration) tilt() (t Tilt) {
	for n := range s.bin {
		if s.bins > 0 {
			t.End = append(t.End, s.theta[s.bin[n]])
		}
	}
	t.Close, t.Home, t.Back = s.theta[s.bins], s.theta[s.bins+1], s.theta[s.bins+2]
	return t
}

// weigh returns the logarithm of draw i's weight, and sets grad to its gradient by θ.
func (s *calibration) weigh(i int, tilt *Tilt, grad []float64) (logw float64) {
	clear(grad)
	for _, e := range s.rows[i] {
		logs, sum := tilt.logs(e.length), 0.0
		var p [classes]float64
		for c, x := range e.mass {
			if x > 0 {
				p[c] = float64(x) * math.Exp(logs[c])
				sum += p[c]
			}
		}
		logw += logs[e.taken] - math.Log(sum)
		for c := range p {
			slope := -p[c] / sum
			if c == int(e.taken) {
				slope++
			}
			if slope == 0 {
				continue
			}
			if c&ends > 0 && s.bins > 0 {
				grad[s.of(int(e.length))] += slope
			}
			for bit := range 3 {
				if c>>(bit+1)&1 == 1 {
					grad[s.bins+bit] += slope
				}
			}
		}
	}
	return logw
}

// rounds is the most Gauss–Newton steps, and reach how far one goes.
const rounds, reach = 30, 0.5

// solve sets θ.
func (s *calibration) solve() {
	n := len(s.theta)
	for range rounds {
		mean, slope := s.expect()
		a, b := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
		for j := range n {
			a.SetSym(j, j, 1)
			b.SetVec(j, -s.theta[j])
		}
		for m := range mean {
			t := s.want[m]
			v := max(t*(1-t), 1/s.Walks) * (1/s.Walks + 1/float64(s.Draws))
			left := t - s.Weight*mean[m] - (1-s.Weight)*s.other[m]
			for j := range n {
				x := s.Weight * slope[m][j]
				b.SetVec(j, b.AtVec(j)+x*left/v)
				for k := j; k < n; k++ {
					a.SetSym(j, k, a.At(j, k)+x*s.Weight*slope[m][k]/v)
				}
			}
		}
		var by mat.Cholesky
		var step mat.VecDense
		if !by.Factorize(a) || by.SolveVecTo(&step, b) != nil { // a ≥ 1: only beyond the range of floats
			return
		}
		far := 0.0
		for j := range n {
			far = max(far, math.Abs(step.AtVec(j)))
		}
		for j := range n {
			s.theta[j] += step.AtVec(j) * min(1, reach/max(far, 1e-300))
			s.theta[j] = max(-2, min(2, s.theta[j]))
		}
		if far < 1e-4 {
			return
		}
	}
}

// expect returns E_θ f and its gradient by θ.
func (s *calibration) expect() (mean []float64, slope [][]float64) {
	n, rates := len(s.theta), len(s.want)
	tilt := s.tilt()
	logw, grad, top := make([]float64, len(s.rows)), make([][]float64, len(s.rows)), math.Inf(-1)
	for i := range s.rows {
		grad[i] = make([]float64, n)
		logw[i] = s.weigh(i, &tilt, grad[i])
		top = max(top, logw[i])
	}
	mean, slope = make([]float64, rates), make([][]float64, rates)
	score, sum := make([]float64, n), 0.0
	for m := range slope {
		slope[m] = make([]float64, n)
	}
	for i, f := range s.item {
		w := math.Exp(logw[i] - top)
		sum += w
		for j, g := range grad[i] {
			score[j] += w * g
		}
		for m, x := range f {
			mean[m] += w * x
			if x != 0 {
				for j, g := range grad[i] {
					slope[m][j] += w * x * g
				}
			}
		}
	}
	for m := range mean {
		mean[m] /= sum
		for j := range n {
			slope[m][j] = slope[m][j]/sum - mean[m]*score[j]/sum
		}
	}
	return mean, slope
}
