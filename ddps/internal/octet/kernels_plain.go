//go:build !goexperiment.simd || !amd64

package octet

func posterior(g *Graph, pi, m []Lane, p []float64, x []Choice, boost []Lane) uint8 {
	return posteriorPlain(g, pi, m, p, x, boost)
}

func correct(g *Graph, pi []Lane, out []Single, stride int, exps []Single, hard Hard) uint8 {
	return correctPlain(g, pi, out, stride, exps, hard)
}

// Vectors tells whether the processor has what the vector kernels need.
func Vectors() bool { return false }

func kind() string { return "plain Go" }

func reach(g *Graph, pi, p []Lane)                            { reachPlain(g, pi, p) }
func draw(g *Graph, law, u []Lane, x []Choice)                { drawPlain(g, law, u, x) }
func undivided(g *Graph, s *Step, pi, law []Lane, x []Choice) { undividedPlain(g, s, pi, law, x) }
func mixture(g *Graph, s *Step, pi, law []Lane, x []Choice)   { mixturePlain(g, s, pi, law, x) }
func joint(g *Graph, s *Step, law []Lane, x, x0 []Choice)     { jointPlain(g, s, law, x, x0) }
func exps(x []float32)                                        { expsPlain(x) }

func occupancy(g *Graph, s *Step, pi, law []Lane, x []Choice, reach []Lane) {
	occupancyPlain(g, s, pi, law, x, reach)
}

func guide(g *Graph, law, grad []Lane, lambda float64, logs bool) {
	guidePlain(g, law, grad, lambda, logs)
}
func annealed(g *Graph, s *Step, pi, law []Lane)          { annealedPlain(g, s, pi, law) }
func ascend(g *Graph, u []float64, pi, grad, p, w []Lane) { ascendPlain(g, u, pi, grad, p, w) }

func tilt(g *Graph, pi, out, m, tops []Lane, w []float64) uint8 {
	return tiltPlain(g, pi, out, m, tops, w)
}

func climb(l *Lift, pi, p, m, tops []Lane, w []float64) uint8 {
	return climbPlain(l, pi, p, m, tops, w)
}

func descend(g *Graph, l *Lift, p, pi, out, reach []Lane) uint8 {
	return descendPlain(g, l, p, pi, out, reach)
}

func mean(l *Lift, p, m, tops, w []Lane) uint8            { return meanPlain(l, p, m, tops, w) }
func ratios(g *Graph, s *Step, xs, xt []Choice, w []Lane) { ratiosPlain(g, s, xs, xt, w) }
