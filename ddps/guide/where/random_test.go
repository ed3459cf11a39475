package where

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// author writes random conditions, each with what it means, told of a path alone: no automaton, no diagram.
type author struct {
	g      *ddps.LayeredGraph
	rng    *rand.Rand
	names  []string // no padding among them
	totals map[string][]float64
	from   int // seconds of layer 1, every 300 s; −1: no times
	dna    bool
	list   []string // names of the file "names.txt"
}

// meaning is whether a path meets a condition.
type meaning func(p ddps.Path) bool

func (a *author) pick(words ...string) string { return words[a.rng.IntN(len(words))] }

// condition writes a condition at most so deep.
func (a *author) condition(depth int) (string, meaning) {
	if depth == 0 || a.rng.IntN(4) == 0 {
		return a.term()
	}
	s, f := a.condition(depth - 1)
	if a.rng.IntN(4) == 0 {
		return "not (" + s + ")", func(p ddps.Path) bool { return !f(p) }
	}
	t, h := a.condition(depth - 1)
	if a.rng.IntN(2) == 0 {
		return "(" + s + ") and (" + t + ")", func(p ddps.Path) bool { return f(p) && h(p) }
	}
	return "(" + s + ") or (" + t + ")", func(p ddps.Path) bool { return f(p) || h(p) }
}

// set writes one or several places.
func (a *author) set() (string, func(v int) bool) {
	switch a.rng.IntN(8) {
	case 0:
		return `file("names.txt")`, func(v int) bool { return slices.Contains(a.list, a.g.Name(v)) }
	case 1:
		v := a.rng.IntN(a.g.NumVertices())
		return fmt.Sprintf("vertex %d", a.g.ID(v)), func(w int) bool { return w == v }
	case 2, 3:
		x, y := a.pick(a.names...), a.pick(a.names...)
		return fmt.Sprintf("{%q, %q}", x, y), func(v int) bool { return a.g.Name(v) == x || a.g.Name(v) == y }
	}
	x := a.pick(a.names...)
	return fmt.Sprintf("%q", x), func(v int) bool { return a.g.Name(v) == x }
}

// within writes a window, layers from 0.
func (a *author) within() (string, func(l int) bool) {
	L := a.g.NumLayers()
	lo := a.rng.IntN(L)
	hi := lo + a.rng.IntN(L-lo)
	in := func(l int) bool { return l >= lo && l <= hi }
	switch k := a.rng.IntN(4); {
	case k == 0 && a.from >= 0:
		return fmt.Sprintf(", %s..%s", ddps.ClockText(a.from+300*lo-a.rng.IntN(300)),
			ddps.ClockText(a.from+300*hi+a.rng.IntN(300))), in
	case k == 1:
		return fmt.Sprintf(", layer %d..%d", lo+1, hi+1), in
	}
	return "", func(int) bool { return true }
}

// stop writes a visit or an edge, and says at which steps of a path it is met.
func (a *author) stop() (string, func(p ddps.Path, l int) bool) {
	w, in := a.within()
	if a.rng.IntN(4) == 0 {
		e := a.rng.IntN(a.g.NumEdges())
		x, y := a.g.Name(a.g.Tail(e)), a.g.Name(a.g.Head(e))
		return fmt.Sprintf("edge(%q, %q%s)", x, y, w), func(p ddps.Path, l int) bool {
			return l > 0 && in(l-1) && a.g.Name(p[l-1]) == x && a.g.Name(p[l]) == y
		}
	}
	s, is := a.set()
	return "visit(" + s + w + ")", func(p ddps.Path, l int) bool { return in(l) && is(p[l]) }
}

// op writes a comparison with n.
func (a *author) op(n float64) (string, func(x float64) bool) {
	switch op := a.pick(">=", "<=", "=", ">", "<"); op {
	case ">=":
		return fmt.Sprintf(" >= %v", n), func(x float64) bool { return x >= n }
	case "<=":
		return fmt.Sprintf(" <= %v", n), func(x float64) bool { return x <= n }
	case ">":
		return fmt.Sprintf(" > %v", n), func(x float64) bool { return x > n }
	case "<":
		return fmt.Sprintf(" < %v", n), func(x float64) bool { return x < n }
	}
	return fmt.Sprintf(" = %v", n), func(x float64) bool { return x == n }
}

