package study

import (
	"fmt"
	"math"
	"strings"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
)

// Verdicts of a Finding.
const (
	Reproduced = "reproduced"
	InPart     = "in part"
	Differs    = "differs"
	NotShown   = "cannot be compared"
)

// Finding sets something that the paper states beside what the results show.
type Finding struct {
	Figure  string // "figure 4"
	Graph   string // and the model
	Claim   string // what it states, in a few words
	Paper   string // and in full
	Rule    string // when it counts as reproduced
	Parts   []FindingPart
	Found   string // in one line
	Verdict string
	Why     string // where it differs or cannot be compared

	Series Series // that it is of; the zero value for none
}

// FindingPart is what was found for the rewards of one greatest value.
type FindingPart struct {
	RMax int
	Text string
	Good bool // by the rule
}

// Findings judges the rows of a study by what the paper states of its figures 4 to 6. The verdicts follow from numbers
// by rules that they tell, and from nothing else.
func Findings(rows []GuidanceRow) (list []Finding) {
	for _, s := range SeriesOf(rows) {
		if s.Distribution != query.Algorithm2 {
			continue // the paper's guide
		}
		list = append(list, rises(rows, s), valid(rows, s))
		for _, name := range compare.DistanceNames() {
			if f, ok := falls(rows, s, name); ok {
				list = append(list, f)
			}
		}
		list = append(list, rewarded(rows, s))
	}
	return list
}

func (s Series) where() string { return s.Graph + ", " + s.Model }

// judge sets the verdict by how many parts are good, and the line that tells them all.
func (f *Finding) judge(before string) {
	good := 0
	var texts []string
	for _, p := range f.Parts {
		texts = append(texts, fmt.Sprintf("%s for maximum %d", p.Text, p.RMax))
		if p.Good {
			good++
		}
	}
	f.Found = before + strings.Join(texts, ", ")
	switch good {
	case len(f.Parts):
		f.Verdict, f.Why = Reproduced, ""
	case 0:
		f.Verdict = Differs
	default:
		f.Verdict = InPart
	}
}

// rises: the reward plateaus at its maximum.
func rises(rows []GuidanceRow, s Series) Finding {
	f := Finding{Figure: "figure 4", Graph: s.where(), Series: s, Claim: "the reward rises to its maximum",
		Paper: "the mean reward rises with λ, an S on the logarithmic axis, and ends at the greatest reward",
		Rule:  "at the greatest λ at least 95% of the maximum",
		Why:   "where few paths attain the maximum, some samples are drawn to the paths that nearly do, whatever λ"}
	for _, c := range Curves(rows, s, QuantityReward, false) {
		last := c.Y[len(c.Y)-1]
		f.Parts = append(f.Parts, FindingPart{c.RMax, fmt.Sprintf("%.3g → %.3g", c.Y[0], last), last >= .95*float64(c.RMax)})
	}
	f.judge("from the least λ to the greatest: ")
	return f
}

// valid: every sample is a path.
func valid(rows []GuidanceRow, s Series) Finding {
	f := Finding{Figure: "§5.1", Graph: s.where(), Series: s, Claim: "every sample is a path",
		Paper: "every sample is a path, whatever λ",
		Rule:  "all of them", Verdict: Reproduced}
	n, least := 0, 1.0
	for _, r := range rows {
		if r.Graph == s.Graph && r.Model == s.Model {
			n += r.Samples
			least = min(least, r.Valid)
		}
	}
	f.Found = fmt.Sprintf("%.4g%% of %d samples", 100*least, n)
	if least < 1 {
		f.Verdict = Differs
	}
	return f
}

