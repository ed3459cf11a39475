package mixture

import (
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// walks is a sample of paths as the likelihood of a mixture reads them: each path once, in lexicographic order, so
// that what paths have in common at their beginning is computed once.
type walks struct {
	L      int       // vertices of a path without v¹
	visits []int32   // [path, L]
	common []int32   // [path] with how many of them the path before began, too
	weight []float64 // [path]
	total  float64   // Σ weight
	turns  []float64 // by ψ: weight of the paths that have it
	base   float64   // Σ weight·log base(path)
}

// newWalks sorts the paths of a sample and merges equal ones. The sample has been checked.
func newWalks(s chain.Sample) *walks {
	order := numbers(len(s.Paths))
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(s.Paths[i], s.Paths[j]) })
	w := &walks{}
	var last ddps.Path
	for _, i := range order {
		p, x := s.Paths[i], 1.0
		if s.Weights != nil {
			x = s.Weights[i]
		}
		w.total += x
		if n := len(w.weight); n > 0 && slices.Equal(p, last) {
			w.weight[n-1] += x
			continue
		}
		same := 0
		for same+1 < len(last) && last[same+1] == p[same+1] {
			same++
		}
		for _, v := range p[1:] {
			w.visits = append(w.visits, int32(v))
		}
		w.L, last = len(p)-1, p
		w.common, w.weight = append(w.common, int32(same)), append(w.weight, x)
	}
	return w
}

// path returns path i.
func (w *walks) path(i int, p ddps.Path) ddps.Path {
	p = append(p[:0], 0)
	for _, v := range w.visits[i*w.L : (i+1)*w.L] {
		p = append(p, int(v))
	}
	return p
}

// part is the sum over some of the paths, a range of them.
type part struct {
	lo, hi int
	loss   float64   // −Σ w log Σ_k ω_k P_k, up to what the base and the turns have
	visits []float64 // [V, width] the classes' shares of the visits; nil: not wanted
	class  []float64 // [width] and of the paths
	like   []float64 // [L+1, width] first·∏ ratio of the first vertices of the path at hand, times 2^−shift
	shift  []int     // [L+1]
	share  []float64 // [L+1, width] the classes' shares of the paths since that began as the one at hand
}

// maxParts is the greatest number of parts: it does not depend on the number of threads, so that sums do not.
const maxParts = 16

// parts splits the paths so that what the parts work with takes no more than the paths themselves.
func (w *walks) parts(V, width int, visits bool) []*part {
	n := maxParts
	if visits {
		n = min(n, max(1, len(w.visits)/V))
	}
	var parts []*part
	for k := range n {
		p := &part{lo: k * len(w.weight) / n, hi: (k + 1) * len(w.weight) / n, class: make([]float64, width),
			like: make([]float64, (w.L+1)*width), share: make([]float64, (w.L+1)*width), shift: make([]int, w.L+1)}
		if visits {
			p.visits = make([]float64, V*width)
		}
		parts = append(parts, p)
	}
	return parts
}

// sum adds up the part's paths: first, [width], is ω_k/m_{v¹}, and ratio, [V, width], f_k(v)·c of the layer before (see
// sweep). The loss is +Inf where a likelihood leaves the range of float64s. O(vertices in which paths differ from
// the path before · K).
func (p *part) sum(w *walks, width int, first, ratio []float64) {
	p.loss = 0
	clear(p.visits)
	clear(p.share)
	copy(p.like, first)
	at := 0 // depth up to which like holds
	var last []int32
	for i := p.lo; i < p.hi; i++ {
		visits := w.visits[i*w.L : (i+1)*w.L]
		from := min(at, int(w.common[i]))
		p.leave(last, from, at, width)
		for j := from; j < w.L; j++ {
			p.step(j, ratio[int(visits[j])*width:][:width], width)
		}
		p.end(w.L, w.weight[i], width)
		at, last = w.L, visits
	}
	p.leave(last, 0, at, width)
	copy(p.class, p.share[:width])
}

// step continues from depth j to the next, by a vertex of these ratios.
func (p *part) step(j int, ratio []float64, width int) {
	from, to := p.like[j*width:][:width], p.like[(j+1)*width:][:width]
	for k, x := range from {
		to[k] = x * ratio[k]
	}
	p.shift[j+1] = p.shift[j]
	if j%8 < 7 {
		return
	}
	if _, exp := math.Frexp(slices.Max(to)); exp < -256 || exp > 256 {
		for k := range to {
			to[k] = math.Ldexp(to[k], -exp)
		}
		p.shift[j+1] += exp
	}
}

// end adds the path that has come to depth L, of weight w.
func (p *part) end(L int, w float64, width int) {
	like, share, sum := p.like[L*width:][:width], p.share[L*width:][:width], 0.0
	for _, x := range like {
		sum += x
	}
	if !(sum >= 0x1p-1000 && sum <= 0x1p1000) {
		p.loss = math.Inf(1)
		return
	}
	p.loss -= w * (real.Log(sum) + float64(p.shift[L])*math.Ln2)
	for k, x := range like {
		share[k] = w * x / sum
	}
}

// leave goes back from depth at to depth to, along the path with these visits.
func (p *part) leave(visits []int32, to, at, width int) {
	if p.visits == nil {
		return
	}
	for j := at; j > to; j-- {
		n, up, share := p.visits[int(visits[j-1])*width:][:width], p.share[(j-1)*width:][:width], p.share[j*width:][:width]
		for k, x := range share {
			n[k] += x
			up[k] += x
			share[k] = 0
		}
	}
}

// numbers returns 0…n−1.
func numbers(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}
