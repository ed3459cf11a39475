package reproducecmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/plots"
	"github.com/ddps-go/ddps/plots/paper"
)

// drawStudy draws a figure from the results on disk, a file for each series, and returns their names.
func drawStudy(a *cli.App, o *figuresOptions, figure string) (files []string, err error) {
	rows, err := study.ReadTable[study.GuidanceRow](filepath.Join(o.out, study.GuidanceFile))
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r study.GuidanceRow) bool { return r.Seed != o.seed })
	for _, s := range study.SeriesOf(rows) {
		if !slices.Contains(o.graphs, s.Graph) {
			continue
		}
		d, err := studyFigure(rows, s, figure, false)
		if err != nil {
			return files, err
		}
		pic, err := savePicture(o.out, studyFile(figure, s), "", d)
		if err != nil {
			return files, err
		}
		files = append(files, filepath.Join(o.out, pic.File))
	}
	return files, nil
}

// studyFigure is a figure of one series: 4, 5 or 6 by its name.
func studyFigure(rows []study.GuidanceRow, s study.Series, figure string, own bool) (plots.Drawer, error) {
	names := compare.DistanceNames()
	switch figure {
	case "fig:distributions":
		return paper.GuidanceFigure(rows, s, own, names[:4]...)
	case "fig:scores":
		return paper.GuidanceFigure(rows, s, own, names[4:]...)
	}
	return paper.GuidancePlot(rows, s, study.QuantityReward)
}

// studyFile names the file of a figure: fig4-toy-mlp-algorithm2.png.
func studyFile(figure string, s study.Series) string {
	number := map[string]int{"fig:reward": 4, "fig:distributions": 5, "fig:scores": 6}[figure]
	slug := strings.NewReplacer(" network", "", " of", "", " on a", "", " ", "-")
	parts := []string{s.Graph, slug.Replace(s.Model), s.Distribution}
	if s.Kernel != "" {
		parts = append(parts, s.Kernel)
	}
	return fmt.Sprintf("fig%d-%s.png", number, strings.Join(parts, "-"))
}
