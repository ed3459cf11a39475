package markov

// relation is how the place of an edge relates to the walk so far.
type relation = int32

const (
	fresh    relation = iota
	ends              // no choice is left from there on
	mirrored          // it goes on along the mirrored walk
	back              // to the place before
	home              // to the start
	again             // to another place of the context
	relations
)

// signatures counts the classes of walks that have relation weights of their own: how far the last places are mirrored
// (0…3), whether the walk is at its start again, and its layer, 0…12.
const (
	arms       = 4
	lastLayer  = 12
	signatures = arms * 2 * (lastLayer + 1)
)

// mirror returns how many of the last places, the latest first, are the same on both sides of a turn, 0 for no turn,
// and the place that the mirrored walk has next, −1 where it is not known: 3 and −1 where the whole context is
// mirrored.
func mirror(k []int32) (arm int, next int32) {
	for c := 1; 2*c < len(k); c++ {
		same := true
		for i := 1; i <= c && same; i++ {
			same = k[c-i] == k[c+i]
		}
		switch {
		case !same:
		case 2*c+1 < len(k):
			return min(c, 2), k[2*c+1]
		default:
			return 3, -1
		}
	}
	return 0, -1
}

// relate sets rel, by out-edge of v, to the numbers of the weights of their relations, and of their places visited or
// not where Config.Visited is set.
func (m *Model) relate(rel []int32, k *known, v int, s *state) []int32 {
	places := k.places
	arm, next := mirror(places)
	sig := 2 * arm
	if s.start >= 0 && s.start == places[0] && m.layer[v] > 1 {
		sig++
	}
	first := int32(len(m.views)*buckets + (sig*(lastLayer+1)+int(min(m.layer[v], lastLayer)))*int(relations))
	seen := int32(len(m.views)*buckets + signatures*int(relations))
	rel = rel[:0]
	for _, w := range m.g.From(v) {
		x := m.place[w]
		rel = append(rel, first+m.relation(x, w, next, places, s))
		if m.cfg.Visited {
			rel = append(rel, seen+2*x+int32(s.seen>>uint(x)&1))
		}
	}
	return rel
}

// relation returns how place x of vertex w relates to the walk.
func (m *Model) relation(x int32, w int, next int32, places []int32, s *state) relation {
	switch {
	case m.over[w]:
		return ends
	case x == next:
		return mirrored
	case len(places) > 1 && x == places[1] && x != places[0]:
		return back
	case s.start >= 0 && x == s.start:
		return home
	}
	for i, y := range places {
		if i != 1 && y == x {
			return again
		}
	}
	return fresh
}

// numWeights returns the number of weights.
func (m *Model) numWeights() int {
	n := len(m.views)*buckets + signatures*int(relations)
	if m.cfg.Visited {
		n += 2 * m.n
	}
	return n
}

// perEdge returns the number of relation weights of an edge.
func (m *Model) perEdge() int {
	if m.cfg.Visited {
		return 2
	}
	return 1
}
