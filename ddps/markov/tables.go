package markov

import (
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// tables holds the contexts of a set of paths, and what followed them.
type tables struct {
	*trie
	cfg    Config // whose views they are
	views  []view
	first  []int32 // [context+1] what followed it in place and weight
	place  []int32
	weight []float64
	total  []float64 // [context]
	disc   []discount
}

// row returns what followed a context.
func (t *tables) row(n int32) counts {
	lo, hi := t.first[n], t.first[n+1]
	return counts{t.place[lo:hi:hi], t.weight[lo:hi:hi], t.total[n]}
}

// count makes the tables of paths with their weights for the model's settings.
func (m *Model) count(paths []ddps.Path, weights []float64) {
	t := &tables{trie: newTrie(), cfg: m.cfg, views: m.views}
	m.tables, m.at = t, make([]int32, len(m.views))
	for j := range m.at {
		m.at[j] = int32(j)
	}
	var followed index[link]
	var sums []float64
	w := m.walk(true)
	for i, p := range paths {
		if weights[i] > 0 {
			w.read(p, func(n, x int32) {
				l := linkOf(n, x)
				k := followed.put(l, l.hash(), int32(len(sums)), link.hash)
				if int(k) == len(sums) {
					sums = append(sums, 0)
				}
				sums[k] += weights[i]
			})
		}
	}
	t.sort(followed.keys, sums)
	tallies := make([]tally, len(m.views))
	for n := range t.nodes {
		tallies[t.nodes[n].view].add(t.row(int32(n)))
	}
	t.disc = make([]discount, len(m.views))
	for j := range tallies {
		t.disc[j] = tallies[j].discounts()
	}
	m.use(t, paths, weights)
}

// sort fills the rows from pairs of a context and a place that followed it, in no order, and their weights.
func (t *tables) sort(pairs []link, sums []float64) {
	t.first, t.total = make([]int32, len(t.nodes)+1), make([]float64, len(t.nodes))
	for _, l := range pairs {
		t.first[l>>32+1]++
	}
	for n := range t.nodes {
		t.first[n+1] += t.first[n]
	}
	t.place, t.weight = make([]int32, len(pairs)), make([]float64, len(pairs))
	from, end := make([]int32, len(pairs)), slices.Clone(t.first)
	for i, l := range pairs { // by context
		from[end[l>>32]] = int32(i)
		end[l>>32]++
	}
	for n := range t.nodes {
		lo, hi := t.first[n], t.first[n+1]
		slices.SortFunc(from[lo:hi], func(a, b int32) int { return int(int32(pairs[a])) - int(int32(pairs[b])) })
		for k := lo; k < hi; k++ {
			t.place[k], t.weight[k] = int32(pairs[from[k]]), sums[from[k]]
			t.total[n] += t.weight[k]
		}
	}
}

// use makes t the tables of m, whose views t has, and paths what it holds.
func (m *Model) use(t *tables, paths []ddps.Path, weights []float64) {
	m.tables, m.paths, m.weights = t, paths, weights
	m.at, m.disc = make([]int32, len(m.views)), make([]discount, len(m.views))
	for j := range m.views {
		i := t.has(m.views[j])
		m.at[j], m.disc[j] = int32(i), t.disc[i]
	}
}

// has returns the number of a view of its kind in the tables; −1 for none.
func (t *tables) has(v view) int {
	return slices.IndexFunc(t.views, func(w view) bool { w.parent = v.parent; return w == v })
}

// cover reports whether the tables hold all contexts of a configuration.
func (t *tables) cover(c Config) bool {
	return (c.Run == 0 || c.Run == t.cfg.Run) &&
		!slices.ContainsFunc(c.views(), func(v view) bool { return t.has(v) < 0 })
}
