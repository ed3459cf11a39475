package where

// Split returns each of the terms that and joins at the top, as a condition of its own; not is brought inside as far as
// it goes.
func (x *Expr) Split() []*Expr {
	var list []*Expr
	for _, n := range terms(x.Root) {
		list = append(list, &Expr{n, x.text})
	}
	return list
}

// Join returns the condition that all of the conditions are met, which are parts of one.
func Join(list []*Expr) *Expr {
	var all And
	for _, x := range list {
		all = append(all, x.Root)
	}
	return &Expr{all, list[0].text}
}

// terms returns what and joins at the top of n in positive normal form: not is before terms alone.
func terms(n Node) []Node {
	if all, ok := positive(n, false).(And); ok {
		return all
	}
	return []Node{positive(n, false)}
}

// positive returns n, or not n, in positive normal form, with and in and, and or in or, made one.
func positive(n Node, not bool) Node {
	switch n := n.(type) {
	case Not:
		return positive(n.Node, !not)
	case And:
		list := joined(n, not, not)
		if not {
			return Or(list)
		}
		return And(list)
	case Or:
		list := joined(n, not, !not)
		if not {
			return And(list)
		}
		return Or(list)
	}
	if not {
		return Not{n}
	}
	return n
}

// joined returns the nodes in positive normal form, those of the same kind spelled out: or, or else and.
func joined(list []Node, not, or bool) (out []Node) {
	for _, n := range list {
		n = positive(n, not)
		if all, ok := n.(And); ok && !or {
			out = append(out, all...)
		} else if any, ok := n.(Or); ok && or {
			out = append(out, any...)
		} else {
			out = append(out, n)
		}
	}
	return out
}
