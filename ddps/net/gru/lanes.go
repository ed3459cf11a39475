package gru

import "github.com/ddps-go/ddps/ddps/internal/vec"

// tables are a network as it is read: what each place, position and start gives the gates, so that a step needs no
// product with the input's weights.
type tables struct {
	*network
	in    []float32 // [P + L−1 + starts, 3H] by place, by position with the bias, by start
	first [2]int    // the rows at which positions and starts begin
}

func newTables(n *network) *tables {
	t := &tables{network: n}
	count := 0
	for i := range 3 {
		if i > 0 {
			t.first[i-1] = count
		}
		count += n.params[i].Shape[0]
	}
	t.in = make([]float32, count*3*n.hidden)
	t.set()
	return t
}

// set computes the tables from the parameters.
func (t *tables) set() {
	W, at := 3*t.hidden, 0
	x, y, rows := make([]vec.Block, t.embed), make([]vec.Block, W), make([]float32, vec.Lanes*W)
	zero := make([]float32, W)
	for i := range 3 {
		bias := zero
		if i == pPosition {
			bias = t.data(pInputBias)
		}
		data := t.data(i)
		for count := 0; count < t.params[i].Shape[0]; count += vec.Lanes {
			n := min(vec.Lanes, t.params[i].Shape[0]-count)
			clear(x)
			for k := range n {
				for j, z := range data[(count+k)*t.embed:][:t.embed] {
					x[j][k] = z
				}
			}
			vec.Dense(y, t.data(pInput), bias, x)
			vec.Transpose(rows, vec.Flat(y), W, vec.Lanes)
			at += copy(t.in[at:], rows[:n*W])
		}
	}
}

// lanes take up to vec.Lanes paths through a model's networks, each in its own lane: what a path gets depends on it
// alone, to the last bit.
type lanes struct {
	m     *GRU
	at    [vec.Lanes]place
	h     [][]vec.Block // by network, [H]
	out   []*output     // by network
	g, a  []vec.Block   // [3H]
	sums  []float32     // [vec.Lanes, 3H]
	z, p  []float64     // a row
	r     []uint8       // relations of a row
	tilts bool
	// the row of the first vertex, which all paths have alike, is the model's begin, so that no step has outputs for it
	begins bool
	later  bool // outputs are read later
	trail  [vec.Lanes]trail
}

// place is where the path of a lane is.
type place struct {
	item, t       int // item −1: the lane is empty
	vertex, start int32
}

func newLanes(m *GRU) *lanes {
	H := m.shape.Hidden
	l := &lanes{m: m, g: make([]vec.Block, 3*H), a: make([]vec.Block, 3*H), sums: make([]float32, vec.Lanes*3*H),
		z: make([]float64, m.g.MaxDegree()), p: make([]float64, m.g.MaxDegree()), r: make([]uint8, m.g.MaxDegree()),
		tilts: !m.tilt.zero(), begins: m.places > fewPlaces}
	for _, n := range m.nets {
		l.h, l.out = append(l.h, make([]vec.Block, H)), append(l.out, newOutput(n.network))
	}
	return l
}

// clear empties lane k for a path that begins.
func (l *lanes) clear(k int) {
	for _, h := range l.h {
		for j := range h {
			h[j][k] = 0
		}
	}
	l.trail[k].begin(l.m.words())
}

// step takes the lanes that are not empty a step on, from their vertices.
func (l *lanes) step() {
	for k := range l.at {
		a := &l.at[k]
		if a.item < 0 {
			continue
		}
		l.trail[k].step(l.m.layout, a.vertex)
		if a.t == 1 {
			a.start = l.m.layout.place[a.vertex]
		}
	}
	for i, n := range l.m.nets {
		l.through(n, l.h[i], l.out[i])
	}
	for k := range l.at {
		l.at[k].t++
	}
}

// through takes a step through one network.
func (l *lanes) through(n *tables, h []vec.Block, out *output) {
	W := 3 * n.hidden
	rows := make([]int32, 0, 3)
	for k := range l.at {
		a := &l.at[k]
		if a.item < 0 {
			continue
		}
		rows = append(rows[:0], int32(n.first[0]+a.t), n.layout.place[a.vertex])
		if n.start && a.t > 0 {
			rows = append(rows, int32(n.first[1])+a.start)
		}
		sum := l.sums[k*W : (k+1)*W]
		clear(sum)
		vec.Gather(sum, n.in, rows)
	}
	vec.Transpose(vec.Flat(l.g), l.sums, vec.Lanes, W)
	vec.Dense(l.a, n.data(pState), n.data(pStateBias), h)
	vec.Gates(l.g, l.a, h, h)
	if l.later {
		return
	}
	choice := false
	out.begin()
	for k := range l.at {
		if a := &l.at[k]; a.item >= 0 && n.g.Degree(int(a.vertex)) > 1 && !(l.begins && a.t == 0) {
			out.add(a.vertex)
			choice = true
		}
	}
	if choice {
		out.read(h)
	}
}

// row returns the probabilities of the edges of lane k's vertex, after a step; valid until the next call.
func (l *lanes) row(k int) []float64 {
	lo, hi := l.m.g.Edges(int(l.at[k].vertex))
	heads, p := l.m.layout.head[lo:hi], l.p[:hi-lo]
	if hi-lo == 1 {
		p[0] = 1
		return p
	}
	if l.begins && l.at[k].t == 1 {
		copy(p, l.m.begin())
	} else {
		l.plain(k)
	}
	if l.m.neverTwice {
		l.never(k, heads, p)
	}
	if l.tilts {
		l.tilted(k, p)
	}
	return p
}

// travel takes the items lo…hi−1 through the networks, each in a lane, a new one where another has ended. at returns
// the vertex of an item at step t, or that it has ended; reached gets the lane, whose row may be read.
func (l *lanes) travel(lo, hi int, at func(item, t int) (v int, ok bool), reached func(item, t, k int)) {
	next := lo
	for k := range l.at {
		l.at[k].item = -1
	}
	for {
		busy := false
		for k := range l.at {
			a := &l.at[k]
			for a.item < 0 && next < hi {
				if v, ok := at(next, 0); ok {
					*a = place{item: next, vertex: int32(v)}
					l.clear(k)
				}
				next++
			}
			busy = busy || a.item >= 0
		}
		if !busy {
			return
		}
		l.step()
		for k := range l.at {
			a := &l.at[k]
			if a.item < 0 {
				continue
			}
			reached(a.item, a.t-1, k)
			v, ok := at(a.item, a.t)
			if a.vertex = int32(v); !ok {
				a.item = -1
			}
		}
	}
}
