package live_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// Sweeps, the front and contests of the facade, from the shipped model.
func TestTradeoff(t *testing.T) {
	t.Chdir(t.TempDir())
	s := session(t)
	for _, c := range []struct{ code, want string }{
		{"m := must(WithoutNetwork(must(Load(`shipped:toy`))))\nm", "diffusion model: chain"},
		{"u := must(RandomReward(m.Graph, 4, 0))\ndist := must(TargetOf(must(Experiment(`toy`, `quick`))))\ntarget := " +
			"must(GivenMax(dist, u))\nlen(target.P)", "1063"},
		{"cfg := Trial{Guide: `algorithm2`, Scales: []float64{0, 30, 1000}, Samples: 64, Steps: 4, Floors: 2}\na := " +
			"must(SweepGuide(m, u, target, cfg))\nof := SeriesOf(a)[0]\nlen(a)", "4"},
		{"StudyPlot(a, of, `reward`)", "figure: mean reward"},
		{"StudyPlot(a, of, `none such`)", "line 1: paper: there is no quantity"},
		{"b := must(SweepRewards(m, dist, 2, 2, cfg))\nc := StudyCurves(b, of, `L1`, false)[0]\nfmt.Sprint(c.RMax, " +
			"c.Instances, len(c.Std))", "2 2 3"},
		{"must(StudyFigure(append(a, b...), of, false, `L1`, `SFD`, `reward`))", "figure"},
		{"StudyFigure(a, of, false, `none such`)", "line 1: "},
		{"must(GuidesFigure(a, `reward`))", "figure"},
		{"StudyTable(a, of, 4, `reward`, `FLGD`)", "sampling floor"},
		{"StudyTable(a, of, 4, `x`)", "line 1: "},
		{"cfg.Guide = `boltzmann`\ncfg.Scales = []float64{0, 1}\nf := must(FrontOf(dist, u, []float64{0, 1, 4}, " +
			"64))\nFrontPlot(f, append(must(SweepGuide(m, u, dist, cfg)), must(SweepGuide(m, u, dist, Trial{Guide: `eq7`, " +
			"Samples: 32, Steps: 2, Scales: []float64{0, 3}}))...))", "figure: reward against"},
		{"best := must(Where(`max(reward)`, m.Graph, u, nil))\none := m.Chain.Distribution()\ntwo := " +
			"must(FitSecond(must(All(m.Graph, 2000)), 0, 1))\nd := SampleLaw(must(Given(two, best)), 50, 0)\nlen(d.Paths)",
			"50"},
		{"Contest(target, u, []string{`one`, `two`}, SampleLaw(must(Given(one, best)), 50, 0), d)", "exact draws, mean"},
		{"Contest(target, u, []string{`one`})", "line 1: lab: contest"},
		{"must(SampleMixture(m, best, 20, 0)).Paths[0]", "0 → "},
		{"Given(one, must(Where(`visit(\"7\")`, m.Graph, nil, nil)))", ""},
		{"p := must(Probability(m, best))\nfmt.Sprintf(`%.4f`, p)", "0.0677"},
		{"a := must(Probability(m, must(Where(`not visit(\"7\")`, m.Graph, nil, nil))))\nb := must(Probability(m, " +
			"must(Where(`visit(\"7\")`, m.Graph, nil, nil))))\nfmt.Sprintf(`%.6f`, a+b)", "1.000000"},
		{"Probability(must(Load(`shipped:toy`)), best)", "the model has a network"},
	} {
		out, err := eval(s, c.code)
		if err != nil {
			out += err.Error()
		}
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: %q, want %q", c.code, out, c.want)
		}
	}
	if kept, err := filepath.Glob("runs/artefacts/*"); err != nil || len(kept) == 0 {
		t.Error("no sweep was kept", err)
	}
}

// Contests on a map show the features with memory, and those alone where paths are many.
func TestContestOnMap(t *testing.T) {
	s := session(t)
	for _, c := range []struct{ code, want, not string }{
		{"walks := must(Heights(2000, 0))\nw := walks.Prune()\nfirst := must(Fit(w, 1)).Distribution()\nvisit := " +
			"must(Where(`visit(place 22)`, w.Graph, nil, nil))\n" +
			"truth := must(MadeBy(walks, visit))\nContest(truth, nil, []string{`chain`}, SampleLaw(must(Given(first, " +
			"visit)), 50, 0))", "revisits", "KL"},
		{"few := must(Where(`visit(place 8) and visit(place 3) and visit(place 5)`, w.Graph, nil, nil))\n" +
			"Contest(must(MadeBy(walks, few)), nil, []string{`chain`}, SampleLaw(must(Given(first, few)), 50, 0))", "KL",
			"\x00"},
	} {
		out, err := eval(s, c.code)
		if err != nil || !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
			t.Errorf("%s: %q, %v", c.code, out, err)
		}
	}
}
