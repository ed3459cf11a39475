package vec

import "github.com/ddps-go/ddps/ddps/internal/vec/abi"

// The kernels over lanes in plain Go, as the assembly is tested against.

// posteriorPlain is Posterior.
func posteriorPlain(g *Graph, pi, m []Lane, p []float64, x []Choice, boost []Lane) (bad uint8) {
	for l := lastLayer(g, m) - 1; l >= 0; l-- {
		lo, hi := g.Layer[l], g.Layer[l+1]
		var top Lane
		for v := lo; v < hi; v++ {
			a, b := g.First[v], g.First[v+1]
			posteriorRow(pi[a:b], &m[v], m, p[a:b], g.Head[a:b], &x[v], &boost[b-a])
			for k, q := range m[v] {
				top[k] = max(top[k], q)
			}
		}
		for k, t := range top {
			if !(t >= abi.Least && t <= abi.Most) {
				bad |= 1 << k
			}
		}
		for v := lo; v < hi; v++ {
			for k := range top {
				m[v][k] /= top[k]
			}
		}
	}
	return bad
}

// posteriorRow sets one row of the posterior and its message.
func posteriorRow(pi []Lane, to *Lane, m []Lane, p []float64, heads []int32, x *Choice, boost *Lane) {
	var sum Lane
	for i, w := range heads {
		row, next := &pi[i], &m[w]
		for k := range row {
			q := p[i] * next[k]
			if x[k] == int64(i) {
				q *= boost[k]
			}
			q = float64(q)
			row[k] = q
			sum[k] += q
		}
	}
	*to = sum
	for k, s := range sum {
		if s == 0 {
			for i, q := range p {
				pi[i][k] = q
			}
			sum[k] = 1
			continue
		}
		sum[k] = 1 / s
	}
	for i := range pi {
		for k := range sum {
			pi[i][k] *= sum[k]
		}
	}
}

// reachPlain is Reach.
func reachPlain(g *Graph, pi, p []Lane) {
	clear(p)
	p[0] = Spread(1)
	last := g.Layer[len(g.Layer)-2]
	for v := range last {
		from := &p[v]
		for e := g.First[v]; e < g.First[v+1]; e++ {
			to, q := &p[g.Head[e]], &pi[e]
			for k := range to {
				to[k] += float64(from[k] * q[k])
			}
		}
	}
}

// drawPlain is Draw.
func drawPlain(g *Graph, dist, u []Lane, x []Choice) {
	for r, v := range g.Rows {
		row, to := dist[g.First[v]:g.First[v+1]], &x[v]
		for k, left := range u[r] {
			to[k] = 0
			for i := range row {
				q := row[i][k]
				if q <= 0 {
					continue
				}
				to[k] = int64(i)
				if left -= q; left < 0 {
					break
				}
			}
		}
	}
}

// austinPlain is Austin.
func austinPlain(g *Graph, s *Step, pi, dist []Lane, x []Choice) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		D := b - a
		row, from := dist[a:b], pi[a:b]
		for k, at := range x[v] {
			sum := 0.0
			as, move, like := s.As[k], s.To.Move[D][k], s.Like.Move[D][k]
			for i := range row {
				l := like
				if int64(i) == at {
					l = s.Like.Keep[D][k]
				}
				q := l * (float64(as*from[i][k]) + move)
				row[i][k] = q
				sum += q
			}
			for i := range row {
				row[i][k] /= sum
			}
		}
	}
}

// mixturePlain is Mixture.
func mixturePlain(g *Graph, s *Step, pi, dist []Lane, x []Choice) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		D := b - a
		row, from := dist[a:b], pi[a:b]
		for k, at := range x[v] {
			sum := 0.0
			for i := range row {
				q := from[i][k] / s.From.of(int64(i) == at, D)
				row[i][k] = q
				sum += q
			}
			as, move := s.As[k], s.To.Move[D][k]*sum
			for i := range row {
				row[i][k] = s.Like.of(int64(i) == at, D) * (float64(as*row[i][k]) + float64(move))
			}
		}
	}
}

func (r *Rates) of(same bool, D int32) float64 {
	if same {
		return r.Keep[D][0]
	}
	return r.Move[D][0]
}

// occupancyPlain is Occupancy.
func occupancyPlain(g *Graph, s *Step, pi, dist []Lane, x []Choice, reach []Lane) {
	reachPlain(g, pi, reach)
	mixturePlain(g, s, pi, dist, x)
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		for k, at := range x[v] {
			p := min(reach[v][k], 1)
			for i := range dist[a:b] {
				q := &dist[a+int32(i)][k]
				*q = float64(p**q) + float64((1-p)*s.Like.of(int64(i) == at, b-a))
			}
		}
	}
}

