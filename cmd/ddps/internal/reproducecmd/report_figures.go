package reproducecmd

import (
	"encoding/base64"
	"fmt"
	html "html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/plots"
)

// dashed explains the lines of figures 5 and 6 that are no curves.
const dashed = " Dashed are the model and the fitted chain, both conditioned exactly: one line each, the mean over " +
	"the maxima."

// enough says of which rewards the paper's target is one.
var enough = fmt.Sprintf(", of the rewards that at least %d do.", study.LeastHits)

// figures are the paper's figures 4 to 6.
func (r *directoryRows) figures() ([]reportSection, error) {
	paper := map[string][]string{
		"fig:reward": {"The paper: “with stronger guidance, the higher reward one obtains, eventually plateauing at the " +
			"maximum”; an S on the logarithmic axis, on all three graphs.",
			"Means over rewards of the same maximum; bars are their standard deviation (÷n), dotted the maxima. λ = 0 is left " +
				"of the break." + r.fewRewards()},
		"fig:distributions": {"The paper: all four distances fall until about λ = 100, then rise and level off; a “sweet " +
			"spot” between reward and the learned distribution.",
			"Left from the exact target, the data's distribution given the maximum; right from the paper's, the samples at λ " +
				"= 0 that attain it" + enough + " Dotted is the floor, what as many exact draws show; golden the λ of the least " +
				"mean." + dashed},
		"fig:scores": {"The paper: except for IS-L-SF, all fall to a sweet spot, at about the same λ, before they rise " +
			"and level off; the reward there is near-optimal.",
			"Left from the exact target: of the data on Toy; on maps of the model, or beside a network of the true " +
				"distribution. Right from the paper's, the samples at λ = 0 that attain the maximum" + enough + " Dotted is the " +
				"floor; golden the λ of the least mean." + dashed},
	}
	caption := map[string]string{"fig:reward": "Mean reward at the least λ → at the greatest",
		"fig:distributions": "λ of the least distance: at the least λ → there → at the greatest λ",
		"fig:scores":        "λ of the least score: at the least λ → there → at the greatest λ"}
	var list []reportSection
	for i, f := range studyFigures {
		s := reportSection{ID: fmt.Sprintf("figure-%d", 4+i), Title: f.short, Text: paper[f.name]}
		s.Text = append(s.Text, r.found(fmt.Sprintf("figure %d", 4+i)))
		tables := []reportTable{r.byMaximum(fmt.Sprintf("figure %d", 4+i), caption[f.name])}
		if f.name == "fig:scores" {
			tables = append(tables, r.byMaximum("figures 4 and 6", "Mean reward at the shared sweet spot"))
		}
		s.Tables = slices.DeleteFunc(tables, func(t reportTable) bool { return len(t.Rows) == 0 })
		var err error
		if s.Groups, err = r.groups(f.name); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// groups are a figure's pictures: a group a graph of mean rewards, else a group a series.
func (r *directoryRows) groups(figure string) (list []reportGroup, err error) {
	for _, of := range study.SeriesOf(r.cells) {
		if figure == "fig:distributions" && of.Graph != "toy" {
			continue
		}
		pic, err := r.picture(figure, of, false)
		if err != nil {
			return nil, err
		}
		if figure == "fig:reward" {
			if n := len(list); n == 0 || list[n-1].Title != graphTitle(of.Graph) {
				list = append(list, reportGroup{Title: graphTitle(of.Graph)})
			}
			g := &list[len(list)-1]
			g.Pictures = append(g.Pictures, pic)
			continue
		}
		g := reportGroup{Title: seriesName(of) + ", " + guideName(of), Pictures: []cli.Picture{pic}}
		if hasOwn(r.cells, of) {
			if pic, err = r.picture(figure, of, true); err != nil {
				return nil, err
			}
			g.Pictures = append(g.Pictures, pic)
		}
		list = append(list, g)
	}
	return list, nil
}

// picture draws a figure of a series to the directory.
func (r *directoryRows) picture(figure string, of study.Series, own bool) (cli.Picture, error) {
	d, err := studyFigure(r.cells, of, figure, own)
	if err != nil {
		return cli.Picture{}, err
	}
	file, caption := studyFile(figure, of), "from the exact target"
	switch {
	case figure == "fig:reward":
		caption = seriesName(of) + ", " + guideName(of)
	case own:
		file, caption = strings.TrimSuffix(file, ".png")+"-own.png", "from the paper's target: "+r.ownRewards(of)
	}
	return savePicture(r.dir, file, caption, d)
}

// fewRewards says of which series the bars are of few rewards.
func (r *directoryRows) fewRewards() string {
	var two, one []string
	for _, of := range study.SeriesOf(r.cells) {
		n := len(distinct(seriesRows(r.cells, of), func(c study.GuidanceRow) string { return fmt.Sprint(c.Instance) }))
		switch n {
		case 1:
			one = append(one, seriesName(of))
		case 2:
			two = append(two, seriesName(of))
		}
	}
	text := ""
	if len(two) > 0 {
		text += " Of " + strings.Join(two, "; ") + " they are of two rewards: half their difference."
	}
	if len(one) > 0 {
		text += " Of " + strings.Join(one, "; ") + " there is one reward of each maximum, and no bar."
	}
	return text
}

// ownRewards counts the rewards of each maximum that the paper's target is drawn of: "maximum 1, 3 of 4 rewards".
func (r *directoryRows) ownRewards(of study.Series) string {
	var parts []string
	for _, c := range study.Curves(r.cells, of, study.QuantityReward, false) {
		n := 0
		for _, row := range seriesRows(r.cells, of) {
			if row.RMax == c.RMax && row.Lambda == c.X[0] && row.Hits >= study.LeastHits {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("maximum %d, %d of %d rewards", c.RMax, n, c.Instances))
		}
	}
	return strings.Join(parts, "; ")
}

// hasOwn reports whether enough unguided samples of the series attain the greatest reward.
func hasOwn(rows []study.GuidanceRow, of study.Series) bool {
	return slices.ContainsFunc(rows, func(r study.GuidanceRow) bool {
		return r.Graph == of.Graph && r.Model == of.Model && r.Distribution == of.Distribution && r.Kernel == of.Kernel &&
			r.Hits >= study.LeastHits
	})
}

// savePicture draws a file of the directory.
func savePicture(dir, file, caption string, d plots.Drawer) (cli.Picture, error) {
	w, h := plots.Width, plots.Height
	if f, ok := d.(*plots.Figure); ok {
		w, h = f.Size()
	}
	path := filepath.Join(dir, file)
	if err := plots.Save(d, path, w, h); err != nil {
		return cli.Picture{}, err
	}
	data, err := os.ReadFile(path)
	return cli.Picture{File: file, Caption: caption, Image: html.URL("data:image/png;base64," +
		base64.StdEncoding.EncodeToString(data))}, err
}