// real are the vertices of a path that are places.
func (a *author) real(p ddps.Path) (out []int) {
	for l, v := range p {
		if n := a.g.Name(v); !(l == 0 && n == "source" || l > 0 && n == "END") {
			out = append(out, v)
		}
	}
	return out
}

func (a *author) term() (string, meaning) {
	any := func(p ddps.Path, f func(l int) bool) bool {
		for l := range p {
			if f(l) {
				return true
			}
		}
		return false
	}
	switch a.rng.IntN(13) {
	case 0:
		s, f := a.stop()
		return s, func(p ddps.Path) bool { return any(p, func(l int) bool { return f(p, l) }) }
	case 1:
		s, f := a.stop()
		inside, visit := strings.CutPrefix(s, "visit(")
		if !visit {
			inside = s + ")"
		}
		return "avoid(" + inside, func(p ddps.Path) bool { return !any(p, func(l int) bool { return f(p, l) }) }
	case 2:
		s, f := a.stop()
		t, h := a.stop()
		return s + " then " + t, func(p ddps.Path) bool {
			return any(p, func(i int) bool { return f(p, i) && any(p, func(j int) bool { return j > i && h(p, j) }) })
		}
	case 3:
		s, f := a.stop()
		t, h := a.stop()
		k := a.rng.IntN(4)
		return fmt.Sprintf("%s within %d of %s", s, k, t), func(p ddps.Path) bool {
			return any(p, func(i int) bool {
				return f(p, i) && any(p, func(j int) bool { return max(i-j, j-i) <= k && h(p, j) })
			})
		}
	case 4:
		s, f := a.stop()
		inside, visit := strings.CutPrefix(s, "visit(")
		if !visit {
			inside = s + ")"
		}
		op, is := a.op(float64(a.rng.IntN(4)))
		return "visits(" + inside + op, func(p ddps.Path) bool {
			n := 0.0
			for l := range p {
				if f(p, l) {
					n++
				}
			}
			return is(n)
		}
	case 5:
		s, f := a.set()
		t, h := a.set()
		return fmt.Sprintf("before(%s, %s)", s, t), func(p ddps.Path) bool {
			i, j := slices.IndexFunc(p, f), slices.IndexFunc(p, h)
			return i >= 0 && j > i
		}
	case 6:
		return a.stay()
	case 7:
		s, f := a.set()
		if a.rng.IntN(2) == 0 {
			return "start in " + s, func(p ddps.Path) bool {
				if a.g.Name(p[0]) == "source" {
					return f(p[1])
				}
				return f(p[0])
			}
		}
		return "end(" + s + ")", func(p ddps.Path) bool { r := a.real(p); return len(r) > 0 && f(r[len(r)-1]) }
	case 8:
		if a.rng.IntN(3) == 0 {
			return "returns", func(p ddps.Path) bool {
				r, of := a.real(p), a.g.Meta().Place
				if len(r) == 0 || of == nil {
					return len(r) > 0 && a.g.Name(r[0]) == a.g.Name(r[len(r)-1])
				}
				return of[r[0]] == of[r[len(r)-1]]
			}
		}
		lo := a.rng.IntN(a.g.NumLayers() + 1)
		hi := lo + a.rng.IntN(3)
		return fmt.Sprintf("length %d..%d", lo, hi), func(p ddps.Path) bool { n := len(a.real(p)); return n >= lo && n <= hi }
	case 9, 10:
		name := a.pick("reward", "cost")
		u := a.totals[name]
		paths := a.g.NumLayers()
		op, is := a.op(math.Round(100*float64(paths)*(a.rng.Float64()-0.3)*2) / 100)
		return name + op, func(p ddps.Path) bool { return is(math.Round(a.g.Total(u, p)*1e6) / 1e6) }
	case 11:
		return a.regex()
	}
	if a.dna {
		return a.motif()
	}
	u := a.totals["cost"]
	best := a.g.Best(u)
	return "max(cost)", func(p ddps.Path) bool { return math.Abs(a.g.Total(u, p)-best) < 1e-9 }
}

