package reproducecmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/study"
)

// seriesModel is a model's name as people say it.
func seriesModel(model string) string {
	switch model {
	case "mlp network":
		return "residual MLP"
	case "unet network":
		return "plain U-Net"
	}
	return model
}

// seriesName is "Toy, residual MLP".
func seriesName(s study.Series) string {
	return graphTitle(s.Graph) + ", " + seriesModel(s.Model)
}

func graphTitle(graph string) string {
	if graph == "" {
		return ""
	}
	return strings.ToUpper(graph[:1]) + graph[1:]
}

// guideName is "Algorithm 2", or "Eq. 7, austin".
func guideName(s study.Series) string {
	name := map[string]string{query.Algorithm2: "Algorithm 2", query.Eq7: "Eq. 7"}[s.Distribution]
	if name == "" {
		name = s.Distribution
	}
	if s.Kernel != "" {
		name += ", " + s.Kernel
	}
	return name
}

// glance counts the verdicts and shows them all, a row a statement and a column a graph and network.
func (r *directoryRows) glance() reportSection {
	count := map[string]int{}
	matrix := reportTable{Caption: "Rewards: figures 4 to 6, under the paper's guide, Algorithm 2",
		Header: []string{"what the paper states"}}
	var series []study.Series
	var claims []string
	other := reportTable{Caption: "Valid rates, and how rare the rewards are", Header: []string{"", "of", "the paper",
		"found", "verdict"}}
	for _, f := range r.findings {
		count[f.Verdict]++
		if f.Series == (study.Series{}) {
			other.Rows = append(other.Rows, []string{f.Figure, f.Graph, f.Paper, f.Found, other.noted(f.Counted(), f.Why)})
			continue
		}
		if !slices.Contains(series, f.Series) {
			series = append(series, f.Series)
			matrix.Header = append(matrix.Header, seriesName(f.Series))
		}
		if !slices.Contains(claims, f.Claim) {
			claims = append(claims, f.Claim)
		}
	}
	for _, c := range claims {
		row := []string{c}
		for _, s := range series {
			cell := "–"
			for _, f := range r.findings {
				if f.Claim == c && f.Series == s {
					cell = f.Counted()
				}
			}
			row = append(row, cell)
		}
		matrix.Rows = append(matrix.Rows, row)
	}
	s := reportSection{ID: "glance", Title: "At a glance", Text: []string{fmt.Sprintf("%d statements judged: %d "+
		"reproduced, %d in part, %d differ, %d cannot be compared with what is in this directory.",
		len(r.findings), count[study.Reproduced], count[study.InPart], count[study.Differs], count[study.NotShown])}}
	if len(series) > 0 {
		s.Text = append(s.Text, "A distance is judged at each maximum, by its mean over rewards; a mean reward at every "+
			"reward by itself. Reproduced is what holds of all of them, in part what holds of some. The rules are "+
			"below each table.")
	}
	for _, t := range []reportTable{other, matrix} {
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// noted is a verdict with the letter of its reason, which is put into the table's notes.
func (t *reportTable) noted(verdict, why string) string {
	if why == "" {
		return verdict
	}
	k := slices.IndexFunc(t.Notes, func(n string) bool { return strings.HasSuffix(n, ") "+why+".") })
	if k < 0 {
		k = len(t.Notes)
		t.Notes = append(t.Notes, fmt.Sprintf("(%c) %s.", 'a'+k, why))
	}
	return fmt.Sprintf("%s (%c)", verdict, 'a'+k)
}

// byMaximum shows the findings of a figure, a row per graph, network and statement, a column a greatest reward.
func (r *directoryRows) byMaximum(figure, caption string) (t reportTable) {
	var maxima []int
	var list []study.Finding
	rules := []string{}
	for _, f := range r.findings {
		if f.Figure != figure || len(f.Parts) == 0 {
			continue
		}
		list = append(list, f)
		for _, p := range f.Parts {
			if !slices.Contains(maxima, p.RMax) {
				maxima = append(maxima, p.RMax)
			}
		}
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	if len(list) == 0 {
		return t
	}
	slices.Sort(maxima)
	t.Caption = caption
	t.Header = []string{"graph, network", "statement"}
	for _, m := range maxima {
		t.Header = append(t.Header, "maximum "+cli.Whole(m))
	}
	t.Header = append(t.Header, "verdict")
	for _, f := range list {
		row := []string{seriesName(f.Series), f.Claim}
		for _, m := range maxima {
			cell := "–"
			for _, p := range f.Parts {
				if p.RMax == m {
					cell = p.Text
					if !p.Good {
						cell = strings.TrimSpace(cell + " ✗ " + p.Why)
					}
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, append(row, t.noted(f.Counted(), f.Why)))
	}
	notes := []string{"Reproduced: " + strings.Join(rules, "; for the exception, ") +
		". ✗ is where it is not so; in part, where it is for some " + list[0].Unit + "."}
	t.Notes = append(append(notes, reasons(list)...), t.Notes...)
	return t
}

// reasons explain the words after ✗ in a table of findings.
func reasons(list []study.Finding) (notes []string) {
	var said []string
	for _, f := range list {
		for _, p := range f.Parts {
			said = append(said, strings.Split(p.Why, ", ")...)
		}
	}
	for _, r := range []struct{ word, means string }{
		{study.NoFall, "at the least λ the distance is less than a tenth above its least value"},
		{study.NoRise, "the same at the greatest λ; how many of the paths that attain the maximum its samples still have " +
			"is in “Samples at the greatest λ, reward by reward”"},
		{study.AtOther, "it falls and rises, but is least at a λ outside 10 to 1,000"},
		{study.HasSpot, "a sweet spot where the paper has none"},
	} {
		if slices.Contains(said, r.word) {
			notes = append(notes, fmt.Sprintf("“%s”: %s.", r.word, r.means))
		}
	}
	return notes
}
