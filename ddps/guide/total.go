package guide

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Band is a range of path rewards: Min ≤ R ≤ Max, either of which may be infinite.
//
// With Step 0 rewards are added up exactly, as the decimals that they are written in (numbers of more than 15 digits
// within what float64 makes of their sums), as long as few sums need to be told apart. Where they are too many, rewards
// are rounded to multiples of a step, the finest that is affordable, and the band is narrowed by the most that rounding
// can change the reward of a path: every path drawn lies in the band as it was given, and paths near an end of it may
// be left out. Product.Notes then has the step and the width left out. A Step above 0 asks for that rounding.
//
// Wide has rounding widen the band instead: no path of it is left out, and some near an end are in it.
type Band struct {
	Min, Max, Step float64
	Wide           bool
	Open           bool // Min and Max themselves are outside
}

// closed returns the band that has the float64 next to each finite end of an open one as its own.
func (b Band) closed() Band {
	if b.Open && !math.IsInf(b.Min, 0) {
		b.Min = math.Nextafter(b.Min, math.Inf(1))
	}
	if b.Open && !math.IsInf(b.Max, 0) {
		b.Max = math.Nextafter(b.Max, math.Inf(-1))
	}
	b.Open = false
	return b
}

// Edges of the product up to which totals are exact, and to which those of rounded ones are held.
const (
	exactEdges = 1 << 21
	roundEdges = 1 << 22
)

// name is what the band is called in messages.
func (b Band) name() string {
	switch {
	case b.Min == b.Max:
		return fmt.Sprintf("reward = %v", b.Min)
	case math.IsInf(b.Max, 1):
		return fmt.Sprintf("reward >= %v", b.Min)
	case math.IsInf(b.Min, -1):
		return fmt.Sprintf("reward <= %v", b.Max)
	}
	return fmt.Sprintf("%v <= reward <= %v", b.Min, b.Max)
}

// Within conditions on the reward of the path under u, by edge, lying in the band. It is an error if no path has
// such a reward, if the band or u is not as said, or if the product with the graph has more than MaxEdges edges.
func Within(g *ddps.LayeredGraph, u []float64, b Band) (Condition, error) {
	return NewDiagrams(g).within(b.name(), u, b)
}

func (d *Diagrams) within(name string, u []float64, b Band) (Condition, error) {
	s, note, err := d.Band(u, b)
	var notes []string
	if note != "" {
		notes = append(notes, name+": "+note)
	}
	return d.condition(name, s, err, notes...)
}

// AtLeast conditions on the reward of the path under u, by edge, being k or more.
func AtLeast(g *ddps.LayeredGraph, u []float64, k float64) (Condition, error) {
	return Within(g, u, Band{Min: k, Max: math.Inf(1)})
}

// Exactly conditions on the reward of the path under u, by edge, being k. It is an error if there are too many sums to
// tell apart: ask for a Band then.
func Exactly(g *ddps.LayeredGraph, u []float64, k float64) (Condition, error) {
	return Within(g, u, Band{Min: k, Max: k})
}

// Budget conditions on the cost of the path, by edge, being c or less.
func Budget(g *ddps.LayeredGraph, cost []float64, c float64) (Condition, error) {
	return NewDiagrams(g).within(fmt.Sprintf("cost <= %v", c), cost, Band{Min: math.Inf(-1), Max: c})
}

// Band returns the paths whose total of u, by edge, lies in the band, and a note where it is not exact: see there.
func (d *Diagrams) Band(u []float64, b Band) (s Set, note string, err error) {
	if err := d.g.CheckReward(u); err != nil {
		return None, "", err
	}
	if !(b.Min <= b.Max) || math.IsInf(b.Min, 1) || math.IsInf(b.Max, -1) || !(b.Step >= 0) || math.IsInf(b.Step, 1) {
		return None, "", fmt.Errorf("%v to %v in steps of %v is no band", b.Min, b.Max, b.Step)
	}
	scratch := d.like() // what fails leaves its nodes there
	if s, note, err = scratch.band(u, b); err != nil {
		return None, "", err
	}
	return d.copy(scratch, s, map[Set]Set{}), note, nil
}

func (d *Diagrams) band(u []float64, b Band) (s Set, note string, err error) {
	if b.Step > 0 {
		return d.rounded(u, b.closed(), d.limit)
	}
	x := newDecimals(d.g, u)
	lo, hi := int64(-2*maxUnits), int64(2*maxUnits)
	switch {
	case math.IsInf(b.Min, -1):
	case b.Open:
		lo = x.round(b.Min, math.Floor) + x.tol + 1
	default:
		lo = x.round(b.Min, math.Ceil) - x.tol
	}
	switch {
	case math.IsInf(b.Max, 1):
	case b.Open:
		hi = x.round(b.Max, math.Ceil) - x.tol - 1
	default:
		hi = x.round(b.Max, math.Floor) + x.tol
	}
	if s, err := d.sums(x.n, lo, hi, min(exactEdges, d.limit/8)); !errors.Is(err, ErrTooLarge) {
		return s, x.note(), err
	}
	return d.coarser(u, b)
}

