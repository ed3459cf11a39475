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
	row := func(method, preset string, rate float64) Row {
		return Row{Method: method, Preset: preset, ValidRate: rate, Samples: 100}
	}
	for _, c := range []struct {
		rows []Row
		want string
	}{
		{nil, "cannot be compared;cannot be compared;cannot be compared"},
		{[]Row{row(MethodEDPGNN, PresetCPU, 0), row(MethodSwinGNN, PresetCPU, .985), row(MethodDDPS, PresetCPU, 1)},
			"reproduced;reproduced;reproduced"},
		{[]Row{row(MethodEDPGNN, run.PresetPaper, .3), row(MethodSwinGNN, PresetCPU, .5), row(MethodDDPS, run.PresetQuick,
			.99)}, "differs;differs;differs"},
		{[]Row{row(MethodEDPGNN, run.PresetQuick, 0), row(MethodSwinGNN, run.PresetQuick, 1), row(MethodDDPS, run.PresetQuick,
			1)}, "cannot be compared;cannot be compared;reproduced"},
		{[]Row{row(MethodSwinGNN, run.PresetQuick, 1), row(MethodSwinGNN, PresetCPU, .99)},
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
		if got := strings.Join(verdicts(ValidityFindings(rows, false)), ";"); got != "reproduced;"+c.want+";"+study.NotShown {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
