package guide

// Automaton is a condition as a machine that reads a path edge by edge and weighs it: deterministic, its states
// numbers of the author's choice. The weight of a path is the product of those of its edges and of the state in
// which it ends; 0 means that the path does not meet the condition. The functions are pure: the same answer for
// the same question, from any goroutine.
type Automaton struct {
	Start int // the state at v¹
	// Next returns the state after edge e, taken in state q, and the edge's weight, finite and ≥ 0; 0 is a dead end.
	Next func(q, e int) (next int, w float64)
	// Accept returns the weight, finite and ≥ 0, of ending in state q. nil: 1 for all.
	Accept func(q int) float64
	Shift  float64 // the logarithm of a constant factor that the weights leave out
}

// byEdge is the automaton of one state whose weights are w, by edge.
func byEdge(w []float64) Automaton {
	return Automaton{Next: func(_, e int) (int, float64) { return 0, w[e] }}
}

// accept returns the weight of ending in state q.
func (a Automaton) accept(q int) float64 {
	if a.Accept == nil {
		return 1
	}
	return a.Accept(q)
}

// times is the product automaton, which weighs a path by the product of both weights. Pairs of states are
// numbered as they are met, so that only those exist that some walk from v¹ leads to. Not for concurrent use.
func times(a, b Automaton) Automaton {
	type pair struct{ a, b int }
	pairs := []pair{{a.Start, b.Start}}
	number := map[pair]int{pairs[0]: 0}
	return Automaton{
		Shift: a.Shift + b.Shift,
		Next: func(q, e int) (int, float64) {
			at := pairs[q]
			var u, w float64
			if at.a, u = a.Next(at.a, e); u == 0 {
				return 0, 0
			}
			if at.b, w = b.Next(at.b, e); w == 0 {
				return 0, 0
			}
			n, seen := number[at]
			if !seen {
				n = len(pairs)
				number[at] = n
				pairs = append(pairs, at)
			}
			return n, u * w
		},
		Accept: func(q int) float64 { return a.accept(pairs[q].a) * b.accept(pairs[q].b) },
	}
}
