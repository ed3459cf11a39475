package d3pm

import (
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Kernel is a reverse step. Fill sets st.Dist, for every vertex with more than one out-edge, to the distribution of
// its row of x_s. Rows are then drawn independently. In the last step, s = 0, every kernel draws; none takes the most
// likely. There, where a condition has a memory, rows drawn independently would not meet it: the path is then drawn
// as a whole, see Scalar.DrawLast. The zero Kernel is Joint.
type Kernel struct {
	Name string // "joint", "occupancy", "eq2", "austin", "algorithm2" for those of this package
	Fill func(st *Step)
	own  bool // of this package: engines have their own code for it
}

// Joint, Occupancy, Eq2, Austin and Algorithm2 are the kernels of this package; see their fill functions.

// Joint draws x̃_0 as a path, so that rows on one path move together: the default.
func Joint() Kernel { return Kernel{"joint", joint, true} }

// Occupancy weighs Eq2 by the probability that the path visits the row's vertex.
func Occupancy() Kernel { return Kernel{"occupancy", occupancy, true} }

// Eq2 is the paper's Eq. 2 row by row.
func Eq2() Kernel { return Kernel{"eq2", eq2, true} }

// Austin is the reverse step of the paper's §3 and of Austin et al. (2021).
func Austin() Kernel { return Kernel{"austin", austin, true} }

// Algorithm2 is the paper's Algorithm 2 as printed, biased without guidance already.
func Algorithm2() Kernel { return Kernel{"algorithm2", algorithm2, true} }

// Kernels returns the kernels of this package.
func Kernels() []Kernel { return []Kernel{Joint(), Occupancy(), Eq2(), Austin(), Algorithm2()} }

// KernelNamed returns the kernel of a name: one of Kernels, "" for Joint, or an earlier version's name, "undivided" for
// Austin and "mixture" for Eq2. ok is false for another.
func KernelNamed(name string) (k Kernel, ok bool) {
	switch name {
	case "":
		return Joint(), true
	case "undivided":
		return Austin(), true
	case "mixture":
		return Eq2(), true
	}
	for _, k := range Kernels() {
		if k.Name == name {
			return k, true
		}
	}
	return Kernel{}, false
}

// BuiltIn returns the kernel's name where it is one of this package, else "".
func (k Kernel) BuiltIn() string {
	switch {
	case k.Fill == nil:
		return "joint"
	case k.own:
		return k.Name
	}
	return ""
}

// austin is the reverse step of the paper's §3, of Austin et al. (2021) and of the code that the paper builds on:
// p(x_s) ∝ Σ_i q(x_s, x_t | x_0 = i) π(i). It weighs π by q(x_t | x_0) a second time, so that rows stay too near
// x_t and samples are too evenly spread: with a perfect denoiser of the distribution (0.7, 0.2, 0.1) it returns about
// (0.52, 0.28, 0.20).
func austin(st *Step) {
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		D, sum := hi-lo, 0.0
		for e := lo; e < hi; e++ {
			st.Dist[e] = st.like(int(v), lo, e, D) * (float64(st.As*st.Pi[e]) + st.To.Move[D])
			sum += st.Dist[e]
		}
		for e := lo; e < hi; e++ {
			st.Dist[e] /= sum
		}
	}
}

// eq2 is the paper's Eq. 2 for one row: p(x_s) = Σ_i q(x_s | x_t, x_0 = i) π(i).
func eq2(st *Step) {
	for _, v := range st.rows {
		st.eq2Row(int(v))
	}
}

// eq2Row divides π(i) by q(x_t | x_0 = i), mixes with ᾱ_s and multiplies by the one-step kernel at x_t.
func (st *Step) eq2Row(v int) {
	lo, hi := st.Graph.Edges(v)
	D, sum := hi-lo, 0.0
	for e := lo; e < hi; e++ {
		st.Dist[e] = st.Pi[e] / st.From.Of(int(st.Xt[v]) == e-lo, D)
		sum += st.Dist[e]
	}
	for e := lo; e < hi; e++ {
		st.Dist[e] = st.like(v, lo, e, D) * (float64(st.As*st.Dist[e]) + float64(st.To.Move[D]*sum))
	}
}

// occupancy lets row v be p_v·Eq2 + (1−p_v)·K, where p_v is the probability under π that the path visits v
// and K(j) = a·1[j = x_t] + (1−a)/D_v, the distribution of a row off the path: in the data such rows are uniform, and π
// only says which edge is taken if v is on the path. In the last step the row is π. Goes beyond the paper.
func occupancy(st *Step) {
	if st.S == 0 {
		copy(st.Dist, st.Pi)
		return
	}
	chain.Reach(st.Graph, st.Pi, st.reach)
	for _, v := range st.rows {
		st.eq2Row(int(v))
		lo, hi := st.Graph.Edges(int(v))
		p := min(st.reach[v], 1)
		for e := lo; e < hi; e++ {
			st.Dist[e] = float64(p*st.Dist[e]) + float64((1-p)*st.like(int(v), lo, e, hi-lo))
		}
	}
}

// joint draws x̃_0 as a path of the chain π, then gives q(x_s | x_t, x̃_0) to the path's rows and K of Occupancy to all
// others, so that rows on one path move together. On data whose distribution is a chain it has no error from striding
// at all. In the last step the rows are π, which makes the decoded path a draw of the chain. Where the denoiser
// corrects a mixture of chains, x̃_0 is drawn from that, a class first (chain.PathDistribution). Goes beyond the paper.
func joint(st *Step) {
	if st.S == 0 {
		copy(st.Dist, st.Pi)
		return
	}
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		row := st.Dist[lo:hi]
		for i := range row {
			row[i] = st.Like.Move[len(row)]
		}
		row[st.Xt[v]] += st.Like.keep
	}
	st.Drawn = true
	st.draw()
	st.pathRows()
}

// pathRows sets the rows on the path, q(x_s | x_t, x̃_0).
func (st *Step) pathRows() {
	for l := 1; l < len(st.path); l++ {
		v := st.path[l-1]
		lo, hi := st.Graph.Edges(v)
		if hi-lo < 2 {
			continue
		}
		x0, _ := st.Graph.EdgeBetween(v, st.path[l])
		q := st.From.Of(int(st.Xt[v]) == x0-lo, hi-lo)
		for e := lo; e < hi; e++ {
			st.Dist[e] = st.like(v, lo, e, hi-lo) * (st.To.Of(e == x0, hi-lo) / q)
		}
	}
}

// algorithm2 is line 7 of the paper's Algorithm 2 as printed, with z read as logits: x_s ~ softmax(Q̄_t z + λ g_t),
// where Q̄_t z = ᾱ_t z + (1−ᾱ_t)·(mean of z over the row), and z = log π, which is z up to a constant a row that the
// softmax does not see. It is a kernel like the others, for use with a Guide; it sees x_t only through z, and is biased
// at λ = 0 already. Edges of probability 0 keep it, and do not count in the mean.
func algorithm2(st *Step) {
	st.Log = true
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		sum, n := 0.0, 0.0
		for e := lo; e < hi; e++ {
			if st.Dist[e] = vec.Log(st.Pi[e]); st.Pi[e] > 0 {
				sum += st.Dist[e]
				n++
			}
		}
		for e := lo; e < hi; e++ {
			st.Dist[e] = float64(st.At*st.Dist[e]) + (1-st.At)*sum/n
		}
	}
}
