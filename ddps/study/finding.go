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

	Good, Of int    // it holds for so many
	Unit     string // "maxima", "rewards"; "": it is not counted

	Series Series // that it is of; the zero value for none
}

// FindingPart is what was found for the rewards of one greatest value.
type FindingPart struct {
	RMax int
	Text string
	Good bool   // by the rule
	Why  string // not, in a word or two; "": the text says it
}

// Counted is the verdict, and of how many it holds where not of all: "in part, 2 of 4 maxima".
func (f Finding) Counted() string {
	if f.Verdict != InPart || f.Unit == "" {
		return f.Verdict
	}
	return fmt.Sprintf("%s, %d of %d %s", f.Verdict, f.Good, f.Of, f.Unit)
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
	if f.Unit == "" {
		f.Good, f.Of, f.Unit = good, len(f.Parts), "maxima"
	}
	switch {
	case f.Of == 0:
		f.Verdict, f.Why = NotShown, "there are no rows of it"
	case f.Good == f.Of:
		f.Verdict, f.Why = Reproduced, ""
	case f.Good == 0:
		f.Verdict = Differs
	default:
		f.Verdict = InPart
	}
}

// nearMax is the share of the maximum that a mean reward must have to count as at it.
const nearMax = .95

// rises: the reward plateaus at its maximum.
func rises(rows []GuidanceRow, s Series) Finding {
	f := Finding{Figure: "figure 4", Graph: s.where(), Series: s, Claim: "the reward rises to its maximum",
		Paper: "the mean reward rises with λ, an S on the logarithmic axis, and ends at the greatest reward",
		Rule: "at the greatest λ the samples of every reward have a mean of at least 95% of the maximum; in brackets " +
			"of how many rewards that holds"}
	for _, c := range Curves(rows, s, QuantityReward, false) {
		end := len(c.X) - 1
		f.rewards(rows, s, c, c.X[end], fmt.Sprintf("%.3g → %.3g", c.Y[0], c.Y[end]))
	}
	f.judge("from the least λ to the greatest: ")
	return f
}

// rewards adds the part of a greatest reward, judged at a λ reward by reward.
func (f *Finding) rewards(rows []GuidanceRow, s Series, c Curve, lambda float64, text string) {
	good, all := 0, 0
	for _, r := range latest(rows, s) {
		if r.RMax != c.RMax || r.Distribution != s.Distribution || r.Lambda != lambda {
			continue
		}
		all++
		if r.Reward >= nearMax*float64(r.RMax) {
			good++
			continue
		}
		if f.Why += "; "; f.Why == "; " {
			f.Why = "mean rewards below that: "
		}
		f.Why += fmt.Sprintf("maximum %d, reward %d: %.3g", r.RMax, r.Instance, r.Reward)
	}
	f.Parts = append(f.Parts, FindingPart{RMax: c.RMax, Text: fmt.Sprintf("%s (%d of %d)", text, good, all),
		Good: good == all && all > 0})
	f.Good, f.Of, f.Unit = f.Good+good, f.Of+all, "rewards"
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

// rewarded: the sweet spot has nearly the greatest reward.
func rewarded(rows []GuidanceRow, s Series) Finding {
	at := SharedSweetSpot(Curves(rows, s, "IS-L-L1", false))
	f := Finding{Figure: "figures 4 and 6", Graph: s.where(), Series: s, Claim: "near-optimal reward at the sweet spot",
		Paper: "at the sweet spot the reward is nearly optimal", Rule: "where IS-L-L1 is least, by the mean of its " +
			"curves, the samples of every reward have a mean of at least 95% of the maximum; in brackets of how many " +
			"rewards that holds"}
	for _, c := range Curves(rows, s, QuantityReward, false) {
		f.rewards(rows, s, c, at, fmt.Sprintf("λ = %g: %.3g", at, c.At(at)))
	}
	f.judge("")
	if math.IsNaN(at) {
		f.Verdict, f.Unit = NotShown, ""
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
	if all, same := Degenerate(rewards); len(all)+len(same) > 0 {
		f.Found += fmt.Sprintf("; of %d rewards %d are attained by every path, %d by the same paths as another", len(rewards),
			len(all), len(same))
	}
	if math.Abs(half-.5) <= .1 && least.Share < 1e-7 {
		f.Verdict = Reproduced
	} else {
		f.Why = "not all graphs' rewards are in this directory"
	}
	return []Finding{f}
}
