package octet

// Posterior sets pi, by edge, to the row laws of the chain p given each sample's x (chain.Denoiser.Posterior). boost is
// by the number of choices: the weight of x_t's edge over that of the others, finite. m is room for a lane a vertex. Bit k
// of bad tells that lane k left the range of a float64 and means nothing.
func Posterior(g *Graph, pi, m []Lane, p []float64, x []Choice, boost []Lane) (bad uint8) {
	return posterior(g, pi, m, p, x, boost)
}

// Reach sets p, by vertex, to the probabilities that a path of the chain pi visits it (chain.Reach).
func Reach(g *Graph, pi, p []Lane) { reach(g, pi, p) }

// Correct multiplies each row of pi, by edge, by exp(out) and normalises it, as d3pm does; edge e's output is
// out[e·stride]. Rows that need logarithms hard corrects. exps is room for an edge of a row each. Bit k of bad tells that
// an output of lane k is not a number; its row means nothing.
func Correct(g *Graph, pi []Lane, out []Single, stride int, exps []Single, hard Hard) (bad uint8) {
	return correct(g, pi, out, stride, exps, hard)
}

// Draw sets x of the graph's rows to a choice from the row's law (chain.Pick); u is by row, uniform in [0, 1).
func Draw(g *Graph, law, u []Lane, x []Choice) { draw(g, law, u, x) }

// Undivided, Mixture and Occupancy set law, by edge, of the graph's rows to that of d3pm's kernel of that name; reach is
// room for a lane a vertex.
func Undivided(g *Graph, s *Step, pi, law []Lane, x []Choice) { undivided(g, s, pi, law, x) }

// Mixture does what Undivided says.
func Mixture(g *Graph, s *Step, pi, law []Lane, x []Choice) { mixture(g, s, pi, law, x) }

// Occupancy does what Undivided says.
func Occupancy(g *Graph, s *Step, pi, law []Lane, x []Choice, reach []Lane) {
	occupancy(g, s, pi, law, x, reach)
}

// Joint sets law, by edge, of the graph's rows to q(x_s | x_t, x̃_0); x0, by vertex, is the choice of x̃_0, −1 off its path.
func Joint(g *Graph, s *Step, law []Lane, x, x0 []Choice) { joint(g, s, law, x, x0) }

// Tilt sets out, by edge, to the row laws of the chain pi given the weights w, by edge (chain.Tilter.Tilt); out is not pi.
// m is room for a lane a vertex; tops, by layer, is what the messages were divided by. Bit k of bad tells that lane k left
// the range of a float64, or that no path has a weight there, and means nothing.
func Tilt(g *Graph, pi, out, m, tops []Lane, w []float64) (bad uint8) {
	return tilt(g, pi, out, m, tops, w)
}

// Climb sets p, by edge of the lift, to the chain pi of the base carried up and given the weights w, by edge of the lift
// (chain.Lifter.Tilt). m is room for a lane a state; tops and bad are Tilt's.
func Climb(l *Lift, pi, p, m, tops []Lane, w []float64) (bad uint8) {
	return climb(l, pi, p, m, tops, w)
}

// Descend sets out, by edge of the base g, to the row laws of the chain p on the lift seen from below; those that no path
// visits are pi's (chain.Lifter.Rows). reach is room for a lane a state. Bit k of bad tells that lane k left the range.
func Descend(g *Graph, l *Lift, p, pi, out, reach []Lane) (bad uint8) {
	return descend(g, l, p, pi, out, reach)
}

// Mean makes the expectation under the chain p, by edge of the lift, of the product of w, by edge of the base, over the
// path's edges: its logarithm is that of the product of tops (chain.Lifter.LogMean). m is room for a lane a state; bad is Tilt's.
func Mean(l *Lift, p, m, tops, w []Lane) (bad uint8) { return mean(l, p, m, tops, w) }

// Ratios sets w, by edge, to q(x_s | x_0 = e)/q(x_t | x_0 = e) of its row.
func Ratios(g *Graph, s *Step, xs, xt []Choice, w []Lane) { ratios(g, s, xs, xt, w) }

// Exps is x = e^x, Exp of each.
func Exps(x []float32) { exps(x) }

// Kind says which kernels run here: "AVX-512", "AVX2" or "plain Go".
func Kind() string { return kind() }
