//go:build goexperiment.simd && amd64

package octet

import (
	"simd/archsimd"
	"unsafe"
)

// Vectors tells whether the processor has what the vector kernels need.
func Vectors() bool { return vector }

// Pair sets out, by edge, to what d3pm's Pair gives for pi, given its a and γ_t ⊙ b, [V, H]. There must be Vectors: without, samples
// one by one are faster.
func (p *Pairs) Pair(out []Single, pi []Lane, a, gb []float32) {
	reach(p.Graph, pi, p.reach)
	if wide {
		p.weightsWide(pi)
	} else {
		p.weightsNarrow(pi)
	}
	by := pairOps{gather, dot, dotDiff}
	if wide && p.H%16 == 0 {
		by = pairOps{gather16, dot16, dotDiff16}
	}
	p.before(a, by)
	p.after(out, a, gb, by)
	if wide {
		p.totalsWide(out, pi)
	} else {
		p.totalsNarrow(out, pi)
	}
	archsimd.ClearAVXUpperBits()
}

// pairOps are the sweeps' inner loops on vectors of eight or of sixteen, with the same bits but for the sign of a 0.
type pairOps struct {
	gather  func(x []Single, v int, base []float32, H int, at []int32, w []Single)
	dot     func(to *Single, x, y []Single)
	dotDiff func(to *Single, u []Single, a, b []float32)
}

// before sets A_w = a_w + Σ_{v→w} q_vw A_v, for all layers but the last.
func (p *Pairs) before(a []float32, by pairOps) {
	last := p.Layer[len(p.Layer)-2]
	for w := range int(last) {
		lo, hi := p.Enter[w], p.Enter[w+1]
		by.gather(p.a, w, a, p.H, p.Tail[lo:hi], p.enter[lo:hi])
	}
}

// after sets U_v = γ ⊙ b_v + Σ_{v→w} π_v(w) U_w, dot = ⟨a_v, U_v − γ ⊙ b_v⟩ and out = ⟨A_v, U_w⟩.
func (p *Pairs) after(out []Single, a, gb []float32, by pairOps) {
	last := int(p.Layer[len(p.Layer)-2])
	for v := last; v < len(p.First)-1; v++ {
		by.gather(p.u, v, gb, p.H, nil, nil)
	}
	for v := last - 1; v >= 0; v-- {
		lo, hi := p.First[v], p.First[v+1]
		heads := p.Head[lo:hi]
		by.gather(p.u, v, gb, p.H, heads, p.leave[lo:hi])
		by.dotDiff(&p.dot[v], p.u[v*p.H:][:p.H], a[v*p.H:][:p.H], gb[v*p.H:][:p.H])
		for i, w := range heads {
			by.dot(&out[int(lo)+i], p.a[v*p.H:][:p.H], p.u[int(w)*p.H:][:p.H])
		}
	}
}

// eight is a piece of a vector, in lanes.
type eight [8]Single

func load8(x *Single) archsimd.Float32x8 { return archsimd.LoadFloat32x8(x) }

