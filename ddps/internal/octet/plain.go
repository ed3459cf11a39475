package octet

// The bounds within which messages need no logarithms, and below which a number may have an infinite inverse.
const least, most, normal = 0x1p-960, 0x1p960, 0x1p-1022

// posteriorPlain is Posterior.
func posteriorPlain(g *Graph, pi, m []Lane, p []float64, x []Choice, boost []Lane) (bad uint8) {
	for l := g.ends(m) - 1; l >= 0; l-- {
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
			if !(t >= least && t <= most) {
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
func drawPlain(g *Graph, law, u []Lane, x []Choice) {
	for r, v := range g.Rows {
		row, to := law[g.First[v]:g.First[v+1]], &x[v]
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

// undividedPlain is Undivided.
func undividedPlain(g *Graph, s *Step, pi, law []Lane, x []Choice) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		D := b - a
		row, from := law[a:b], pi[a:b]
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
func mixturePlain(g *Graph, s *Step, pi, law []Lane, x []Choice) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		D := b - a
		row, from := law[a:b], pi[a:b]
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
func occupancyPlain(g *Graph, s *Step, pi, law []Lane, x []Choice, reach []Lane) {
	reachPlain(g, pi, reach)
	mixturePlain(g, s, pi, law, x)
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		for k, at := range x[v] {
			p := min(reach[v][k], 1)
			for i := range law[a:b] {
				q := &law[a+int32(i)][k]
				*q = float64(p**q) + float64((1-p)*s.Like.of(int64(i) == at, b-a))
			}
		}
	}
}

// jointPlain is Joint.
func jointPlain(g *Graph, s *Step, law []Lane, x, x0 []Choice) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		D := b - a
		row := law[a:b]
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
