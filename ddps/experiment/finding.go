package experiment

import (
	"fmt"
	"math"
	"strings"
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
	Graph   string
	Paper   string // what it states
	Found   string
	Verdict string
	Why     string // where it differs or cannot be compared
}

// Findings judges the rows of a study by what the paper states of its figures 4 to 6. The verdicts follow from numbers by
// rules that their text tells, and from nothing else.
func Findings(rows []StudyRow) (list []Finding) {
	for _, s := range Series(rows) {
		if s.Law != Algorithm2 {
			continue // the paper's guide
		}
		list = append(list, rises(rows, s), valid(rows, s))
		for _, name := range DistanceNames() {
			if f, ok := falls(rows, s, name); ok {
				list = append(list, f)
			}
		}
		list = append(list, rewarded(rows, s))
	}
	for _, g := range StudyGraphs() {
		if f, ok := rare(rows, g); ok {
			list = append(list, f)
		}
	}
	return list
}

func (s StudySeries) where() string { return s.Graph + ", " + s.Model }

// rises: the reward plateaus at its maximum.
func rises(rows []StudyRow, s StudySeries) Finding {
	f := Finding{Figure: "figure 4", Graph: s.where(), Verdict: Reproduced,
		Paper: "the mean reward rises with λ, an S on the logarithmic axis, and ends at the greatest reward"}
	var parts []string
	short := 0
	for _, c := range StudyCurves(rows, s, QuantityReward, false) {
		last := c.Y[len(c.Y)-1]
		parts = append(parts, fmt.Sprintf("%.3g → %.3g of %d", c.Y[0], last, c.RMax))
		if last < .95*float64(c.RMax) {
			short++
		}
	}
	f.Found = fmt.Sprintf("from the least λ to the greatest: %s (reproduced: at least 95 %% of each maximum)", strings.Join(parts, ", "))
	if short == len(parts) {
		f.Verdict = Differs
	} else if short > 0 {
		f.Verdict = InPart
	}
	return f
}

// valid: every sample is a path.
func valid(rows []StudyRow, s StudySeries) Finding {
	f := Finding{Figure: "§5.1", Graph: s.where(), Paper: "every sample is a path, whatever λ", Verdict: Reproduced}
	n, least := 0, 1.0
	for _, r := range rows {
		if r.Graph == s.Graph && r.Model == s.Model {
			n += r.Samples
			least = min(least, r.Valid)
		}
	}
	f.Found = fmt.Sprintf("%.4g %% of %d samples", 100*least, n)
	if least < 1 {
		f.Verdict = Differs
	}
	return f
}

// falls: a distance falls with λ, has a least value near λ = 100, and rises.
func falls(rows []StudyRow, s StudySeries, name string) (f Finding, ok bool) {
	f = Finding{Figure: "figure 6", Graph: s.where(), Paper: name + " falls with λ up to about 100, then rises and levels off"}
	if strings.HasPrefix(name, "IS-L-SF") {
		f.Paper = name + " is the exception: no sweet spot there"
	} else if !strings.HasPrefix(name, "IS-L") && name != "FLGD" {
		f.Figure = "figure 5"
	}
	var parts []string
	inside, n := 0, 0
	for _, c := range StudyCurves(rows, s, name, false) {
		x := c.SweetSpot()
		if math.IsNaN(x) {
			continue
		}
		n++
		y, first, last := c.At(x), c.Y[0], c.Y[len(c.Y)-1]
		parts = append(parts, fmt.Sprintf("%g (%.2g; %.2g at the least λ, %.2g at the greatest) for maximum %d", x, y, first, last, c.RMax))
		if x >= 10 && x <= 1000 && first > 1.1*y && last > 1.1*y {
			inside++
		}
	}
	if n == 0 {
		return f, false
	}
	f.Found = "least at λ = " + strings.Join(parts, ", ")
	f.Verdict = map[bool]string{true: Reproduced, false: InPart}[inside == n]
	if inside == 0 {
		f.Verdict = Differs
	}
	if strings.HasPrefix(name, "IS-L-SF") { // the exception: reproduced where it is one
		f.Verdict = map[bool]string{true: Reproduced, false: InPart}[inside < n]
	}
	f.Why = whys[name]
	if f.Verdict == Reproduced {
		f.Why = ""
	}
	return f, true
}

// few tells why a curve need not rise again.
const few = "where few paths earn the maximum, great λ collapses on nearly all of them, and nothing rises again"

// whys explain distances that may behave otherwise than the paper's.
var whys = map[string]string{
	"TV":  "the greatest single difference is that of one path: a target of hundreds of paths gives each so little that samples which miss it altogether are near, and those that collapse on a few of its paths are not; " + few,
	"SFD": "ranks of paths that are equally likely are settled by their numbers, and most paths of a small sample tie; " + few,
	"KL":  few, "L1": few, "IS-L-L1": few, "IS-L-KL": few, "IS-L-TV": few, "FLGD": few,
	"IS-L-SF": "where it has a sweet spot all the same, ties at its ends are settled by the vertices' numbers",
}

// rewarded: the sweet spot has nearly the greatest reward.
func rewarded(rows []StudyRow, s StudySeries) Finding {
	f := Finding{Figure: "figures 4 and 6", Graph: s.where(), Paper: "at the sweet spot the reward is nearly optimal", Verdict: Reproduced}
	at := SharedSweetSpot(StudyCurves(rows, s, "IS-L-L1", false))
	var parts []string
	for _, c := range StudyCurves(rows, s, QuantityReward, false) {
		y := c.At(at)
		parts = append(parts, fmt.Sprintf("%.3g of %d", y, c.RMax))
		if !(y >= .8*float64(c.RMax)) {
			f.Verdict = InPart
		}
	}
	f.Found = fmt.Sprintf("at λ = %g, where IS-L-L1 is least: %s (reproduced: at least 80 %% of each)", at, strings.Join(parts, ", "))
	if math.IsNaN(at) {
		f.Verdict = NotShown
	}
	return f
}

// rare: the rewards' maxima range from likely to hardly ever met.
func rare(rows []StudyRow, graph string) (f Finding, ok bool) {
	least, most, unmet, met := math.Inf(1), 0.0, 0, 0
	for _, r := range rows {
		if r.Graph != graph {
			continue
		}
		least, most = min(least, r.P), max(most, r.P)
		if r.Law == Algorithm2 && r.Lambda == 0 {
			if met++; r.Hits == 0 {
				unmet++
			}
		}
	}
	if met == 0 {
		return f, false
	}
	f = Finding{Figure: "§5.2", Graph: graph, Paper: "maxima from nearly half of all paths to odds of less than one in ten million", Verdict: Reproduced,
		Found: fmt.Sprintf("probabilities of the greatest reward from %.2g down to %.2g; for %d of %d rewards no unguided sample earns it, and the exact target alone is there", most, least, unmet, met)}
	if graph == "ridge" && least > 1e-7 || graph != "ridge" && least > .1 {
		f.Verdict = InPart
	}
	return f, true
}
