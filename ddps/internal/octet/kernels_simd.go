//go:build goexperiment.simd && amd64

package octet

import "simd/archsimd"

// What the processor has.
var (
	vector = archsimd.X86.AVX2() && archsimd.X86.FMA()
	wide   = archsimd.X86.AVX512()
)

// Vectors tells whether the processor has what the vector kernels need.
func Vectors() bool { return vector }

func kind() string {
	switch {
	case wide:
		return "AVX-512"
	case vector:
		return "AVX2"
	}
	return "plain Go"
}

func posterior(g *Graph, pi, m []Lane, p []float64, x []Choice, boost []Lane) (bad uint8) {
	switch {
	case !vector:
		return posteriorPlain(g, pi, m, p, x, boost)
	case wide:
		bad = posteriorWide(g, pi, m, asBits(p), x, boost)
	default:
		bad = posteriorNarrow(g, pi, m, asBits(p), x, boost)
	}
	archsimd.ClearAVXUpperBits()
	return bad
}

func reach(g *Graph, pi, p []Lane) {
	switch {
	case !vector:
		reachPlain(g, pi, p)
		return
	case wide:
		reachWide(g, pi, p)
	default:
		reachNarrow(g, pi, p)
	}
	archsimd.ClearAVXUpperBits()
}

func correct(g *Graph, pi []Lane, out []Single, stride int, exps []Single, hard Hard) (bad uint8) {
	switch {
	case !vector:
		return correctPlain(g, pi, out, stride, exps, hard)
	case wide:
		bad = correctWide(g, pi, out, stride, exps, hard)
	default:
		bad = correctNarrow(g, pi, out, stride, exps, hard)
	}
	archsimd.ClearAVXUpperBits()
	return bad
}

func draw(g *Graph, law, u []Lane, x []Choice) {
	switch {
	case !vector:
		drawPlain(g, law, u, x)
		return
	case wide:
		drawWide(g, law, u, x)
	default:
		drawNarrow(g, law, u, x)
	}
	archsimd.ClearAVXUpperBits()
}

func undivided(g *Graph, s *Step, pi, law []Lane, x []Choice) {
	switch {
	case !vector:
		undividedPlain(g, s, pi, law, x)
		return
	case wide:
		undividedWide(g, s, pi, law, x)
	default:
		undividedNarrow(g, s, pi, law, x)
	}
	archsimd.ClearAVXUpperBits()
}

func mixture(g *Graph, s *Step, pi, law []Lane, x []Choice) {
	switch {
	case !vector:
		mixturePlain(g, s, pi, law, x)
		return
	case wide:
		mixtureWide(g, s, pi, law, x)
	default:
		mixtureNarrow(g, s, pi, law, x)
	}
	archsimd.ClearAVXUpperBits()
}

func occupancy(g *Graph, s *Step, pi, law []Lane, x []Choice, reach []Lane) {
	switch {
	case !vector:
		occupancyPlain(g, s, pi, law, x, reach)
		return
	case wide:
		occupancyWide(g, s, pi, law, x, reach)
	default:
		occupancyNarrow(g, s, pi, law, x, reach)
	}
	archsimd.ClearAVXUpperBits()
}

func joint(g *Graph, s *Step, law []Lane, x, x0 []Choice) {
	switch {
	case !vector:
		jointPlain(g, s, law, x, x0)
		return
	case wide:
		jointWide(g, s, law, x, x0)
	default:
		jointNarrow(g, s, law, x, x0)
	}
	archsimd.ClearAVXUpperBits()
}

func exps(x []float32) {
	if vector {
		expsFast(x)
	} else {
		expsPlain(x)
	}
}

func guide(g *Graph, law, grad []Lane, lambda float64, logs bool) {
	switch {
	case !vector:
		guidePlain(g, law, grad, lambda, logs)
		return
	case wide:
		guideWide(g, law, grad, lambda, logs)
	default:
		guideNarrow(g, law, grad, lambda, logs)
	}
	archsimd.ClearAVXUpperBits()
}

func annealed(g *Graph, s *Step, pi, law []Lane) {
	switch {
	case !vector:
		annealedPlain(g, s, pi, law)
		return
	case wide:
		annealedWide(g, s, pi, law)
	default:
		annealedNarrow(g, s, pi, law)
	}
	archsimd.ClearAVXUpperBits()
}

func ascend(g *Graph, u []float64, pi, grad, p, w []Lane) {
	switch {
	case !vector:
		ascendPlain(g, u, pi, grad, p, w)
		return
	case wide:
		ascendWide(g, asBits(u), pi, grad, p, w)
	default:
		ascendNarrow(g, asBits(u), pi, grad, p, w)
	}
	archsimd.ClearAVXUpperBits()
}

// guideOdd is the softmax of some lanes of a row, of which one has no finite greatest logit.
func guideOdd(row []Lane, which uint8) {
	archsimd.ClearAVXUpperBits()
	softmax(row, which)
}

// correctOdd is correctRow.
func correctOdd(pi []Lane, out []Single, stride int, exps []Single, which uint8, hard Hard) {
	archsimd.ClearAVXUpperBits()
	correctRow(pi, out, stride, exps, which, hard)
}

// expLess sets exps to e to the power of what the outputs of a row lack to top.
func expLess(exps, out []Single, stride int, top *Single) {
	most := load8(top)
	for i := range exps {
		Exp8(load8(&out[i*stride]).Sub(most)).Store(&exps[i])
	}
}
