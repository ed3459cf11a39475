package table1

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// short says why small baselines' valid rates need not be the paper's.
const (
	shortSmall   = "a smaller network, trained for minutes on two CPUs"
	shortExample = "ten paths of the example graph, a small network, minutes of training: --graph rq1 has the paper's"
)

// Findings judges the valid rates of table 1; a method without rows cannot be compared, and one of the
// example graph only if it is DDPS, whose samples are paths by construction.
func Findings(rows []Row) (list []study.Finding) {
	for _, m := range []struct {
		name, paper string
		least, most float64
	}{{MethodEDPGNN, "0.00% valid", 0, .01}, {MethodSwinGNN, "99.7% valid", .98, 1}, {MethodDDPS, "100% valid", 1, 1}} {
		f := study.Finding{Figure: "table 1", Graph: m.name, Claim: m.paper, Paper: m.paper, Verdict: study.NotShown,
			Found: "nothing",
			Rule:  fmt.Sprintf("%.4g to %.4g%%", 100*m.least, 100*m.most)}
		for _, r := range rows { // the last of its rows
			if r.Method != m.name {
				continue
			}
			f.Found = fmt.Sprintf("%.4g%% of %d samples (95%% interval %.4g%% to %.4g%%), %s, preset %s", 100*r.ValidRate,
				r.Samples, 100*r.ValidLow, 100*r.ValidHigh, r.Graph, r.Preset)
			f.Verdict, f.Why = study.Reproduced, ""
			if r.ValidRate < m.least || r.ValidRate > m.most {
				if f.Verdict = study.Differs; r.Preset != run.PresetPaper {
					f.Why = shortSmall
				}
			}
			if r.Graph == GraphExample && r.Method != MethodDDPS {
				f.Verdict, f.Why = study.NotShown, shortExample
			}
		}
		list = append(list, f)
	}
	return list
}

// ValidityFindings judges the valid rates of figure 3, under guidance; example says that they are of the example graph.
func ValidityFindings(rows []ValidityRow, example bool) (list []study.Finding) {
	for _, m := range []string{ValidDDPS, ValidNoisy, ValidDenoised} {
		f := study.Finding{Figure: "figure 3", Graph: m, Claim: "valid at every λ", Paper: "100% valid whatever λ",
			Rule: "all samples", Verdict: study.NotShown, Found: "nothing"}
		swin := strings.HasPrefix(m, "SwinGNN")
		if swin {
			f.Claim, f.Paper = "valid rate falls to 0", "nearly always valid at small λ, falls to 0 as λ grows"
			f.Rule = "at least 90% at the least λ, under 5% at the greatest"
		}
		if m == ValidDenoised {
			f.Paper += " (the paper guides by the noisy sample)"
		}
		first, last, least := ValidityRow{Lambda: math.Inf(1)}, ValidityRow{Lambda: math.Inf(-1)}, math.Inf(1)
		for _, r := range rows {
			if r.Method != m {
				continue
			}
			if r.Lambda < first.Lambda {
				first = r
			}
			if r.Lambda > last.Lambda {
				last = r
			}
			least = min(least, r.Valid)
		}
		if math.IsInf(least, 0) {
			list = append(list, f)
			continue
		}
		f.Found = fmt.Sprintf("%.3g%% at λ = %g, %.3g%% at λ = %g, %.3g%% at least", 100*first.Valid, first.Lambda,
			100*last.Valid, last.Lambda, 100*least)
		f.Verdict = map[bool]string{true: study.Reproduced, false: study.Differs}[least == 1]
		if swin {
			f.Verdict, f.Why = fallen(first.Valid, last.Valid)
			if example && f.Verdict != study.Reproduced {
				f.Why += "; " + shortExample
			}
		}
		list = append(list, f)
		if m == ValidNoisy { // the paper's
			list = append(list, notMonotone(rows))
		}
	}
	return list
}

// notMonotone judges whether SwinGNN's valid rate rises again somewhere: where its 95% intervals at two λ lie apart.
func notMonotone(rows []ValidityRow) study.Finding {
	f := study.Finding{Figure: "figure 3", Graph: ValidNoisy, Claim: "valid rate does not fall monotonically",
		Paper: "not monotonically in λ", Rule: "the 95% interval at some λ lies above that at a smaller one",
		Verdict: study.NotShown, Found: "nothing"}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r ValidityRow) bool { return r.Method != ValidNoisy })
	slices.SortStableFunc(rows, func(a, b ValidityRow) int { return cmp.Compare(a.Lambda, b.Lambda) })
	most := -1.0
	for j, b := range rows {
		for _, a := range rows[:j] {
			if d := b.Valid - a.Valid; d > most {
				most = d
				f.Found = fmt.Sprintf("the greatest rise: %.4g%% at λ = %g, %.4g%% at λ = %g", 100*a.Valid, a.Lambda, 100*b.Valid,
					b.Lambda)
			}
			if b.Low > a.High {
				f.Verdict = study.Reproduced
			}
		}
	}
	switch {
	case f.Verdict == study.Reproduced || len(rows) < 2:
	case most <= 0:
		f.Verdict, f.Found = study.Differs, "it never rises"
	default:
		f.Why = fmt.Sprintf("its rises are within the 95%% intervals of %d samples", rows[0].Samples)
	}
	return f
}

// fallen judges a valid rate at the least λ and at the greatest.
func fallen(first, last float64) (verdict, why string) {
	switch {
	case first < .9:
		return study.NotShown, "the network has not learned what a path is: it must draw paths unguided before guidance " +
			"can break them"
	case last < .05:
		return study.Reproduced, ""
	case last < .8*first:
		return study.InPart, "it falls, and levels off above 0"
	}
	return study.Differs, "guidance leaves its samples valid"
}
