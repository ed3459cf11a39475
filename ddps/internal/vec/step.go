package vec

// Rates are the likelihoods q(x_t = j | x_s = i) by the number of a row's choices: Move for j ≠ i, Keep for j = i.
type Rates struct{ Move, Keep []Lane }

// NewRates makes rates for rows of up to that many choices.
func NewRates(choices int) Rates { return Rates{make([]Lane, choices+1), make([]Lane, choices+1)} }

// Set sets those of rows of D choices.
func (r *Rates) Set(D int, move, keep float64) { r.Move[D], r.Keep[D] = Spread(move), Spread(keep) }

// Step is the reverse step t → s as the kernels read it.
type Step struct {
	At, As Lane     // ᾱ_t and ᾱ_s
	Rest   Lane     // 1 − ᾱ_t
	Like   Rates    // q(x_t | x_s)
	From   Rates    // q(x_t | x_0)
	To     Rates    // q(x_s | x_0)
	Path   [2]Rates // q(x_s | x_0)/q(x_t | x_0), x_t ≠ x_0 and x_t = x_0
}

// NewStep makes a step for rows of up to that many choices.
func NewStep(choices int) *Step {
	r := func() Rates { return NewRates(choices) }
	return &Step{Like: r(), From: r(), To: r(), Path: [2]Rates{r(), r()}}
}

// args returns the arguments for a kernel of a reverse step on g.
func (s *Step) args(g *Graph, pi, out []Lane, x []Choice) Args {
	a := g.args()
	a.Pi, a.Out, a.X = first(pi), first(out), first(x)
	a.At, a.As, a.Rest = &s.At, &s.As, &s.Rest
	a.LikeMove, a.LikeKeep, a.FromMove, a.FromKeep = first(s.Like.Move), first(s.Like.Keep), first(s.From.Move),
		first(s.From.Keep)
	a.ToMove = first(s.To.Move)
	a.Move0, a.Keep0, a.Move1, a.Keep1 = first(s.Path[0].Move), first(s.Path[0].Keep), first(s.Path[1].Move),
		first(s.Path[1].Keep)
	return a
}

// Austin sets the rows of out, by edge, to the distributions of D3PM's reverse step given π (ddps/d3pm's kernel of that
// name), x being x_t.
func Austin(g *Graph, s *Step, pi, out []Lane, x []Choice) {
	a := s.args(g, pi, out, x)
	austin(&a)
}

// Eq2 sets the rows of out to those of the paper's Eq. 2.
func Eq2(g *Graph, s *Step, pi, out []Lane, x []Choice) {
	a := s.args(g, pi, out, x)
	eq2(&a)
}

// Occupancy sets the rows of out to those of the kernel Occupancy; reach is scratch, by vertex.
func Occupancy(g *Graph, s *Step, pi, out []Lane, x []Choice, reach []Lane) {
	Reach(g, pi, reach)
	Eq2(g, s, pi, out, x)
	a := s.args(g, pi, out, x)
	a.M = first(reach)
	occupancy(&a)
}

// Joint sets the rows of out to q(x_s | x_t, x̃_0); x0, by vertex, is the choice of x̃_0, −1 off its path.
func Joint(g *Graph, s *Step, out []Lane, x, x0 []Choice) {
	a := s.args(g, nil, out, x)
	a.X0 = first(x0)
	joint(&a)
}

// Ratios sets w, by edge, to q(x_s | x_0 = e)/q(x_t | x_0 = e) of its row.
func Ratios(g *Graph, s *Step, xs, xt []Choice, w []Lane) {
	a := s.args(g, nil, w, xt)
	a.X0 = first(xs)
	ratios(&a)
}

// Anneal sets the rows of out to the logarithms of Algorithm 2, ᾱ_t·log π + (1−ᾱ_t)·(their mean over π > 0).
func Anneal(g *Graph, s *Step, pi, out []Lane) {
	a := s.args(g, pi, out, nil)
	anneal(&a)
}
