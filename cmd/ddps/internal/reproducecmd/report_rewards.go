package reproducecmd

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/study"
)

// rare lists the rewards and how likely their maxima are.
func (r *directoryRows) rare() reportSection {
	s := reportSection{ID: "rewards", Title: "The rewards, and how rare their maxima are (§5.2)", Text: []string{
		"Counted and conditioned exactly, for all of the paper's rewards, whatever the preset. Odds are those of a path " +
			"chosen at random, all paths alike, as the paper's; * are edges of a single path, rare by intent."}}
	s.Text = append(s.Text, r.degenerate()...)
	all := reportTable{Caption: "Odds of the maximum, reward by reward", Header: []string{"graph", "maximum", "rewards",
		"odds, falling", "paths of the rarest"}}
	for _, graph := range study.Graphs() {
		for _, m := range distinct(r.rewards, func(w study.RewardRow) string { return cli.Whole(w.RMax) }) {
			rows := slices.DeleteFunc(slices.Clone(r.rewards), func(w study.RewardRow) bool {
				return w.Graph != graph || cli.Whole(w.RMax) != m
			})
			if len(rows) == 0 {
				continue
			}
			slices.SortStableFunc(rows, func(a, b study.RewardRow) int { return int(math.Copysign(1, b.Share-a.Share)) })
			var odds []string
			for _, w := range rows {
				odds = append(odds, fmt.Sprintf("%.2g", w.Share)+map[bool]string{true: "*"}[w.Rare])
			}
			all.Rows = append(all.Rows, []string{graphTitle(graph), m, cli.Whole(len(rows)), strings.Join(odds, ", "),
				fmt.Sprintf("%.0f", rows[len(rows)-1].Paths)})
		}
	}
	drawn := reportTable{Caption: "Of the rewards sampled here: the probability of the maximum by the exact target's " +
		"distribution, and who attains it unguided",
		Header: []string{"graph, network", "maximum", "reward", "probability", "samples at λ = 0 that attain it", "target"}}
	for _, of := range study.SeriesOf(r.cells) {
		for _, c := range seriesRows(r.cells, of) {
			if c.Distribution != query.Algorithm2 || c.Lambda != 0 {
				continue
			}
			target := "both"
			switch {
			case c.Hits == 0:
				target = "exact alone"
			case c.Hits < study.LeastHits:
				target = "exact alone: too few attain it"
			}
			drawn.Rows = append(drawn.Rows, []string{seriesName(of), cli.Whole(c.RMax), cli.Whole(c.Instance),
				fmt.Sprintf("%.2g", c.P), cli.Whole(c.Hits) + " of " + cli.Whole(c.Samples), target})
		}
	}
	for _, t := range []reportTable{all, drawn} {
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// degenerate names the rewards that are no rewards of their own.
func (r *directoryRows) degenerate() (text []string) {
	name := func(w study.RewardRow) string {
		return fmt.Sprintf("%s, maximum %d, reward %d", graphTitle(w.Graph), w.RMax, w.Instance)
	}
	rewards := r.rewards
	all, same := study.Degenerate(rewards)
	var names []string
	for _, w := range all {
		names = append(names, name(w))
	}
	if len(all) > 0 {
		text = append(text, fmt.Sprintf("Every path attains %d of the %d rewards (%s).", len(all), len(rewards),
			strings.Join(names, "; ")))
	}
	names = nil
	for _, w := range same {
		names = append(names, fmt.Sprintf("%s, by those of maximum %d, reward %d%s", name(w), w.Twin(rewards).RMax,
			w.Twin(rewards).Instance, map[bool]string{true: " (both are in the figures)"}[r.sampled(w) &&
				r.sampled(*w.Twin(rewards))]))
	}
	if len(same) > 0 {
		text = append(text, fmt.Sprintf("The maximum of %d rewards is attained by exactly the paths that attain another's, "+
			"so that they are not independent: %s.", len(same), strings.Join(names, "; ")))
	}
	return text
}

// sampled reports whether a reward is one of those of the figures.
func (r *directoryRows) sampled(w study.RewardRow) bool {
	return slices.ContainsFunc(r.cells, func(c study.GuidanceRow) bool {
		return c.Graph == w.Graph && c.RMax == w.RMax && c.Instance == w.Instance
	})
}

// greatest shows what samples at the greatest λ are, reward by reward.
func (r *directoryRows) greatest() reportSection {
	s := reportSection{ID: "greatest", Title: "Samples at the greatest λ, reward by reward", Text: []string{
		"How many paths attain the maximum, how many samples do at the greatest λ, and how many different paths these " +
			"samples are, beside as many exact draws of the paths that attain it. Where not all samples attain the maximum, " +
			"some of the different paths do not."}}
	t := reportTable{Header: []string{"graph, network", "maximum", "reward", "paths that attain it", "λ", "mean reward",
		"samples that attain it", "different paths", "of exact draws"}}
	for _, of := range study.SeriesOf(r.cells) {
		for _, c := range study.Curves(r.cells, of, study.QuantityReward, false) {
			for _, row := range seriesRows(r.cells, of) {
				if row.RMax == c.RMax && row.Lambda == c.X[len(c.X)-1] {
					t.Rows = append(t.Rows, []string{seriesName(of) + ", " + guideName(of), cli.Whole(row.RMax),
						cli.Whole(row.Instance),
						r.pathsOf(row), fmt.Sprintf("%g", row.Lambda), cli.Real3(row.Reward), cli.Percent(row.AtMax),
						cli.Whole(row.Distinct), r.exactPaths(row)})
				}
			}
		}
	}
	if len(t.Rows) > 0 {
		s.Tables = []reportTable{t}
	}
	return s
}

// pathsOf is the number of paths that attain a reward's maximum.
func (r *directoryRows) pathsOf(c study.GuidanceRow) string {
	for _, w := range r.rewards {
		if w.Graph == c.Graph && w.RMax == c.RMax && w.Instance == c.Instance {
			return cli.Whole(int(w.Paths))
		}
	}
	return "–"
}

// exactPaths is how many different paths as many exact draws of the target are.
func (r *directoryRows) exactPaths(c study.GuidanceRow) string {
	for _, x := range r.cells {
		if x.Graph == c.Graph && x.Model == c.Model && x.Key == c.Key && x.RMax == c.RMax && x.Instance == c.Instance &&
			x.Samples == c.Samples && x.Seed == c.Seed && x.Distribution == study.ReferenceExact {
			return cli.Whole(x.Distinct)
		}
	}
	return "–"
}