// jointPlain is Joint.
func jointPlain(g *Graph, s *Step, dist []Lane, x, x0 []Choice) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		D := b - a
		row := dist[a:b]
		for k, at := range x[v] {
			for i := range row {
				row[i][k] = s.Like.of(int64(i) == at, D)
			}
			if to := x0[v][k]; to >= 0 {
				path := &s.Path[0]
				if to == at {
					path = &s.Path[1]
				}
				for i := range row {
					row[i][k] *= path.of(int64(i) == to, D)
				}
			}
		}
	}
}

// tiltPlain is Tilt.
func tiltPlain(g *Graph, pi, out, m, tops []Lane, w []float64) (bad uint8) {
	return g.backPlain(m, tops, func(v, a, b int32) {
		tiltRow(pi[a:b], out[a:b], &m[v], m, w[a:b], g.Head[a:b])
	}, false)
}

// tiltRow sets one tilted row and its message.
func tiltRow(pi, out []Lane, to *Lane, m []Lane, w []float64, heads []int32) {
	var sum Lane
	for i, h := range heads {
		row, from, next := &out[i], &pi[i], &m[h]
		for k := range row {
			row[k] = float64(from[k] * next[k] * w[i])
			sum[k] += row[k]
		}
	}
	*to = sum
	for k, s := range sum {
		for i := range out {
			if out[i][k] /= s; s == 0 {
				out[i][k] = pi[i][k]
			}
		}
	}
}

// climbPlain is Climb.
func climbPlain(l *Graph, pi, p, m, tops []Lane, w []float64) (bad uint8) {
	return l.backPlain(m, tops, func(s, a, b int32) {
		climbRow(pi, p[a:b], &m[s], m, w[a:b], l.Edge[a:b], l.Head[a:b])
	}, true)
}

// climbRow sets one tilted row of a product graph and its message.
func climbRow(pi, p []Lane, to *Lane, m []Lane, w []float64, below, heads []int32) {
	var sum Lane
	for i, h := range heads {
		row, from, next := &p[i], &pi[below[i]], &m[h]
		for k := range row {
			row[k] = float64(from[k] * next[k] * w[i])
			sum[k] += row[k]
		}
	}
	*to = sum
	for k, s := range sum {
		if s < abi.Normal {
			to[k] = 0
			for i := range p {
				p[i][k] = 0
			}
			continue
		}
		inv := 1 / s
		for i := range p {
			p[i][k] *= inv
		}
	}
}

// backPlain goes through the layers from the last but one to the first; row sets a vertex's message, given its edges.
// Messages of a layer are then scaled by the greatest, through its inverse or not, and tops told of it. Bit k of bad
// says that lane k left the range.
func (g *Graph) backPlain(m, tops []Lane, row func(v, a, b int32), inverse bool) (bad uint8) {
	for l := lastLayer(g, m) - 1; l >= 0; l-- {
		lo, hi := g.Layer[l], g.Layer[l+1]
		var top Lane
		for v := lo; v < hi; v++ {
			row(v, g.First[v], g.First[v+1])
			for k, q := range m[v] {
				top[k] = max(top[k], q)
			}
		}
		tops[l] = top
		for k, t := range top {
			if !(t >= abi.Least && t <= abi.Most) {
				bad |= 1 << k
			}
			inv := 1 / t
			for v := lo; v < hi; v++ {
				if inverse {
					m[v][k] *= inv
				} else {
					m[v][k] /= t
				}
			}
		}
	}
	return bad
}

// descendPlain is Descend.
func descendPlain(g *Graph, l *Graph, p, pi, out, reach []Lane) (bad uint8) {
	clear(reach)
	clear(out)
	reach[0] = Spread(1)
	last := l.Layer[len(l.Layer)-2]
	for s := range last {
		from := &reach[s]
		for i := l.First[s]; i < l.First[s+1]; i++ {
			to, under, row := &reach[l.Head[i]], &out[l.Edge[i]], &p[i]
			for k, r := range from {
				x := float64(r * row[k])
				if x < abi.Least && row[k] > 0 && r > 0 {
					bad |= 1 << k
				}
				to[k] += x
				under[k] += x
			}
		}
	}
	for v := range len(g.First) - 1 {
		a, b := g.First[v], g.First[v+1]
		var sum Lane
		for e := a; e < b; e++ {
			for k, x := range out[e] {
				sum[k] += x
			}
		}
		for e := a; e < b; e++ {
			for k, s := range sum {
				if out[e][k] /= s; s == 0 {
					out[e][k] = pi[e][k]
				}
			}
		}
	}
	return bad
}

