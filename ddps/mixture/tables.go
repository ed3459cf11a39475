package mixture

import (
	"math"
	"runtime"

	"github.com/ddps-go/ddps/ddps/chain"
	"golang.org/x/sync/errgroup"
)

// split calls do for n things, or for ranges of them, on all CPU: what it does must not depend on which.
func split(n int, do func(i int)) {
	if n == 1 || runtime.GOMAXPROCS(0) == 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		work.Go(func() error { do(i); return nil })
	}
	work.Wait()
}

// blocks is split for ranges of 0…n−1.
func blocks(n int, do func(lo, hi int)) {
	const block = 1 << 15
	split((n+block-1)/block, func(i int) { do(i*block, min(n, (i+1)*block)) })
}

// messages makes the classes of parameters x. It reports whether they lie within the range of float64s.
func (f *penalised) messages(x []float64) bool {
	chain.SoftmaxRow(x[f.V*f.K:f.V*f.K+f.K], f.omega[:f.K])
	psi := x[f.V*f.K+f.K:]
	f.expTurn[f.nTurns] = 1
	blocks(f.nTurns, func(lo, hi int) { expTo(f.expTurn[lo:hi], psi[lo:hi]) })
	blocks(len(f.b), f.weigh)
	ok := make([]bool, len(f.sweeps))
	split(len(f.sweeps), func(i int) {
		f.exps(x, f.sweeps[i])
		s := f.sweeps[i]
		if ok[i] = s.backward(f); ok[i] {
			f.ratios(s)
			for k := range sweepLanes {
				f.first[s.lane+k] = f.omega[s.lane+k] / s.y[k]
			}
		}
	})
	for _, yes := range ok {
		if !yes {
			return false
		}
	}
	return true
}

// expTo sets y to exp x.
func expTo(y, x []float64) {
	for i, z := range x {
		y[i] = math.Exp(z)
	}
}

// weigh sets b for a range of edges.
func (f *penalised) weigh(lo, hi int) {
	base, b := f.base.P[lo:hi], f.b[lo:hi]
	if f.turn == nil {
		copy(b, base)
		return
	}
	for i, t := range f.turn[lo:hi] {
		b[i] = base[i] * f.expTurn[t[0]] * f.expTurn[t[1]]
	}
}

// exps sets a sweep's columns of exp.
func (f *penalised) exps(x []float64, s *sweep) {
	for i := range s.n {
		f.exp[s.lane+i] = 1
	}
	for v := 1; v < f.V; v++ {
		to := f.exp[v*f.width+s.lane:][:s.n]
		for i, y := range x[v*f.K+s.lane:][:s.n] {
			to[i] = math.Exp(y)
		}
	}
	for v := 0; v < f.V && s.n < sweepLanes; v++ {
		for i := s.n; i < sweepLanes; i++ {
			f.exp[v*f.width+s.lane+i] = 1
		}
	}
}

// ratios sets a sweep's columns of ratio.
func (f *penalised) ratios(s *sweep) {
	g := f.base.Product.Base
	for l := 1; l < g.NumLayers(); l++ {
		c := s.scale[l-1]
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			e, to := (*[4]float64)(f.exp[v*f.width+s.lane:]), (*[4]float64)(f.ratio[v*f.width+s.lane:])
			for i := range e {
				to[i] = e[i] * c[i]
			}
		}
	}
}
