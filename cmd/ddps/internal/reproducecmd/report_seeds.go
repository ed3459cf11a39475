package reproducecmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/study/table1"
)

// checkSeeds returns an error if there are not so many seeds from the first on.
func checkSeeds(first uint64, seeds int) error {
	if first+uint64(seeds-1) < first {
		return cli.Usagef("--seeds: there are no %d seeds from %d on", seeds, first)
	}
	return nil
}

// overSeeds shows the spread of the main numbers over seeds.
func (r *directoryRows) overSeeds() reportSection {
	s := reportSection{ID: "seeds", Title: "Beyond the paper: spread over seeds", Text: []string{"Each seed has data, a " +
		"model and samples of its own; on Toy, where the data are all paths, a network and samples. The figures and tables " +
		"above are of the first. Means ± standard deviation over the seeds; of λ the median, the least and the greatest in " +
		"brackets."}}
	for _, name := range []string{"KL", "IS-L-L1"} {
		t := reportTable{Caption: "Algorithm 2; distances are " + name, Header: []string{"graph, network", "maximum",
			"rewards", "samples", "seeds", "mean reward at the greatest λ", "λ of the least distance", "distance there",
			"mean reward there", "exact condition", "floor"}}
		for _, m := range study.SeedMeans(r.allSeeds, name) {
			if (m.Series.Graph == "toy") != (name == "KL") {
				continue
			}
			spread := func(x study.Spread) string { return cli.WithError(x.Mean, x.Std) }
			model := strings.Join(slices.Compact(apply(m.Models, seriesModel)), "; ")
			t.Rows = append(t.Rows, []string{graphTitle(m.Series.Graph) + ", " + model, cli.Whole(m.RMax),
				cli.Whole(m.Rewards), cli.Whole(m.Samples), cli.Whole(m.Reward.N), spread(m.Reward),
				spotRange(study.SweetSpot{Lambdas: m.Lambdas}), spread(m.Distance), spread(m.There), spread(m.Exact),
				spread(m.Floor)})
		}
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	for _, v := range r.baselineRows {
		if list := table1.SeedMeans(v.table); len(list) > 0 {
			s.Tables = append(s.Tables, reportTable{Caption: "Table 1 on " + v.graph() + ": valid rates",
				Header: seedHeader, Rows: seedCells(list)})
		}
	}
	return s
}

var seedHeader = []string{"method", "trained on", "samples of each seed", "seeds", "valid", "least", "greatest"}

// seedCells are the rows of valid rates over seeds.
func seedCells(list []table1.SeedMean) (cells [][]string) {
	for _, m := range list {
		samples := cli.Whole(m.Least)
		if m.Most > m.Least {
			samples += " to " + cli.Whole(m.Most)
		}
		cells = append(cells, []string{m.Method, cli.Whole(m.TrainExamples), samples, cli.Whole(m.Valid.N),
			fmt.Sprintf("%.2f%% ± %.2f", 100*m.Valid.Mean, 100*m.Valid.Std), cli.Percent(m.Valid.Low),
			cli.Percent(m.Valid.High)})
	}
	return cells
}

// apply returns f of each string.
func apply(list []string, f func(string) string) (out []string) {
	for _, s := range list {
		out = append(out, f(s))
	}
	return out
}
