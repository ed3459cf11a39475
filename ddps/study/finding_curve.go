package study

import (
	"fmt"
	"math"
	"strings"
)

// Reasons why a distance does not fall and rise as the paper's, as FindingPart.Why.
const (
	NoFall  = "no fall" // at the least λ less than a tenth above its least value
	NoRise  = "no rise" // the same at the greatest λ
	AtOther = "other λ" // it falls and rises, and is least at a λ outside 10 to 1,000
	HasSpot = "has one" // where there should be no sweet spot
	flat    = NoFall + ", " + NoRise
)

// whyNot says why a curve that is least at x has no sweet spot; "" where it has one.
func (c Curve) whyNot(x float64) string {
	y := c.At(x)
	rise := func(end float64) bool { return end > y && end-y > .1*math.Abs(y) }
	first, last := rise(c.Y[0]), rise(c.Y[len(c.Y)-1])
	switch {
	case !first && !last:
		return flat
	case !first:
		return NoFall
	case !last:
		return NoRise
	case x < 10 || x > 1000:
		return AtOther
	}
	return ""
}

// falls: a distance falls with λ, has a least value near λ = 100, and rises.
func falls(rows []GuidanceRow, s Series, name string) (f Finding, ok bool) {
	f = Finding{Figure: "figure 6", Graph: s.where(), Series: s, Claim: name + " falls, then rises", Why: whys[name],
		Paper: name + " falls with λ up to about 100, then rises and levels off",
		Rule: "for every maximum the mean is least at a λ of 10 to 1,000, and a tenth above that at the least λ and at the " +
			"greatest"}
	exception := name == "IS-L-SF"
	if exception {
		f.Claim, f.Paper = name+" has no sweet spot", name+" is the exception: no sweet spot there"
		f.Rule = "for no maximum so"
	} else if !strings.HasPrefix(name, "IS-L") && name != "FLGD" {
		f.Figure = "figure 5"
	}
	for _, c := range Curves(rows, s, name, false) {
		x := c.SweetSpot()
		if math.IsNaN(x) {
			continue
		}
		p := FindingPart{RMax: c.RMax, Why: c.whyNot(x),
			Text: fmt.Sprintf("λ = %g: %.2g → %.2g → %.2g", x, c.Y[0], c.At(x), c.Y[len(c.Y)-1])}
		if exception {
			p.Why = map[bool]string{true: HasSpot}[p.Why == ""]
		}
		p.Good = p.Why == ""
		f.Parts = append(f.Parts, p)
	}
	if len(f.Parts) == 0 {
		return f, false
	}
	f.judge("the λ of the least value, and values at the least λ, there and at the greatest: ")
	return f, true
}

// whys explain distances that may behave otherwise than the paper's whatever the samples do.
var whys = map[string]string{
	"TV": "the greatest single difference is that of one path: a target of dozens of paths or more gives each so little " +
		"that samples which miss it altogether are near, and those that collapse on a few of its paths are not",
	"SFD": "ranks of paths that are equally likely are settled by their numbers, and most paths of a small sample tie",
}
