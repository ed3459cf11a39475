package vec

// Posterior sets pi, by edge, to the rows of the chain p given each sample's x (chain.Denoiser.Posterior). boost is by
// the number of choices: the weight of x_t's edge over that of the others, finite. m is scratch, by vertex, and top
// too. Bit k of bad reports that lane k left the range of a float64 and holds no result.
func Posterior(g *Graph, pi, m, tops []Lane, p []float64, x []Choice, boost []Lane) (bad uint8) {
	g.ends(m)
	a := g.args()
	a.Pi, a.M, a.Tops, a.P, a.X, a.B = first(pi), first(m), first(tops), first(p), first(x), first(boost)
	posterior(&a)
	return uint8(a.Bad)
}

// Reach sets p, by vertex, to the probabilities that a path of the chain pi visits it (chain.Reach).
func Reach(g *Graph, pi, p []Lane) {
	clear(p)
	p[0] = Spread(1)
	a := g.args()
	a.Vertices, a.Pi, a.M = g.inner(), first(pi), first(p)
	reach(&a)
}

// Draw sets x of the graph's rows to a choice from the row of q, by edge (chain.Pick); u is by row, uniform in [0, 1).
func Draw(g *Graph, q, u []Lane, x []Choice) {
	a := g.args()
	a.Pi, a.U, a.X = first(q), first(u), first(x)
	draw(&a)
}

// Keep sets out, by edge, to the rows of the chain pi given the weights w, by edge (chain.Tilter.Tilt); out is not pi.
// m is scratch, by vertex; tops, by layer, is what the messages were divided by. Bit k of bad reports that lane k left
// the range of a float64, or that no path has a weight there.
func Keep(g *Graph, pi, out, m, tops []Lane, w []float64) (bad uint8) {
	g.ends(m)
	a := g.args()
	a.Pi, a.Out, a.M, a.Tops, a.P = first(pi), first(out), first(m), first(tops), first(w)
	keep(&a)
	return uint8(a.Bad)
}

// KeepProduct sets p, by edge of the product graph, to the chain pi of the graph given the weights w, by edge of the
// product (chain.ProductTilter.Tilt). m is scratch, by state; tops and bad are Keep's.
func KeepProduct(product *Graph, pi, p, m, tops []Lane, w []float64) (bad uint8) {
	product.ends(m)
	a := product.args()
	a.Pi, a.Out, a.M, a.Tops, a.P = first(pi), first(p), first(m), first(tops), first(w)
	lift(&a)
	return uint8(a.Bad)
}

// Project sets out, by edge of g, to the rows that the chain p on the product graph has there; those that no path
// visits are pi's (chain.ProductTilter.Rows). reach is scratch, by state. Bit k of bad reports that lane k left the
// range.
func Project(g, product *Graph, p, pi, out, reach []Lane) (bad uint8) {
	clear(reach)
	clear(out)
	reach[0] = Spread(1)
	a := product.args()
	a.Vertices, a.Pi, a.Out, a.M = product.inner(), first(p), first(out), first(reach)
	project(&a)
	Normalise(g, out, pi)
	return uint8(a.Bad)
}

// Normalise makes each row of out, by edge, sum to 1; one that sums to 0 becomes pi's.
func Normalise(g *Graph, out, pi []Lane) {
	a := g.args()
	a.Out, a.Pi = first(out), first(pi)
	normalise(&a)
}

// Mean makes the expectation under the chain p, by edge of the product graph, of the product of w, by edge of the
// graph, over the path's edges: its logarithm is that of the product of tops (chain.ProductTilter.LogMean). m is
// scratch, by state; bad is Keep's.
func Mean(product *Graph, p, m, tops, w []Lane) (bad uint8) {
	product.ends(m)
	a := product.args()
	a.Pi, a.M, a.Tops, a.B = first(p), first(m), first(tops), first(w)
	mean(&a)
	return uint8(a.Bad)
}

// Weigh sets m, by state, to the backward messages of four classes of a mixture, Classes, with the factors b, by edge
// of the graph: m(s) = Σ_{s→r} p·b·m(r), each layer divided by its greatest, tops. In p, by edge of the product graph,
// as in m and tops, by layer, the classes' numbers follow to each other. Bit k of bad reports that some class left the
// range in lane k.
func Weigh(product *Graph, p []float64, b, m, tops []Lane) (bad uint8) {
	product.end(m, Classes)
	a := product.args()
	a.P, a.B, a.M, a.Tops = first(p), first(b), first(m), first(tops)
	weigh(&a)
	return uint8(a.Bad)
}