// coarser rounds to the finest step that is affordable: a 65,536th of the range of rewards, or what about fits, halved
// until it does.
func (d *Diagrams) coarser(u []float64, b Band) (s Set, note string, err error) {
	b = b.closed()
	minus := make([]float64, len(u))
	for e, r := range u {
		minus[e] = -r
	}
	width, limit := d.g.Best(u)+d.g.Best(minus), min(roundEdges, d.limit/4)
	for levels := min(1<<16, max(1<<9, 4*limit/d.g.NumEdges())); levels >= 1<<8; levels /= 2 {
		b.Step = width / float64(levels)
		if s, note, err = d.rounded(u, b, limit); !errors.Is(err, ErrTooLarge) {
			break
		}
	}
	return s, note, err
}

// rounded returns the paths that lie in the band for certain where rewards are rounded to multiples of its step.
func (d *Diagrams) rounded(u []float64, b Band, limit int) (s Set, note string, err error) {
	n, over, under := make([]int64, len(u)), make([]float64, len(u)), make([]float64, len(u))
	for e, r := range u {
		x := math.RoundToEven(r / b.Step)
		if !(math.Abs(x)*float64(d.g.NumLayers()) < 1<<53) {
			return None, "", fmt.Errorf("a reward of %v is too many steps of %v", r, b.Step)
		}
		n[e], over[e] = int64(x), r-x*b.Step
		if math.Abs(over[e]) <= 1e-9*math.Abs(r) { // a multiple, but for float64
			over[e] = 0
		}
		under[e] = -over[e]
	}
	above, below := d.g.Best(over), d.g.Best(under) // R − step·Σn lies in [−below, above]
	width := above + below
	if b.Wide {
		above, below = -below, -above
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	if !math.IsInf(b.Min, -1) {
		lo = math.Ceil((b.Min+below)/b.Step - 1e-9)
	}
	if !math.IsInf(b.Max, 1) {
		hi = math.Floor((b.Max-above)/b.Step + 1e-9)
	}
	if width > 0 {
		if b.Min == b.Max && !b.Wide {
			return None, "", errors.New("too many sums of rewards to tell apart: ask for a band instead")
		}
		note = fmt.Sprintf("too many sums to tell apart: counted in steps of %.3g; no path outside is drawn, and those "+
			"within %.3g of the limit may be left out",
			b.Step, width)
	}
	s, err = d.sums(n, clampUnits(lo), clampUnits(hi), limit)
	return s, note, err
}

// clampUnits makes x a whole number within ±2·maxUnits.
func clampUnits(x float64) int64 { return int64(max(-2*maxUnits, min(2*maxUnits, x))) }

// span is the set that all sums from lo to hi at a vertex lead to.
type span struct {
	lo, hi int64
	s      Set
}

// sums returns the paths whose sum of n, by edge, is lo to hi. Sums at a vertex that the same ways on bring into the
// range are one state, found as an interval once for all of them (Behle 2007, of threshold functions), so that the cost
// goes by the states that are needed and not by the sums that there are.
func (d *Diagrams) sums(n []int64, lo, hi int64, limit int) (Set, error) {
	d.begin()
	worst, best := extremes(d.g, n)
	spans := make([]spanTree, d.g.NumVertices())
	var at func(v int, sum int64) span
	at = func(v int, sum int64) span {
		switch least, most := sum+worst[v], sum+best[v]; {
		case most < lo:
			return span{math.MinInt64 / 2, lo - best[v] - 1, None}
		case least > hi:
			return span{hi - worst[v] + 1, math.MaxInt64 / 2, None}
		case least >= lo && most <= hi:
			return span{lo - worst[v], hi - best[v], Every}
		}
		if x, ok := spans[v].find(sum); ok {
			return x
		}
		out := span{math.MinInt64 / 2, math.MaxInt64 / 2, None}
		if !d.spend(v) || d.met > limit {
			d.met = max(d.met, d.limit+1)
			return out
		}
		first, end := d.g.Edges(v)
		kids := make([]Set, end-first)
		for e := first; e < end; e++ {
			x := at(d.g.Head(e), sum+n[e])
			kids[e-first], out.lo, out.hi = x.s, max(out.lo, x.lo-n[e]), min(out.hi, x.hi-n[e])
		}
		out.s = d.node(v, kids, nil)
		spans[v].add(out)
		return out
	}
	return d.result(at(0, 0).s)
}