// falls: a distance falls with λ, has a least value near λ = 100, and rises.
func falls(rows []GuidanceRow, s Series, name string) (f Finding, ok bool) {
	f = Finding{Figure: "figure 6", Graph: s.where(), Series: s, Claim: name + " falls, then rises", Why: whys[name],
		Paper: name + " falls with λ up to about 100, then rises and levels off",
		Rule:  "least at a λ of 10 to 1,000, a tenth above that at the least λ and at the greatest"}
	exception := name == "IS-L-SF"
	if exception {
		f.Claim, f.Paper = name+" has no sweet spot", name+" is the exception: no sweet spot there"
		f.Rule = "not for every maximum least at a λ of 10 to 1,000 and a tenth above that at both ends"
	} else if !strings.HasPrefix(name, "IS-L") && name != "FLGD" {
		f.Figure = "figure 5"
	}
	spots := 0
	for _, c := range Curves(rows, s, name, false) {
		x := c.SweetSpot()
		if math.IsNaN(x) {
			continue
		}
		y, first, last := c.At(x), c.Y[0], c.Y[len(c.Y)-1]
		spot := x >= 10 && x <= 1000 && min(first, last)-y > .1*math.Abs(y) && min(first, last) > y
		if spot {
			spots++
		}
		f.Parts = append(f.Parts, FindingPart{c.RMax, fmt.Sprintf("λ = %g: %.2g → %.2g → %.2g", x, first, y, last),
			spot != exception})
	}
	if len(f.Parts) == 0 {
		return f, false
	}
	f.judge("the λ of the least value, and values at the least λ, there and at the greatest: ")
	if exception { // reproduced where it is one
		if f.Verdict = InPart; spots < len(f.Parts) {
			f.Verdict, f.Why = Reproduced, ""
		}
	}
	return f, true
}

// few says why a curve need not rise again.
const few = "where few paths attain the maximum, great λ collapses on nearly all of them, and nothing rises again"

// whys explain distances that may behave otherwise than the paper's.
var whys = map[string]string{
	"TV": "the greatest single difference is that of one path: a target of hundreds of paths gives each so little " +
		"that samples which miss it altogether are near, and those that collapse on a few of its paths are not; and " + few,
	"SFD": "ranks of paths that are equally likely are settled by their numbers, and most paths of a small sample tie; " +
		"and " + few,
	"KL": few, "L1": few, "IS-L-L1": few, "IS-L-KL": few, "IS-L-TV": few, "FLGD": few,
	"IS-L-SF": "it has a sweet spot all the same; ties at its ends are settled by the vertices' numbers",
}

// rewarded: the sweet spot has nearly the greatest reward.
func rewarded(rows []GuidanceRow, s Series) Finding {
	at := SharedSweetSpot(Curves(rows, s, "IS-L-L1", false))
	f := Finding{Figure: "figures 4 and 6", Graph: s.where(), Series: s, Claim: "near-optimal reward at the sweet spot",
		Paper: "at the sweet spot the reward is nearly optimal", Rule: "where IS-L-L1 is least, by the mean of its " +
			"curves, at least 80% of the maximum",
		Why: "the sweet spots of rare maxima lie at a greater λ than the shared one"}
	for _, c := range Curves(rows, s, QuantityReward, false) {
		y := c.At(at)
		f.Parts = append(f.Parts, FindingPart{c.RMax, fmt.Sprintf("λ = %g: %.3g", at, y), y >= .8*float64(c.RMax)})
	}
	f.judge("")
	if math.IsNaN(at) {
		f.Verdict = NotShown
	}
	return f
}

// RewardFindings judges how rare the rewards' maxima are; without rows it says nothing.
func RewardFindings(rewards []RewardRow) []Finding {
	if len(rewards) == 0 {
		return nil
	}
	f := Finding{Figure: "§5.2", Graph: "all", Claim: "maxima from likely to hardly ever met",
		Paper: "from nearly half of all paths that attain the maximum to odds of less than one in ten million, of a path " +
			"chosen at random",
		Rule: "a reward with odds of .4 to .6, and one with odds below one in ten million", Verdict: InPart}
	half, least := math.NaN(), rewards[0]
	for _, r := range rewards {
		if math.IsNaN(half) || math.Abs(r.Share-.5) < math.Abs(half-.5) {
			half = r.Share
		}
		if r.Share < least.Share {
			least = r
		}
	}
	f.Found = fmt.Sprintf("nearest to one half %.3g; least %.2g, on %s: %.0f of its paths", half, least.Share, least.Graph,
		least.Paths)
	if math.Abs(half-.5) <= .1 && least.Share < 1e-7 {
		f.Verdict = Reproduced
	} else {
		f.Why = "not all graphs' rewards are in this directory"
	}
	return []Finding{f}
}
