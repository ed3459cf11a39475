package d3pm

// output sets s.y, the last layer by edge.
func (s *unetScratch) output(m unetMap) {
	u := s.u
	w, b := u.params[len(u.params)-2].Data, u.params[len(u.params)-1].Data
	s.wideMap = grow(s.wideMap, m.c)
	h := s.wideMap[:m.c]
	for v := range u.V {
		lo, hi := u.g.Edges(v)
		if lo == hi {
			continue
		}
		s.norm(h, m.at(v), nil)
		mlpSilu(h, h, false)
		mlpDense(s.y[lo:hi], w[v*u.D*m.c:][:(hi-lo)*m.c], b[v*u.D:][:hi-lo], h)
	}
}

// block is unetOps's.
func (s *unetScratch) block(x unetMap, b unetBlock) unetMap {
	p := s.u.params[b.at:]
	s.between = grow(s.between, x.v*b.to)
	y := unetMap{x.v, b.to, s.between}
	s.conv(y, x, nil, p[0].Data, p[1].Data)
	out := s.take(x.v, b.to)
	s.conv(out, y, s.film[b.index], p[4].Data, p[5].Data)
	if b.from != b.to {
		for v := range x.v {
			mlpDense(y.at(v), p[6].Data, s.zero[:b.to], x.at(v))
		}
		x = y
	}
	mlpAdd(mlpFlat(out.x), mlpFlat(x.x))
	return out
}

// conv sets y to the convolution of silu(norm(x)), or with film = (1 + s, b) of silu(norm(x)·(1 + s) + b).
func (s *unetScratch) conv(y, x unetMap, film, w, b []float32) {
	K := s.u.cfg.Kernel
	r := K / 2 * x.c
	s.wideMap = grow(s.wideMap, 2*r+len(x.x))
	clear(s.wideMap[:r])
	clear(s.wideMap[r+len(x.x):])
	h := unetMap{x.v, x.c, s.wideMap[r : r+len(x.x)]}
	for v := range x.v {
		s.norm(h.at(v), x.at(v), film)
	}
	mlpSilu(h.x, h.x, false)
	for v := range x.v {
		mlpDense(y.at(v), w, b, s.wideMap[v*x.c:][:K*x.c])
	}
}

// norm sets y to x over the root mean square of its channels, then scaled and shifted by film unless that is nil.
func (s *unetScratch) norm(y, x []mlpLane, film []float32) { unetNorm(y, x, film, s.u.cfg.Norm) }

func (s *unetScratch) down(x unetMap) unetMap {
	y := s.take(x.v/2, x.c)
	for v := range y.v {
		unetMean(mlpFlat(y.at(v)), mlpFlat(x.at(2*v)), mlpFlat(x.at(2*v+1)))
	}
	return y
}

func (s *unetScratch) up(x unetMap) unetMap {
	y := s.take(2*x.v, x.c)
	for v := range y.v {
		copy(y.at(v), x.at(v/2))
	}
	return y
}

func (s *unetScratch) join(x, skip unetMap) unetMap {
	y := s.take(x.v, x.c+skip.c)
	for v := range y.v {
		copy(y.at(v), x.at(v))
		copy(y.at(v)[x.c:], skip.at(v))
	}
	return y
}