// gather sets vector v of x to base's plus the sum of w[i] times vector at[i] of x, eight numbers at a time.
func gather(x []Single, v int, base []float32, H int, at []int32, w []Single) {
	w = w[:len(at)]
	from := unsafe.Pointer(unsafe.SliceData(x))
	size := uintptr(H) * unsafe.Sizeof(Single{})
	for h := 0; h < H; h += 8 {
		b := (*[8]float32)(base[v*H+h:])
		s0, s1 := archsimd.BroadcastFloat32x8(b[0]), archsimd.BroadcastFloat32x8(b[1])
		s2, s3 := archsimd.BroadcastFloat32x8(b[2]), archsimd.BroadcastFloat32x8(b[3])
		s4, s5 := archsimd.BroadcastFloat32x8(b[4]), archsimd.BroadcastFloat32x8(b[5])
		s6, s7 := archsimd.BroadcastFloat32x8(b[6]), archsimd.BroadcastFloat32x8(b[7])
		piece := unsafe.Add(from, uintptr(h)*unsafe.Sizeof(Single{}))
		for i, j := range at {
			q, y := load8(&w[i]), (*eight)(unsafe.Add(piece, uintptr(j)*size))
			s0, s1 = load8(&y[0]).MulAdd(q, s0), load8(&y[1]).MulAdd(q, s1)
			s2, s3 = load8(&y[2]).MulAdd(q, s2), load8(&y[3]).MulAdd(q, s3)
			s4, s5 = load8(&y[4]).MulAdd(q, s4), load8(&y[5]).MulAdd(q, s5)
			s6, s7 = load8(&y[6]).MulAdd(q, s6), load8(&y[7]).MulAdd(q, s7)
		}
		d := (*eight)(x[v*H+h : v*H+h+8])
		s0.Store(&d[0])
		s1.Store(&d[1])
		s2.Store(&d[2])
		s3.Store(&d[3])
		s4.Store(&d[4])
		s5.Store(&d[5])
		s6.Store(&d[6])
		s7.Store(&d[7])
	}
}

// dot is the product of vectors x and y, summed as pairDots sums.
func dot(to *Single, x, y []Single) {
	a, b := (*eight)(x[:8]), (*eight)(y[:8])
	s0, s1, s2, s3 := load8(&a[0]).Mul(load8(&b[0])), load8(&a[1]).Mul(load8(&b[1])), load8(&a[2]).Mul(load8(&b[2])), load8(&a[3]).Mul(load8(&b[3]))
	s4, s5, s6, s7 := load8(&a[4]).Mul(load8(&b[4])), load8(&a[5]).Mul(load8(&b[5])), load8(&a[6]).Mul(load8(&b[6])), load8(&a[7]).Mul(load8(&b[7]))
	for h := 8; h+8 <= len(x) && h+8 <= len(y); h += 8 {
		a, b := (*eight)(x[h:h+8]), (*eight)(y[h:h+8])
		s0, s1 = load8(&a[0]).MulAdd(load8(&b[0]), s0), load8(&a[1]).MulAdd(load8(&b[1]), s1)
		s2, s3 = load8(&a[2]).MulAdd(load8(&b[2]), s2), load8(&a[3]).MulAdd(load8(&b[3]), s3)
		s4, s5 = load8(&a[4]).MulAdd(load8(&b[4]), s4), load8(&a[5]).MulAdd(load8(&b[5]), s5)
		s6, s7 = load8(&a[6]).MulAdd(load8(&b[6]), s6), load8(&a[7]).MulAdd(load8(&b[7]), s7)
	}
	s0, s1, s2, s3 = s0.Add(s4), s1.Add(s5), s2.Add(s6), s3.Add(s7)
	s0.Add(s1).Add(s2.Add(s3)).Store(to)
}

// dotDiff is ⟨a, u − b⟩, summed as pairDotDiff sums.
func dotDiff(to *Single, u []Single, a, b []float32) {
	var s eight
	a, b = a[:len(u)], b[:len(u)]
	for j := range s {
		sum := archsimd.BroadcastFloat32x8(a[j]).Mul(load8(&u[j]).Sub(archsimd.BroadcastFloat32x8(b[j])))
		for h := j + 8; h < len(u); h += 8 {
			sum = load8(&u[h]).Sub(archsimd.BroadcastFloat32x8(b[h])).MulAdd(archsimd.BroadcastFloat32x8(a[h]), sum)
		}
		sum.Store(&s[j])
	}
	s0, s1 := load8(&s[0]).Add(load8(&s[4])), load8(&s[1]).Add(load8(&s[5]))
	s2, s3 := load8(&s[2]).Add(load8(&s[6])), load8(&s[3]).Add(load8(&s[7]))
	s0.Add(s2).Add(s1.Add(s3)).Store(to)
}
