package sequences

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// Edges says which moves there are.
type Edges int

// The rules. A move is allowed in every position.
const (
	Seen  Edges = iota // pairs of neighbours in any position of any walk
	Given              // those of Options.Moves
	All                // from any place to any, itself too
)

// String returns the rule's name.
func (e Edges) String() string { return [...]string{"seen", "given", "all"}[e] }

// Options says how walks become a graph. The zero value takes all walks, and the moves seen.
type Options struct {
	Edges Edges
	Moves [][2]string // of Given: from and to by name
	// Starts are the places where walks may begin, Ends those where they may end; nil: any. Walks of others are left
	// out.
	Starts, Ends []string
	// Prefix, if above 0, cuts walks to so many first places. MaxLength, if above 0, leaves out longer ones, after
	// that.
	Prefix, MaxLength int
	// MinCount, if above 1, leaves out walks through a place that fewer walks pass, of those that are left.
	MinCount int
}

// Result is a graph and the walks as its paths.
type Result struct {
	Graph *ddps.LayeredGraph
	// Data are the distinct paths with counts, [set], in the order of their first rows; nil for a set without one.
	Data   []*datasets.Data
	Report Report   // what is left out of the sets, besides what their readers left out
	Notes  []string // what else is to be said, a line each
}

// maxEdges bounds the edges of a graph: a slip of the finger must not take all memory.
const maxEdges = 1 << 27

// Make makes a layered graph of walks, and of each set of walks, such as those to train and to test with, its paths.
//
// Layer 0 is a source (ddps.Source), layer l ≥ 1 the places that may stand at position l; there are as many as in the
// longest walk. Any place that may end does so from the length of the shortest walk on: from its position on END
// (ddps.End, or END_ and so on where a place is called END) fills up the walk, and from END no edge leads but to END.
// Walks all of one length have no END. Only vertices and edges on some path are there. The vertices of a layer are in
// the order of their places: by name, as numbers where all names are whole numbers, END last. So the graph is the
// same for any order of the walks.
//
// Meta: Names; Place, tied over layers, the rank of the name, END after all others, the source −1; Attr edges and
// lengths. A path's names without source and END are those of the walk (Names).
//
// Errors: a number below 0, a start or end that no walk passes, no walk that is left, more than 2²⁷ edges.
// O(tokens + L·moves).
func Make(o Options, sets ...*Walks) (*Result, error) {
	m := &maker{o: o, sets: sets, result: &Result{}}
	for _, step := range []func() error{m.check, m.alphabet, m.choose, m.moves, m.unroll} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("sequences: %w", err)
		}
	}
	for s := range sets {
		m.result.Data = append(m.result.Data, m.data(s))
	}
	return m.result, nil
}

// maker is the work of one Make. Places are ranks of names, 0…A−1; END is A.
type maker struct {
	o        Options
	sets     []*Walks
	result   *Result
	names    []string
	rank     [][]int32 // [set][token]
	start    []bool    // [A]
	end      []bool
	keep     [][]bool  // [set][row]
	next     [][]int32 // [A] heads, ascending; nil for All
	min, max int       // lengths
	vertex   [][]int32 // [l][A+1] −1 for none
}

func (m *maker) check() error {
	for _, n := range []int{m.o.Prefix, m.o.MaxLength, m.o.MinCount} {
		if n < 0 {
			return fmt.Errorf(
				"prefix %d, maximum length %d, minimum count %d: expected 0 or more",
				m.o.Prefix,
				m.o.MaxLength,
				m.o.MinCount,
			)
		}
	}
	if m.o.Edges < Seen || m.o.Edges > All || m.o.Edges == Given && len(m.o.Moves) == 0 {
		return errors.New("no edges are given")
	}
	if len(m.sets) == 0 {
		return errors.New("no walks")
	}
	return nil
}

// alphabet ranks the names.
func (m *maker) alphabet() error {
	all := map[string]int32{}
	for _, w := range m.sets {
		for _, t := range w.Tokens {
			all[t] = 0
		}
	}
	if m.o.Edges != Given {
		m.o.Moves = nil
	}
	m.o.Moves = slices.Clone(m.o.Moves)
	for i, pair := range m.o.Moves {
		for k, name := range pair {
			pair[k] = names.Normal(name)
			if err := ddps.CheckText(pair[k]); err != nil || pair[k] == "" {
				return fmt.Errorf("edge %d: a name that is empty or no text: %q", i+1, name)
			}
			all[pair[k]] = 0
		}
		m.o.Moves[i] = pair
	}
	m.names = slices.Collect(maps.Keys(all))
	sortNames(m.names)
	for k, name := range m.names {
		all[name] = int32(k)
	}
	for _, w := range m.sets {
		rank := make([]int32, len(w.Tokens))
		for t, name := range w.Tokens {
			rank[t] = all[name]
		}
		m.rank = append(m.rank, rank)
	}
	var err error
	if m.start, err = m.chosen("start", m.o.Starts, all); err == nil {
		m.end, err = m.chosen("end", m.o.Ends, all)
	}
	return err
}

// sortNames sorts by name, as numbers where all are whole numbers without leading zeros.
func sortNames(list []string) {
	number := map[string]int{}
	for _, s := range list {
		n, err := strconv.Atoi(s)
		if err != nil || strconv.Itoa(n) != s {
			slices.Sort(list)
			return
		}
		number[s] = n
	}
	slices.SortFunc(list, func(a, b string) int { return number[a] - number[b] })
}

// chosen returns by place whether it is in a list, which nil is for all.
func (m *maker) chosen(what string, list []string, all map[string]int32) ([]bool, error) {
	in := make([]bool, len(m.names))
	for k := range in {
		in[k] = list == nil
	}
	for _, name := range list {
		k, ok := all[names.Normal(name)]
		if !ok {
			return nil, fmt.Errorf("%s %q is a place of no walk%s", what, name, names.Meant(name, m.names))
		}
		in[k] = true
	}
	return in, nil
}

// walk returns the places of a row, by token, after the cut to a prefix.
func (m *maker) walk(s, i int) []int32 {
	list := m.sets[s].At(i)
	if m.o.Prefix > 0 && len(list) > m.o.Prefix {
		list = list[:m.o.Prefix]
	}
	return list
}

// leave leaves out a row.
func (m *maker) leave(s, i int, reason Reason, detail func() string) {
	m.keep[s][i] = false
	w := m.sets[s]
	file, line := w.Where(i)
	m.result.Report.add(reason, w.Count(i), file, line, detail)
}

// each calls do for each row that is kept.
func (m *maker) each(do func(s, i int, list []int32)) {
	for s, w := range m.sets {
		for i := range w.Len() {
			if m.keep[s][i] {
				do(s, i, m.walk(s, i))
			}
		}
	}
}
