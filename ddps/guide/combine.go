package guide

import "errors"

// errWeighs says that a set has weights where none may have any.
var errWeighs = errors.New("weights have no or and no not")

// And returns the paths of both, with the product of their weights. O(pairs of nodes met). The error says that there
// are too many.
func (d *Diagrams) And(a, b Set) (Set, error) {
	d.begin()
	return d.result(d.apply(a, b, d.both, map[[2]Set]Set{}))
}

// Or returns the paths of either; neither may have weights other than 0 and 1. Cost and error as of And.
func (d *Diagrams) Or(a, b Set) (Set, error) {
	if !d.plain[a] || !d.plain[b] {
		return None, errWeighs
	}
	d.begin()
	return d.result(d.apply(a, b, d.either, map[[2]Set]Set{}))
}

// both decides And where one of the two says all.
func (d *Diagrams) both(a, b Set) (Set, bool) {
	switch {
	case a == None || b == None:
		return None, true
	case a == Every:
		return b, true
	case b == Every || a == b && d.plain[a]:
		return a, true
	}
	return None, false
}

// either decides Or where one of the two says all.
func (d *Diagrams) either(a, b Set) (Set, bool) {
	switch {
	case a == Every || b == Every:
		return Every, true
	case a == None:
		return b, true
	case b == None || a == b:
		return a, true
	}
	return None, false
}

// apply combines nodes at the same vertex, child by child.
func (d *Diagrams) apply(a, b Set, decide func(a, b Set) (Set, bool), memo map[[2]Set]Set) Set {
	if s, ok := decide(a, b); ok {
		return s
	}
	if a > b {
		a, b = b, a
	}
	if s, ok := memo[[2]Set{a, b}]; ok {
		return s
	}
	v := int(d.vertex[a])
	if !d.spend(v) {
		return None
	}
	n := d.g.Degree(v)
	kids, logw := make([]Set, n), []float64(nil)
	for i := range n {
		kids[i] = d.apply(d.kids(a)[i], d.kids(b)[i], decide, memo)
	}
	if !d.plain[a] || !d.plain[b] {
		logw = make([]float64, n)
		for i := range n {
			logw[i] = d.weight(a, i) + d.weight(b, i)
		}
	}
	s := d.node(v, kids, logw)
	memo[[2]Set{a, b}] = s
	return s
}

// Not returns the paths that are not of s, which may have no weights other than 0 and 1. O(nodes). The error says that
// there are too many.
func (d *Diagrams) Not(s Set) (Set, error) {
	if !d.plain[s] {
		return None, errWeighs
	}
	d.begin()
	memo := map[Set]Set{None: Every, Every: None}
	var walk func(s Set) Set
	walk = func(s Set) Set {
		if n, ok := memo[s]; ok {
			return n
		}
		v := int(d.vertex[s])
		if !d.spend(v) {
			return None
		}
		kids := make([]Set, d.g.Degree(v))
		for i := range kids {
			kids[i] = walk(d.kids(s)[i])
		}
		n := d.node(v, kids, nil)
		memo[s] = n
		return n
	}
	return d.result(walk(s))
}

// copy returns s of another store for the same graph as a set of d.
func (d *Diagrams) copy(from *Diagrams, s Set, memo map[Set]Set) Set {
	if s == None || s == Every || from == d {
		return s
	}
	if n, ok := memo[s]; ok {
		return n
	}
	v := int(from.vertex[s])
	kids, logw := make([]Set, from.g.Degree(v)), []float64(nil)
	if !from.plain[s] {
		logw = make([]float64, len(kids))
	}
	for i, k := range from.kids(s) {
		kids[i] = d.copy(from, k, memo)
		if logw != nil {
			logw[i] = from.weight(s, i)
		}
	}
	n := d.node(v, kids, logw)
	memo[s] = n
	return n
}
