package where

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps/guide"
)

// termError is the error of a term, in its own words.
type termError struct {
	text string
	err  error
}

func (e *termError) Error() string { return e.text }
func (e *termError) Unwrap() error { return e.err }

// together returns the paths that meet each of several nodes. One that needs too many states by itself comes late: its
// paths are looked for among those that meet all others.
func (c *compiler) together(list []Node) (sets []guide.Set, late []bool, err error) {
	sets, late = make([]guide.Set, len(list)), make([]bool, len(list))
	outer, tooLarge := c.within, error(nil)
	defer func() { c.within = outer }()
	for i, n := range list {
		notes := len(c.notes)
		if sets[i], err = c.set(n); errors.Is(err, guide.ErrTooLarge) && len(list) > 1 {
			late[i], tooLarge, c.notes = true, err, c.notes[:notes]
			continue
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if tooLarge == nil {
		return sets, late, nil
	}
	for i := range list {
		if late[i] {
			continue
		}
		if c.within, err = c.d.And(c.within, sets[i]); errors.Is(err, guide.ErrTooLarge) {
			return nil, nil, tooLarge
		} else if err != nil {
			return nil, nil, err
		}
	}
	for i, n := range list {
		if !late[i] {
			continue
		}
		if c.within == guide.None { // the others alone are to blame
			sets[i], late[i] = guide.Every, false
			continue
		}
		if sets[i], err = c.set(n); err == nil {
			c.within, err = c.d.And(c.within, sets[i])
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return sets, late, nil
}

// both returns the paths that meet all of the nodes.
func (c *compiler) both(list []Node) (guide.Set, error) {
	sets, _, err := c.together(list)
	if err != nil {
		return guide.None, err
	}
	all := guide.Every
	for i, n := range list {
		if err := c.weighs(n); err != nil {
			return guide.None, err
		}
		if all, err = c.d.And(all, sets[i]); err != nil {
			return guide.None, &termError{fmt.Sprintf("where: %s: %s", n, reason(err)), err}
		}
	}
	return all, nil
}

// not returns the paths that do not meet a term. Where totals are rounded, the opposite is narrowed too: no path is in
// both.
func (c *compiler) not(n Not) (guide.Set, error) {
	if err := c.weighs(n); err != nil {
		return guide.None, err
	}
	notes := len(c.notes)
	s, err := c.set(n.Node)
	if err != nil {
		return s, err
	}
	if t, ok := n.Node.(Compare); ok && len(c.notes) > notes {
		c.notes = c.notes[:notes]
		t.Op = map[string]string{">=": "<", "<": ">=", "<=": ">", ">": "<="}[t.Op]
		return c.compare(t)
	}
	return c.d.Not(s)
}

// either returns the paths that meet some of the nodes.
func (c *compiler) either(list []Node) (guide.Set, error) {
	all := guide.None
	for _, n := range list {
		s, err := c.set(n)
		if err == nil {
			err = c.weighs(n)
		}
		if err != nil {
			return s, err
		}
		if all, err = c.d.Or(all, s); err != nil {
			return s, &termError{fmt.Sprintf("where: %s: %s", n, reason(err)), err}
		}
	}
	return all, nil
}

// weighs returns an error where a node that is below or and not has weights.
func (c *compiler) weighs(n Node) (err error) {
	each(n, func(n Node) {
		if b, ok := n.(Boltzmann); ok {
			err = &Error{c.text, b.At, "boltzmann weighs paths: it stands alone or beside and, not below or and not"}
		}
	})
	return err
}
