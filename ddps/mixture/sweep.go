package mixture

import "math"

// sweepLanes is how many classes a sweep handles at once.
const sweepLanes = 4

// tiny bounds the scaled messages of a layer from below, so that what is left of them has all its digits.
const tiny = 0x1p-900

// sweep is the forward-backward algorithm for four classes of a mixture on the product graph, in plain arithmetic:
// with the weights b_e = base_e·exp(ψ) of the edges, which all classes share, and f_k(v) = exp φ_k(v),
//
//	m_s = c_l Σ_e b_e·f(head)·m_head,  m = 1 on the last layer,  Z_k = m_{v¹}/∏_l c_l,
//	a_head = Σ_e b_e·a_s·f(s)·c_l,     a_{v¹} = n_k/m_{v¹} for n_k paths of the class,
//
// a_s·f(s)·m_s of the class's paths pass s, and a_s·f(s)·c_l·b_e·f(head)·m_head take edge e. The scales c_l of the
// layers are powers of two, which round nothing. O(edges), with one exponential for each vertex and none for an edge.
type sweep struct {
	lane  int          // first class
	n     int          // classes, at most sweepLanes
	y     []float64    // [state, 4] f(s)·m_s
	a     []float64    // [state, 4]
	scale [][4]float64 // [L] c_l, 1 on the last layer
	reach []float64    // [V, 4] weight of the class's paths by vertex
	turns []float64    // by ψ: weight of the paths of all four classes
	prior float64      // −log prior of the classes' φ
}

// backward sets y and scale. It reports whether the messages of each layer lie within the range of float64s.
func (s *sweep) backward(f *penalised) bool {
	g := f.base.Product.Graph
	lo, hi := g.Layer(g.NumLayers() - 1)
	for q := lo; q < hi; q++ {
		if v := f.base.Product.Vertex[q]; v >= 0 {
			*(*[4]float64)(s.y[4*q:]) = *(*[4]float64)(f.exp[v*f.width+s.lane:])
		}
	}
	below := 0
	for l := g.NumLayers() - 2; l >= 0; l-- {
		n, ok := s.layer(f, l)
		if below += n; !ok {
			s.unscale()
			return false
		}
	}
	return below == f.dead
}

// unscale makes all scales 1.
func (s *sweep) unscale() {
	for l := range s.scale {
		s.scale[l] = [4]float64{1, 1, 1, 1}
	}
}

// layer sets y in layer l and returns how many states have a message below tiny. The scale is that of the sweep before,
// or another where that does not bring the greatest message near 1; ok is false where none does.
func (s *sweep) layer(f *penalised, l int) (below int, ok bool) {
	for range 8 {
		var top [4]float64
		top, below = s.gather(f, l)
		ok = true
		for i, x := range top {
			if x >= 0x1p-100 && x <= 0x1p100 {
				continue
			}
			ok = false
			switch c := &s.scale[l][i]; {
			case x > 0 && x <= math.MaxFloat64:
				_, exp := math.Frexp(x)
				*c = math.Ldexp(*c, -exp)
			case x == 0:
				*c *= 0x1p500
			default:
				*c *= 0x1p-500
			}
		}
		if ok {
			return below, true
		}
	}
	return 0, false
}

// gather sets y in layer l from that of the next. It returns the greatest messages, scaled, and how many states have
// one below tiny.
func (s *sweep) gather(f *penalised, l int) (top [4]float64, below int) {
	g, vertex := f.base.Product.Graph, f.base.Product.Vertex
	lo, hi := g.Layer(l)
	c0, c1, c2, c3, ys := s.scale[l][0], s.scale[l][1], s.scale[l][2], s.scale[l][3], s.y
	var t0, t1, t2, t3 float64
	for q := lo; q < hi; q++ {
		first, end := g.Edges(q)
		b := f.b[first:end]
		var m0, m1, m2, m3 float64
		for i, h := range g.From(q) {
			w, y := b[i], (*[4]float64)(ys[4*h:])
			m0 += float64(w * y[0])
			m1 += float64(w * y[1])
			m2 += float64(w * y[2])
			m3 += float64(w * y[3])
		}
		m0, m1, m2, m3 = m0*c0, m1*c1, m2*c2, m3*c3
		if !(m0 >= tiny && m1 >= tiny && m2 >= tiny && m3 >= tiny) {
			below++
		}
		if m0 > t0 {
			t0 = m0
		}
		if m1 > t1 {
			t1 = m1
		}
		if m2 > t2 {
			t2 = m2
		}
		if m3 > t3 {
			t3 = m3
		}
		to, e := (*[4]float64)(ys[4*q:]), (*[4]float64)(f.exp[max(vertex[q], 0)*f.width+s.lane:])
		to[0], to[1], to[2], to[3] = m0*e[0], m1*e[1], m2*e[2], m3*e[3]
	}
	return [4]float64{t0, t1, t2, t3}, below
}

