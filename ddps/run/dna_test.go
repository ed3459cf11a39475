package run

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
)

// shortDNA returns a model, the default of lattices of DNA in small, of sequences of five letters whose ends go
// together.
func shortDNA(t *testing.T) *model.Model {
	t.Helper()
	g, err := datasets.DNA(5, datasets.ForbiddenPair{Pair: "AG", At: 2}, datasets.ForbiddenPair{Pair: "CC"})
	if err != nil {
		t.Fatal(err)
	}
	data := &datasets.Data{Graph: g}
	for p := range g.Paths() {
		n := 1
		if g.Name(p[1]) == g.Name(p[5]) {
			n = 6
		}
		data.Paths, data.Counts = append(data.Paths, p), append(data.Counts, n)
	}
	cfg := DNAConfig()
	cfg.Hold, cfg.Model.Mixture.Classes, cfg.Model.Mixture.Rounds, cfg.Model.Mixture.Ridge = 0, 4, 40, 1
	m, err := (&Run{Config: cfg, Data: data}).NewModel()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Samples of a lattice of DNA, conditioned or not, follow the model's distribution given the condition, all of whose
// sequences are listed.
func TestDNASamples(t *testing.T) {
	m := shortDNA(t)
	const n = 20_000
	for _, text := range []string{"", `motif("TA") and gc <= 2`, `motif("RNY", 2) and avoid(motif("GA"))`, `max(gc)`} {
		s := m.Sampler()
		if err := (query.Guide{Where: text}).Apply(s, nil); err != nil {
			t.Fatal(err)
		}
		met := func(p ddps.Path) bool { return s.Condition == nil || s.Condition.(guide.Condition).LogWeight(p) == 0 }
		paths, err := s.Sample(context.Background(), n, 5)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]float64{}
		for _, p := range paths {
			seen[metrics.Key(p)]++
		}
		dist, sum := map[string]float64{}, 0.0
		for p := range m.Graph.Paths() {
			lp, err := m.Distribution().LogProb(p)
			if err != nil {
				t.Fatal(err)
			}
			if met(p) {
				dist[metrics.Key(p)] = math.Exp(lp)
				sum += math.Exp(lp)
			}
		}
		chi2, cells, rare, rareSeen := 0.0, -1.0, 0.0, 0.0
		for key, p := range dist {
			expected := n * p / sum
			if expected < 5 {
				rare, rareSeen = rare+expected, rareSeen+seen[key]
				continue
			}
			chi2, cells = chi2+(seen[key]-expected)*(seen[key]-expected)/expected, cells+1
		}
		if rare >= 5 {
			chi2, cells = chi2+(rareSeen-rare)*(rareSeen-rare)/rare, cells+1
		}
		for key := range seen {
			if dist[key] == 0 {
				t.Fatalf("%q: a sample that does not meet it", text)
			}
		}
		if limit := (distuv.ChiSquared{K: cells}).Quantile(.9999); chi2 > limit || cells < 5 {
			t.Errorf("%q: χ² %.1f over %v cells, want %.1f at most", text, chi2, cells, limit)
		}
	}
}

// A lattice of DNA goes without a network and by letters; a mixture asked for stays.
func TestDNAConfig(t *testing.T) {
	data, err := MakeData("dna", PresetQuick)
	if err != nil || data.Total() != QuickPaths || data.Graph.NumLayers() != 41 {
		t.Fatal(data, err)
	}
	g := data.Graph
	if cfg := ConfigFor(g); cfg != DNAConfig() || cfg.Model.Network != model.NetworkNone ||
		ConfigOf(model.NetworkNone).On(g) != cfg.On(g) ||
		cfg.On(g).Model.Mixture != cfg.Model.Mixture {
		t.Errorf("%+v", cfg)
	}
	own := ConfigOf(model.NetworkNone)
	own.Model.Mixture.Classes = 3
	if m := own.On(g).Model.Mixture; m.Classes != 3 || m.Order != 1 {
		t.Errorf("%+v", m)
	}
	if m := ConfigOf(model.NetworkNone).On(ddps.Example()).Model.Mixture; m.Classes != 1 {
		t.Errorf("%+v", m)
	}
	if _, err := MakeData("dna2", PresetQuick); err == nil || !strings.Contains(err.Error(), "dna") {
		t.Error(err)
	}
}
