package reproducecmd

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study"
	memstudy "github.com/ddps-go/ddps/ddps/study/memory"
)

// distinct returns the different values of rows in their order, without the empty one.
func distinct[T any](rows []T, of func(T) string) (list []string) {
	for _, r := range rows {
		if s := of(r); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// facts tell presets, seeds, sizes, versions and cost of the whole.
func (r *directoryRows) facts() (f [][2]string) {
	cpu, samples := 0.0, 0
	for _, c := range r.costs {
		cpu += c.CPU
	}
	for _, c := range r.allSeeds {
		samples += c.Samples
	}
	add := func(name string, list []string) {
		if len(list) > 0 {
			f = append(f, [2]string{name, strings.Join(list, "; ")})
		}
	}
	add("preset", distinct(r.cells, func(c study.GuidanceRow) string { return c.Preset }))
	seeds := distinct(r.allSeeds, func(c study.GuidanceRow) string { return fmt.Sprint(c.Seed) })
	if len(seeds) > 1 {
		seeds = []string{fmt.Sprintf("%s; over %d there is a table of its own", seeds[0], len(seeds))}
	}
	add("seed of figures 4 to 6", seeds)
	if len(r.allSeeds) > 0 {
		f = append(f, [2]string{"figures 4 to 6", cli.Whole(len(r.allSeeds)) + " cells, " + cli.Whole(samples) + " samples"})
	}
	built := distinct(r.allSeeds, func(c study.GuidanceRow) string { return c.Built })
	for _, b := range append(distinct(r.rewards, func(c study.RewardRow) string { return c.Built }),
		distinct(r.costs, func(c study.CostRow) string { return c.Built })...) {
		if !slices.Contains(built, b) {
			built = append(built, b)
		}
	}
	name := "made by"
	if len(built) > 1 {
		name = fmt.Sprintf("made by %d programs (rows of several revisions or machines)", len(built))
	}
	add(name, built)
	v := cli.Versions()
	add("written by", []string{v.Built() + ", gomlx " + v.GoMLX + ", gonum " + v.Gonum})
	if cpu > 0 {
		f = append(f, [2]string{"cost", seconds3(cpu) + " of CPU time in all runs that ended"})
	}
	return f
}

func seconds3(s float64) string {
	if s < 120 {
		return cli.Real3(s) + " s"
	}
	return cli.Real3(s/60) + " min"
}

// seriesRows are the rows of a series.
func seriesRows(rows []study.GuidanceRow, of study.Series) (list []study.GuidanceRow) {
	for _, r := range rows {
		if r.Graph == of.Graph && r.Model == of.Model && r.Distribution == of.Distribution && r.Kernel == of.Kernel {
			list = append(list, r)
		}
	}
	return list
}

// rowSets says what each set of rows of figures 4 to 6 was made by, and its sizes.
func (r *directoryRows) rowSets() reportSection {
	t := reportTable{Header: []string{"graph, network", "trained", "data", "guide", "steps", "λ", "maxima × rewards",
		"samples a cell", "cells"}}
	for _, of := range study.SeriesOf(r.cells) {
		rows := seriesRows(r.cells, of)
		count := func(of func(study.GuidanceRow) string) int { return len(distinct(rows, of)) }
		all := func(of func(study.GuidanceRow) string) string { return strings.Join(distinct(rows, of), "; ") }
		t.Rows = append(t.Rows, []string{seriesName(of), all(func(c study.GuidanceRow) string { return c.Trained }),
			all(func(c study.GuidanceRow) string { return c.Preset }), guideName(of),
			all(func(c study.GuidanceRow) string { return cli.Whole(c.Steps) }),
			cli.Whole(count(func(c study.GuidanceRow) string { return fmt.Sprint(c.Lambda) })),
			fmt.Sprintf("%d × %d", count(func(c study.GuidanceRow) string { return fmt.Sprint(c.RMax) }),
				count(func(c study.GuidanceRow) string { return fmt.Sprint(c.Instance) })),
			all(func(c study.GuidanceRow) string { return cli.Whole(c.Samples) }), cli.Whole(len(rows))})
	}
	s := reportSection{ID: "rows", Title: "What the rows are of", Text: []string{
		"“Austin” and “joint” are reverse steps; Algorithm 2 is one of its own. What it all took is at the end of " +
			"the page."}}
	if len(t.Rows) > 0 {
		s.Tables = []reportTable{t}
	}
	return s
}

// exact sets guidance at its sweet spot beside the exact conditions.
func (r *directoryRows) exact() reportSection {
	s := reportSection{ID: "exact", Title: "Beyond the paper: exact conditioning beside guidance at its best λ",
		Text: []string{
			"Distances from the exact target, means over rewards. On Toy that is the data's distribution given the maximum, " +
				"beside a network on a map the true distribution's. Of a map's model without a network it is the model's own, " +
				"which exact conditioning meets by construction: its distance says nothing of how near the model is to the " +
				"truth, which the part on memory has.",
			"Exact conditioning has no λ, and all of its samples attain the maximum. The floor is what as many exact draws " +
				"show; the fitted chain, conditioned exactly, is the baseline."}}
	for _, graph := range study.Graphs() {
		name := "IS-L-L1"
		if graph == "toy" {
			name = "KL"
		}
		t := reportTable{Caption: graphTitle(graph) + ": " + name, Header: []string{"network", "guide", "maximum", "best λ",
			"reward there", "distance there", "exact condition", "fitted chain", "floor"}}
		for _, of := range study.SeriesOf(r.cells) {
			if of.Graph != graph {
				continue
			}
			reward := study.Curves(r.cells, of, study.QuantityReward, false)
			for i, c := range study.Curves(r.cells, of, name, false) {
				if x := c.SweetSpot(); !math.IsNaN(x) {
					t.Rows = append(t.Rows, []string{seriesModel(of.Model), guideName(of), cli.Whole(c.RMax), fmt.Sprintf("%g", x),
						cli.Real3(reward[i].At(x)), cli.Real3(c.At(x)),
						cli.Real3(c.Model), cli.Real3(c.Chain), cli.Real3(c.Floor)})
				}
			}
		}
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// remembered shows the study of memory.
func (r *directoryRows) remembered() reportSection {
	s := reportSection{ID: "memory", Title: "Beyond the paper: memory", Text: []string{
		"The data of the maps have memory. How near the model, and chains, come to the true distribution; means over " +
			"seeds, in brackets the floor."}}
	for _, graph := range []string{"heights", "ridge"} {
		means := map[int][]memstudy.Mean{} // by paths
		for _, m := range memstudy.Means(slices.DeleteFunc(slices.Clone(r.memory), func(m memstudy.Row) bool {
			return m.Graph != graph
		})) {
			means[m.Paths] = append(means[m.Paths], m)
		}
		for _, n := range slices.Sorted(maps.Keys(means)) {
			caption := graphTitle(graph)
			if n > 0 {
				caption += ", " + cli.Whole(n) + " distinct paths drawn"
			}
			s.Tables = append(s.Tables, reportTable{Caption: caption, Header: memoryHeader, Rows: memoryCells(means[n])})
		}
	}
	return s
}

// cost says what each part took.
func (r *directoryRows) cost() reportSection {
	t := reportTable{Header: []string{"part", "preset", "began (UTC)", "went by", "CPU time", "rows", "ended", "made by"}}
	for _, c := range r.costs {
		cpu := "–"
		if c.CPU > 0 {
			cpu = seconds3(c.CPU)
		}
		t.Rows = append(t.Rows, []string{c.Part, c.Preset, strings.NewReplacer("T", " ", "Z", "").Replace(c.Began),
			seconds3(c.Seconds), cpu, cli.Whole(c.Rows), c.Ended, c.Built})
	}
	s := reportSection{ID: "cost", Title: "What it took", Text: []string{"A row a run, training included; those that " +
		"were killed are missing. Time that went by depends on what else the machine did."}}
	if len(t.Rows) > 0 {
		s.Tables = []reportTable{t}
	}
	return s
}
