package experiment

import (
	"fmt"
	"math"
	"strings"
)

// Table1Findings judges the valid rates of table 1; without rows the one finding says that there is nothing to compare.
func Table1Findings(rows []Table1Row) (list []Finding) {
	if len(rows) == 0 {
		return []Finding{{Figure: "table 1", Graph: "rq1", Paper: "valid rates: EDP-GNN 0 %, SwinGNN 99.7 %, DDPS 100 %", Found: "nothing", Verdict: NotShown}}
	}
	for _, r := range rows {
		f := Finding{Figure: "table 1", Graph: "rq1, " + r.Method, Verdict: Reproduced,
			Found: fmt.Sprintf("%.4g %% of %d samples (95 %% interval %.3g to %.3g), preset %s", 100*r.ValidRate, r.Samples, 100*r.ValidLow, 100*r.ValidHigh, r.Preset)}
		least, most := 1.0, 1.0
		switch r.Method {
		case MethodEDPGNN:
			f.Paper, least, most = "0.00 % valid", 0, .01
		case MethodSwinGNN:
			f.Paper, least, most = "99.7 % valid (reproduced: 98 % or more)", .98, 1
		case MethodDDPS:
			f.Paper = "100 % valid"
		default:
			continue
		}
		if r.ValidRate < least || r.ValidRate > most {
			f.Verdict = Differs
			if r.Preset == PresetCPU {
				f.Why = "a smaller network, trained for minutes on two processors"
			}
		}
		list = append(list, f)
	}
	return list
}

// ValidityFindings judges the valid rates of figure 3, under guidance.
func ValidityFindings(rows []ValidityRow) (list []Finding) {
	if len(rows) == 0 {
		return []Finding{{Figure: "figure 3", Graph: "rq1", Paper: "under guidance DDPS stays at 100 %, SwinGNN falls to 0 as λ grows", Found: "nothing", Verdict: NotShown}}
	}
	methods, order := map[string][]ValidityRow{}, []string{}
	for _, r := range rows {
		if methods[r.Method] == nil {
			order = append(order, r.Method)
		}
		methods[r.Method] = append(methods[r.Method], r)
	}
	for _, m := range order {
		f := Finding{Figure: "figure 3", Graph: "rq1, " + m, Paper: "valid at 100 % whatever λ"}
		first, last, least := methods[m][0], methods[m][0], math.Inf(1)
		for _, r := range methods[m] {
			if r.Lambda < first.Lambda {
				first = r
			}
			if r.Lambda > last.Lambda {
				last = r
			}
			least = min(least, r.Valid)
		}
		f.Found = fmt.Sprintf("%.3g %% at λ = %g, %.3g %% at λ = %g, %.3g %% at least", 100*first.Valid, first.Lambda, 100*last.Valid, last.Lambda, 100*least)
		good := least == 1
		if strings.Contains(m, "SwinGNN") {
			f.Paper, good = "falls to 0 as λ grows (reproduced: under 5 % at the greatest λ)", last.Valid < .05
		}
		f.Verdict = map[bool]string{true: Reproduced, false: Differs}[good]
		list = append(list, f)
	}
	return list
}
