package reproducecmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/study/table1"
	"github.com/ddps-go/ddps/plots"
)

// optional returns the rows of a results table; none where there is no such file.
func optional[T any](dir, file string) ([]T, error) {
	rows, err := study.ReadTable[T](filepath.Join(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return rows, err
}

// rivalResults are the rows of table 1 and figure 3 of a graph.
type baselineResults struct {
	dir      string
	example  bool // the example graph, else RQ1
	table    []table1.Row
	validity []table1.ValidityRow
	curve    []table1.SwinRow
}

func (v *baselineResults) read() (err error) {
	if v.table, v.validity, err = readBaselines(v.dir); err != nil {
		return err
	}
	v.curve, err = optional[table1.SwinRow](v.dir, swinFile)
	v.curve = table1.MainTraining(v.curve)
	return err
}

func (v *baselineResults) graph() string {
	if v.example {
		return "the ten paths of the example graph"
	}
	return "the 1,350 paths of RQ1"
}

// baselineFindings judges table 1 and figure 3: by RQ1 where it has rows of a method, else by the example graph.
func baselineFindings(list []baselineResults) (findings []study.Finding) {
	var table []table1.Row
	var validity []table1.ValidityRow
	example := false
	for _, v := range slices.Backward(list) { // the last row of a method counts: RQ1's
		table = append(table, table1.Main(v.table)...)
		if len(v.validity) > 0 {
			validity, example = v.validity, v.example
		}
	}
	findings = append(table1.Findings(table), table1.ValidityFindings(validity, example)...)
	for i, f := range findings {
		if f.Found == "nothing" {
			findings[i].Why = "not run here: ddps reproduce " + map[bool]string{true: "table1",
				false: "validity"}[f.Figure == "table 1"] + " with the same -o"
		}
	}
	return findings
}

// baselines are table 1 and figure 3, each graph's by itself.
func (r *directoryRows) baselines() ([]reportSection, error) {
	one := reportSection{ID: "table-1", Title: "Table 1: valid rates without guidance",
		Text: []string{"The paper, of 8,192 samples each: EDP-GNN 0.00%, SwinGNN 99.7%, DDPS 100%. All methods here " +
			"learn from the same four fifths of the paths. How samples that are no path fail, and the sizes, are in the " +
			"columns after."}}
	three := reportSection{ID: "figure-3", Title: "Figure 3: valid rates under guidance",
		Text: []string{"The paper: at small λ both are valid almost all the time; as λ grows SwinGNN falls to zero, not " +
			"monotonically, and DDPS stays at 100%. The reward is 1 for one edge. λ does not mean the same in the methods."}}
	for _, v := range r.baselineRows {
		if len(v.table) > 0 {
			presets := distinct(v.table, func(t table1.Row) string { return t.Preset })
			main := table1.Main(v.table)
			one.Tables = append(one.Tables, reportTable{Caption: fmt.Sprintf("On %s, preset %s, seed %s", v.graph(),
				strings.Join(presets, ", "), strings.Join(distinct(main, func(t table1.Row) string { return fmt.Sprint(t.Seed) }),
					", ")), Header: table1Header, Rows: table1Cells(main)})
		}
		if len(v.validity) == 0 {
			continue
		}
		p, err := plots.Sweep{Title: "Samples that are paths, guided to an edge", YLabel: "valid rate",
			Series: validitySeries(v.validity)}.Plot()
		if err != nil {
			return nil, err
		}
		file := map[bool]string{true: "validity-example.png", false: "validity.png"}[v.example]
		pic, err := savePicture(r.dir, file, "The share of samples that are paths, with its 95% interval", p)
		if err != nil {
			return nil, err
		}
		three.Groups = append(three.Groups, reportGroup{Title: "On " + v.graph(), Pictures: []cli.Picture{pic}})
		three.Tables = append(three.Tables, v.against(), v.strongest())
	}
	return []reportSection{one, three}, nil
}

// against shows valid rates against λ.
func (v *baselineResults) against() reportTable {
	t := reportTable{Header: []string{"λ"}, Caption: fmt.Sprintf("On %s, %s samples per row, seed %d%s", v.graph(),
		cli.Whole(v.validity[0].Samples), v.validity[0].Seed, v.trained())}
	methods := distinct(v.validity, func(r table1.ValidityRow) string { return r.Method })
	for _, m := range methods {
		t.Header = append(t.Header, m+": valid", "with the edge")
	}
	for _, lambda := range distinct(v.validity, func(r table1.ValidityRow) string { return fmt.Sprintf("%g", r.Lambda) }) {
		row := []string{lambda}
		for _, m := range methods {
			k := slices.IndexFunc(v.validity, func(r table1.ValidityRow) bool {
				return r.Method == m &&
					fmt.Sprintf("%g", r.Lambda) == lambda
			})
			if k < 0 {
				row = append(row, "–", "–")
				continue
			}
			row = append(row, cli.Percent(v.validity[k].Valid), cli.Percent(v.validity[k].Reward))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// strongest shows how samples at the greatest λ fail.
func (v *baselineResults) strongest() reportTable {
	most := slices.MaxFunc(v.validity, func(a, b table1.ValidityRow) int { return cmp.Compare(a.Lambda, b.Lambda) }).Lambda
	rows := slices.DeleteFunc(slices.Clone(v.validity), func(r table1.ValidityRow) bool { return r.Lambda != most })
	return reportTable{Caption: fmt.Sprintf("What samples are at λ = %g", most), Header: validityHeader,
		Rows: validityCells(rows)}
}

// trained says how long SwinGNN was trained, and what it had learned.
func (v *baselineResults) trained() string {
	if len(v.curve) == 0 {
		return ""
	}
	last := v.curve[len(v.curve)-1]
	return fmt.Sprintf("; SwinGNN after %s steps, %s: %s valid unguided", cli.Whole(last.Step), seconds3(last.Seconds),
		cli.Percent(last.Valid))
}
