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

// found says in words what a figure's findings are: by verdict, what it holds of.
func (r *directoryRows) found(figure string) string {
	var claims []string
	of := map[string]map[string][]string{} // series by claim and verdict
	for _, f := range r.findings {
		if f.Figure != figure {
			continue
		}
		if of[f.Claim] == nil {
			of[f.Claim] = map[string][]string{}
			claims = append(claims, f.Claim)
		}
		of[f.Claim][f.Verdict] = append(of[f.Claim][f.Verdict],
			fmt.Sprintf("%s (%s)", graphTitle(f.Series.Graph), seriesModel(f.Series.Model)))
	}
	if len(claims) == 0 {
		return ""
	}
	var same []string // sentences, and the claims that each is of
	claimsOf := map[string][]string{}
	for _, c := range claims {
		var parts []string
		for _, v := range []string{study.Reproduced, study.InPart, study.Differs, study.NotShown} {
			if list := of[c][v]; len(list) > 0 {
				parts = append(parts, v+" on "+strings.Join(list, ", "))
			}
		}
		s := strings.Join(parts, "; ")
		if claimsOf[s] == nil {
			same = append(same, s)
		}
		claimsOf[s] = append(claimsOf[s], c)
	}
	var sentences []string
	for _, s := range same {
		sentences = append(sentences, "“"+strings.Join(claimsOf[s], "”, “")+"”: "+s+".")
	}
	return "Found: " + strings.Join(sentences, " ")
}

// sweetSpots lists at which λ each distance is least, reward by reward.
func (r *directoryRows) sweetSpots() reportSection {
	s := reportSection{ID: "sweet-spots", Title: "Sweet spots, reward by reward (§5.3)", Text: []string{
		"The paper: the distances have their sweet spots at about the same λ, and the reward there is nearly the greatest. " +
			"Here every reward has a sweet spot of its own, the λ of its least distance from the exact target under " +
			"Algorithm 2: the median over rewards, with the least and the greatest in brackets. Distance and mean reward " +
			"there are means over rewards with their 95% interval (Student's t); of fewer than three there is none."}}
	t := reportTable{Header: []string{"graph, network", "distance", "maximum", "rewards", "λ", "distance there", "floor",
		"mean reward there"}}
	for _, of := range study.SeriesOf(r.cells) {
		if of.Distribution != query.Algorithm2 {
			continue
		}
		for _, name := range []string{"KL", "IS-L-L1", "FLGD"} {
			for _, x := range study.SweetSpots(r.cells, of, name) {
				t.Rows = append(t.Rows, []string{seriesName(of), name, cli.Whole(x.RMax), cli.Whole(x.Rewards), spotRange(x),
					interval(x.Distance), cli.Real3(x.Floor), interval(x.Reward)})
			}
		}
	}
	if len(t.Rows) > 0 {
		s.Tables = []reportTable{t}
	}
	return s
}

// spotRange is "100 (30 – 300)", or the λ alone where it is that of all rewards.
func spotRange(s study.SweetSpot) string {
	least, most := s.Lambdas[0], slices.Max(s.Lambdas)
	if least == most {
		return fmt.Sprintf("%g", least)
	}
	return fmt.Sprintf("%g (%g – %g)", s.Median(), least, most)
}

// interval is a mean ± the half-width of its interval.
func interval(x study.Interval) string {
	if math.IsNaN(x.Half) {
		return cli.Real3(x.Mean)
	}
	return cli.Real3(x.Mean) + " ± " + cli.Real3(x.Half)
}