// stay writes a longest run.
func (a *author) stay() (string, meaning) {
	s, f := a.set()
	longest := func(p ddps.Path) float64 {
		run, most := 0.0, 0.0
		for _, v := range p {
			if run++; !f(v) {
				run = 0
			}
			most = max(most, run)
		}
		return most
	}
	if a.from < 0 || a.rng.IntN(2) == 0 {
		op, is := a.op(float64(a.rng.IntN(4)))
		return "stay(" + s + ")" + op, func(p ddps.Path) bool { return is(longest(p)) }
	}
	seconds := 60 * a.rng.IntN(15)
	op := a.pick(">=", "<=", ">", "<")
	return fmt.Sprintf("stay(%s) %s %s", s, op, ddps.ClockText(seconds)), func(p ddps.Path) bool {
		lasts, n := 300*(longest(p)-1), float64(seconds) // no run at all lasts −1 slot
		switch op {
		case ">=":
			return lasts >= n
		case "<=":
			return lasts <= n
		case ">":
			return lasts > n
		}
		return lasts < n
	}
}

// pattern writes a regular expression in this language, and as Go's over one rune a name.
func (a *author) pattern(depth int, atom func() (own, other string)) (own, other string) {
	if depth == 0 || a.rng.IntN(3) == 0 {
		return atom()
	}
	x, y := a.pattern(depth-1, atom)
	switch a.rng.IntN(5) {
	case 0:
		s, t := a.pattern(depth-1, atom)
		return "(" + x + "|" + s + ")", "(?:" + y + "|" + t + ")"
	case 1:
		r := a.pick("*", "+", "?", "{1,2}", "{2}", "{1,}", "{0,3}")
		return "(" + x + ")" + r, "(?:" + y + ")" + r
	}
	s, t := a.pattern(depth-1, atom)
	return x + " " + s, y + t
}

// rune_ is the rune that stands for a name in Go's expressions.
func (a *author) rune_(name string) rune { return rune('一' + slices.Index(a.names, name)) }

func (a *author) regex() (string, meaning) {
	own, other := a.pattern(3, func() (string, string) {
		n := a.pick(a.names...)
		switch a.rng.IntN(4) {
		case 0:
			return ".", "."
		case 1:
			m := a.pick(a.names...)
			return fmt.Sprintf("[^%q %q]", n, m), fmt.Sprintf("[^%c%c]", a.rune_(n), a.rune_(m))
		case 2:
			return ".*", ".*"
		}
		return fmt.Sprintf("%q", n), string(a.rune_(n))
	})
	re := regexp.MustCompile("^(?:" + other + ")$")
	return "regex('" + own + "')", func(p ddps.Path) bool {
		s := ""
		for _, v := range a.real(p) {
			s += string(a.rune_(a.g.Name(v)))
		}
		return re.MatchString(s)
	}
}

func (a *author) motif() (string, meaning) {
	own, other := a.pattern(2, func() (string, string) {
		switch r := a.pick("A", "C", "G", "T", "R", "."); r {
		case "R":
			return "R", "[AG]"
		default:
			return r, r
		}
	})
	own = strings.ReplaceAll(own, " ", "")
	re, at := regexp.MustCompile(other), 0
	text := fmt.Sprintf("motif(%q)", own)
	if a.rng.IntN(2) == 0 {
		at = 1 + a.rng.IntN(2)
		re = regexp.MustCompile(fmt.Sprintf("^.{%d}(?:%s)", at-1, other))
		text = fmt.Sprintf("motif(%q, %d)", own, at)
	}
	return text, func(p ddps.Path) bool {
		s := ""
		for _, v := range a.real(p) {
			s += a.g.Name(v)
		}
		return re.MatchString(s)
	}
}