// forward sets reach and turns, for these weights of the classes' paths.
func (s *sweep) forward(f *penalised, class []float64) {
	g, vertex := f.base.Product.Graph, f.base.Product.Vertex
	clear(s.a)
	clear(s.reach)
	clear(s.turns)
	for i, n := range class {
		s.a[i] = n / s.y[i]
	}
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		c := s.scale[l]
		for q := lo; q < hi; q++ {
			v := vertex[q]
			if v < 0 {
				continue
			}
			a, y, reach := (*[4]float64)(s.a[4*q:]), (*[4]float64)(s.y[4*q:]), (*[4]float64)(s.reach[4*v:])
			e := (*[4]float64)(f.exp[v*f.width+s.lane:])
			a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
			reach[0] += float64(a0 * y[0])
			reach[1] += float64(a1 * y[1])
			reach[2] += float64(a2 * y[2])
			reach[3] += float64(a3 * y[3])
			a0 *= e[0] * c[0]
			a1 *= e[1] * c[1]
			a2 *= e[2] * c[2]
			a3 *= e[3] * c[3]
			if f.turn == nil {
				s.pass(f, q, a0, a1, a2, a3)
			} else {
				s.scatter(f, q, a0, a1, a2, a3)
			}
		}
	}
}

// pass adds a to the heads of the edges out of state q.
func (s *sweep) pass(f *penalised, q int, a0, a1, a2, a3 float64) {
	lo, hi := f.base.Product.Graph.Edges(q)
	b, as := f.b[lo:hi], s.a
	for i, h := range f.base.Product.Graph.From(q) {
		w, to := b[i], (*[4]float64)(as[4*h:])
		to[0] += float64(w * a0)
		to[1] += float64(w * a1)
		to[2] += float64(w * a2)
		to[3] += float64(w * a3)
	}
}

// scatter is pass, and adds the edges' weights to their turns.
func (s *sweep) scatter(f *penalised, q int, a0, a1, a2, a3 float64) {
	lo, hi := f.base.Product.Graph.Edges(q)
	b, turn, as, ys, turns := f.b[lo:hi], f.turn[lo:hi], s.a, s.y, s.turns
	none := int32(len(turns) - 1)
	for i, h := range f.base.Product.Graph.From(q) {
		w, to, y := b[i], (*[4]float64)(as[4*h:]), (*[4]float64)(ys[4*h:])
		x0, x1, x2, x3 := w*a0, w*a1, w*a2, w*a3
		to[0] += x0
		to[1] += x1
		to[2] += x2
		to[3] += x3
		on := float64(x0*y[0]) + float64(x1*y[1]) + float64(x2*y[2]) + float64(x3*y[3])
		t := turn[i]
		turns[t[0]] += on
		if t[1] != none {
			turns[t[1]] += on
		}
	}
}

// rows sets p, [edge, K], to the classes' probabilities of the edges.
func (s *sweep) rows(f *penalised, p []float64) {
	g := f.base.Product.Graph
	for q := range g.NumVertices() {
		lo, hi := g.Edges(q)
		var sum [4]float64
		for e := lo; e < hi; e++ {
			for i, y := range (*[4]float64)(s.y[4*g.Head(e):]) {
				sum[i] += f.b[e] * y
			}
		}
		for e := lo; e < hi; e++ {
			y := (*[4]float64)(s.y[4*g.Head(e):])
			for i := range s.n {
				to := &p[e*f.K+s.lane+i]
				if *to = f.b[e] * y[i] / sum[i]; !(sum[i] > 0) {
					*to = f.base.P[e]
				}
			}
		}
	}
}
