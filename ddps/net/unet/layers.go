package unet

import (
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/net"
)

// output sets s.y, the last layer by edge.
func (s *scratch) output(m featureMap) {
	u := s.u
	w, b := u.params[len(u.params)-2].Data, u.params[len(u.params)-1].Data
	s.wideMap = net.Grow(s.wideMap, m.c)
	h := s.wideMap[:m.c]
	for v := range u.V {
		lo, hi := u.g.Edges(v)
		if lo == hi {
			continue
		}
		s.norm(h, m.at(v), nil)
		vec.Silu(h, h, false)
		vec.Dense(s.y[lo:hi], w[v*u.D*m.c:][:(hi-lo)*m.c], b[v*u.D:][:hi-lo], h)
	}
}

// block is operations's.
func (s *scratch) block(x featureMap, b resBlock) featureMap {
	p := s.u.params[b.at:]
	s.between = net.Grow(s.between, x.v*b.to)
	y := featureMap{x.v, b.to, s.between}
	s.conv(y, x, nil, p[0].Data, p[1].Data)
	out := s.take(x.v, b.to)
	s.conv(out, y, s.film[b.index], p[4].Data, p[5].Data)
	if b.from != b.to {
		for v := range x.v {
			vec.Dense(y.at(v), p[6].Data, s.zero[:b.to], x.at(v))
		}
		x = y
	}
	vec.Add(vec.Flat(out.x), vec.Flat(x.x))
	return out
}

// conv sets y to the convolution of silu(norm(x)), or with film = (1 + s, b) of silu(norm(x)·(1 + s) + b).
func (s *scratch) conv(y, x featureMap, film, w, b []float32) {
	K := s.u.cfg.Kernel
	r := K / 2 * x.c
	s.wideMap = net.Grow(s.wideMap, 2*r+len(x.x))
	clear(s.wideMap[:r])
	clear(s.wideMap[r+len(x.x):])
	h := featureMap{x.v, x.c, s.wideMap[r : r+len(x.x)]}
	for v := range x.v {
		s.norm(h.at(v), x.at(v), film)
	}
	vec.Silu(h.x, h.x, false)
	for v := range x.v {
		vec.Dense(y.at(v), w, b, s.wideMap[v*x.c:][:K*x.c])
	}
}

// norm sets y to x over the root mean square of its channels, where the settings say so, then scaled and shifted by
// film unless that is nil.
func (s *scratch) norm(y, x []vec.Block, film []float32) {
	eps := float32(0)
	if s.u.cfg.Norm {
		eps = normEps
	}
	vec.Norm(y, x, film, eps)
}

func (s *scratch) down(x featureMap) featureMap {
	y := s.take(x.v/2, x.c)
	for v := range y.v {
		vec.Average(vec.Flat(y.at(v)), vec.Flat(x.at(2*v)), vec.Flat(x.at(2*v+1)))
	}
	return y
}

func (s *scratch) up(x featureMap) featureMap {
	y := s.take(2*x.v, x.c)
	for v := range y.v {
		copy(y.at(v), x.at(v/2))
	}
	return y
}

func (s *scratch) join(x, skip featureMap) featureMap {
	y := s.take(x.v, x.c+skip.c)
	for v := range y.v {
		copy(y.at(v), x.at(v))
		copy(y.at(v)[x.c:], skip.at(v))
	}
	return y
}