// meanPlain is Mean.
func meanPlain(l *Graph, p, m, tops, w []Lane) (bad uint8) {
	return l.backPlain(m, tops, func(s, a, b int32) {
		var sum Lane
		for i := a; i < b; i++ {
			row, next, by := &p[i], &m[l.Head[i]], &w[l.Edge[i]]
			for k := range sum {
				sum[k] += float64(row[k] * next[k] * by[k])
			}
		}
		m[s] = sum
	}, false)
}

// ratiosPlain is Ratios.
func ratiosPlain(g *Graph, s *Step, xs, xt []Choice, w []Lane) {
	for v := range len(g.First) - 1 {
		a, b := g.First[v], g.First[v+1]
		for e := a; e < b; e++ {
			for k := range Width {
				i := int64(e - a)
				path := &s.Path[0]
				if xt[v][k] == i {
					path = &s.Path[1]
				}
				w[e][k] = path.of(xs[v][k] == i, b-a)
			}
		}
	}
}

// guidePlain is Guide.
func guidePlain(g *Graph, dist, grad []Lane, lambda float64, logs bool) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		if !logs {
			for e := a; e < b; e++ {
				for k, q := range dist[e] {
					dist[e][k] = Log(q)
				}
			}
		}
		for e := a; e < b && grad != nil; e++ {
			for k, d := range grad[e] {
				dist[e][k] += min(max(lambda*d, -abi.Limit), abi.Limit)
			}
		}
		softmax(dist[a:b], 1<<Width-1)
	}
}

// annealedPlain is Annealed.
func annealedPlain(g *Graph, s *Step, pi, dist []Lane) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		var sum, n Lane
		for e := a; e < b; e++ {
			for k, p := range pi[e] {
				if dist[e][k] = Log(p); p > 0 {
					sum[k] += dist[e][k]
					n[k]++
				}
			}
		}
		for e := a; e < b; e++ {
			for k := range sum {
				dist[e][k] = float64(s.At[k]*dist[e][k]) + s.Rest[k]*sum[k]/n[k]
			}
		}
	}
}

// ascendPlain is NewGradient where p is known.
func ascendPlain(g *Graph, u []float64, pi, grad, p, w []Lane) {
	for v := len(g.First) - 2; v >= 0; v-- {
		var sum Lane
		for e := g.First[v]; e < g.First[v+1]; e++ {
			next := &w[g.Head[e]]
			for k, q := range pi[e] {
				sum[k] += float64(q * (u[e] + next[k]))
			}
		}
		w[v] = sum
	}
	for v := range len(g.First) - 1 {
		for e := g.First[v]; e < g.First[v+1]; e++ {
			next := &w[g.Head[e]]
			for k, q := range pi[e] {
				grad[e][k] = p[v][k] * q * (u[e] + next[k] - w[v][k])
			}
		}
	}
}

// lastLayer sets the messages of the last layer to 1 and returns its number.
func lastLayer(g *Graph, m []Lane) int {
	g.ends(m)
	return len(g.Layer) - 2
}

// weighPlain is Weigh, class by class.
func weighPlain(l *Graph, p []float64, b, m, tops []Lane) (bad uint8) {
	own, ownTops := make([]Lane, l.NumVertices()), make([]Lane, len(l.Layer)-1)
	for c := range Classes {
		bad |= l.backPlain(own, ownTops, func(s, a, e int32) {
			var sum Lane
			for i := a; i < e; i++ {
				next, by := &own[l.Head[i]], &b[l.Edge[i]]
				for k := range sum {
					sum[k] += float64(float64(p[int(i)*Classes+c]*by[k]) * next[k])
				}
			}
			own[s] = sum
		}, false)
		for s := range own {
			m[s*Classes+c] = own[s]
		}
		for l := range ownTops {
			tops[l*Classes+c] = ownTops[l]
		}
	}
	return bad
}

// occupyPlain is Occupy, state by state.
func occupyPlain(l, _ *Graph, p []float64, b, m, tops []Lane, c int, reach, out []Lane, total Lane) {
	clear(reach)
	reach[0] = total
	for j := range len(l.Layer) - 2 {
		for s := l.Layer[j]; s < l.Layer[j+1]; s++ {
			for k, r := range reach[s] {
				own := float64(m[int(s)*Classes+c][k] * tops[j*Classes+c][k])
				if !(r > 0) || !(own > 0) {
					continue
				}
				rate := r / own
				for i := l.First[s]; i < l.First[s+1]; i++ {
					x := rate * float64(float64(p[i]*b[l.Edge[i]][k])*m[int(l.Head[i])*Classes+c][k])
					reach[l.Head[i]][k] += x
					out[l.Edge[i]][k] += x
				}
			}
		}
	}
}
