package paper

import (
	"fmt"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/plots"
)

// FrontPlot draws the divergence of guided samples from the unguided distribution against their reward, above the least
// possible: a curve a series of rows, of study.Trial with that distribution as target; at the marks is the guidance
// scale. Of the first curve, exact samples, a part lies above the front too.
func FrontPlot(f *compare.Front, rows []study.GuidanceRow) (*plot.Plot, error) {
	p := plots.Pareto{Title: "reward against faithfulness; at the marks, the scale", XLabel: "mean reward",
		YLabel: "KL(samples ‖ unguided) (nats)",
		Front:  plots.Series{Name: "least possible", X: f.Reward, Y: f.KL}, Labels: [][]string{nil},
		Series: []plots.Series{{Name: "exact samples", X: f.Reward, Y: f.Drawn}}, LimitName: "maximum"}
	for _, r := range rows {
		p.Limit = max(p.Limit, float64(r.RMax))
	}
	for _, of := range study.SeriesOf(rows) {
		scales, reward, kl, err := study.Tradeoff(rows, of)
		if err != nil {
			return nil, err
		}
		p.Series = append(p.Series, plots.Series{Name: of.Distribution, X: reward, Y: kl})
		var labels []string
		if of.Distribution != query.Boltzmann { // its scale is β
			for _, x := range scales {
				labels = append(labels, fmt.Sprintf("%g", x))
			}
		}
		p.Labels = append(p.Labels, labels)
	}
	return p.Plot()
}
