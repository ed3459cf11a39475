package table1

import (
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// Verdicts follow from the numbers.
func TestRivalFindings(t *testing.T) {
	verdicts := func(list []study.Finding) (out []string) {
		for _, f := range list {
			out = append(out, f.Verdict)
		}
		return out
	}
	row := func(method string, n size, rate float64) Row {
		graph := map[bool]string{true: GraphExample, false: GraphRQ1}[n == sizeExample]
		preset := map[bool]string{true: run.PresetPaper, false: run.PresetQuick}[n == sizePaper]
		return Row{Method: method, Graph: graph, Preset: preset, ValidRate: rate, Samples: 100}
	}
	for _, c := range []struct {
		rows []Row
		want string
	}{
		{nil, "cannot be compared;cannot be compared;cannot be compared"},
		{[]Row{row(MethodEDPGNN, sizeSmall, 0), row(MethodSwinGNN, sizeSmall, .985), row(MethodDDPS, sizeSmall, 1)},
			"reproduced;reproduced;reproduced"},
		{[]Row{row(MethodEDPGNN, sizePaper, .3), row(MethodSwinGNN, sizeSmall, .5), row(MethodDDPS, sizeExample,
			.99)}, "differs;differs;differs"},
		{[]Row{row(MethodEDPGNN, sizeExample, 0), row(MethodSwinGNN, sizeExample, 1), row(MethodDDPS, sizeExample,
			1)}, "cannot be compared;cannot be compared;reproduced"},
		{[]Row{row(MethodSwinGNN, sizeExample, 1), row(MethodSwinGNN, sizeSmall, .99)},
			"cannot be compared;reproduced;cannot be compared"},
	} {
		if got := strings.Join(verdicts(Findings(c.rows)), ";"); got != c.want {
			t.Errorf("%+v: %s, want %s", c.rows, got, c.want)
		}
	}
	for _, c := range []struct {
		first, last float64
		want        string
	}{{1, 0, study.Reproduced}, {1, .5, study.InPart}, {1, .95, study.Differs}, {.1, 0, study.NotShown}} {
		rows := []ValidityRow{{Method: ValidDDPS, Valid: 1}, {Method: ValidDDPS, Valid: 1, Lambda: 10},
			{Method: ValidNoisy, Valid: c.first}, {Method: ValidNoisy, Valid: c.last, Lambda: 10}}
		want := strings.Join([]string{"reproduced", c.want, study.Differs, study.NotShown}, ";")
		if got := strings.Join(verdicts(ValidityFindings(rows, false)), ";"); got != want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// SwinGNN's valid rate rises again only where its intervals lie apart.
func TestNotMonotone(t *testing.T) {
	at := func(lambda, low, valid, high float64) ValidityRow {
		return ValidityRow{Method: ValidNoisy, Lambda: lambda, Samples: 100, Low: low, Valid: valid, High: high}
	}
	for _, c := range []struct {
		rows []ValidityRow
		want string
	}{
		{nil, study.NotShown},
		{[]ValidityRow{at(10, 0, .01, .05), at(0, .8, .9, .95), at(1, .2, .3, .4)}, study.Differs},
		{[]ValidityRow{at(0, .8, .9, .95), at(1, .2, .3, .4), at(10, .3, .4, .5)}, study.NotShown},
		{[]ValidityRow{at(0, .8, .9, .95), at(1, .2, .3, .4), at(10, .5, .6, .7)}, study.Reproduced},
	} {
		if f := notMonotone(c.rows); f.Verdict != c.want || f.Verdict == study.NotShown && len(c.rows) > 0 && f.Why == "" {
			t.Errorf("%+v: %+v", c.rows, f)
		}
	}
}
