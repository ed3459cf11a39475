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
		if hi-lo < 2 {
			continue
		}
		s.norm(h, m.at(v), nil)
		vec.Silu(h, h, false)
		vec.Dense(s.y[lo:hi], w[v*u.D*m.c:][:(hi-lo)*m.c], b[v*u.D:][:hi-lo], h)
	}
}

// block is operations's.
func (s *scratch) block(x featureMap, b resBlock) featureMap {
	p, r := s.u.params[b.at:], &b.region
	s.next = b.index + 1
	s.between = net.Grow(s.between, x.v*b.to)
	y := featureMap{x.v, b.to, s.between}
	s.conv(y, x, nil, p[0].Data, p[1].Data, &region{in: r.in, out: r.between, zero: r.zero})
	out := s.take(x.v, b.to)
	s.conv(out, y, s.film[b.index], p[4].Data, p[5].Data, &region{in: r.between, out: r.out})
	if b.from != b.to {
		each(r.out, func(v int) { vec.Dense(y.at(v), p[6].Data, s.zero[:b.to], x.at(v)) })
		x = y
	}
	each(r.out, func(v int) { vec.Add(vec.Flat(out.at(v)), vec.Flat(x.at(v))) })
	return out
}

// each calls do with the vertices in x.
func each(x []bool, do func(v int)) {
	for v, yes := range x {
		if yes {
			do(v)
		}
	}
}

// conv sets y to the convolution of silu(norm(x)), or with film = (1 + s, b) of silu(norm(x)·(1 + s) + b), at the
// vertices of r.out, which see those of r.in. Products with zeros, outside of x and where r says so, are left out.
func (s *scratch) conv(y, x featureMap, film, w, b []float32, r *region) {
	K := s.u.cfg.Kernel
	s.wideMap = net.Grow(s.wideMap, len(x.x))
	h := featureMap{x.v, x.c, s.wideMap[:len(x.x)]}
	each(r.in, func(v int) {
		s.norm(h.at(v), x.at(v), film)
		vec.Silu(h.at(v), h.at(v), false)
	})
	each(r.out, func(v int) {
		lo, hi := r.sees(v, K, x.v)
		vec.DensePart(y.at(v), w[(lo-v+K/2)*x.c:], K*x.c, b, h.x[lo*x.c:hi*x.c])
	})
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

// The vertices that count of what is made here are those that the next block reads.

func (s *scratch) down(x featureMap) featureMap {
	y := s.take(x.v/2, x.c)
	each(s.u.blocks[s.next].region.in, func(v int) {
		vec.Average(vec.Flat(y.at(v)), vec.Flat(x.at(2*v)), vec.Flat(x.at(2*v+1)))
	})
	return y
}

func (s *scratch) up(x featureMap) featureMap {
	y := s.take(2*x.v, x.c)
	each(s.u.blocks[s.next].region.in, func(v int) { copy(y.at(v), x.at(v/2)) })
	return y
}

func (s *scratch) join(x, skip featureMap) featureMap {
	y := s.take(x.v, x.c+skip.c)
	each(s.u.blocks[s.next].region.in, func(v int) {
		copy(y.at(v), x.at(v))
		copy(y.at(v)[x.c:], skip.at(v))
	})
	return y
}
