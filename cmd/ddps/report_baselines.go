package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/plots"
)

// optional returns the rows of a ledger; none where there is no such file.
func optional[T any](dir, file string) ([]T, error) {
	rows, err := experiment.ReadLedger[T](filepath.Join(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return rows, err
}

// baselineSections show table 1 and figure 3, and judge them by what the paper states; where the folder has no results
// of one, the finding says which command makes them.
func baselineSections(dir string) (list []reportSection, findings []experiment.Finding, err error) {
	table, err := optional[experiment.Table1Row](dir, "table1.csv")
	if err != nil {
		return nil, nil, err
	}
	validity, err := optional[experiment.ValidityRow](dir, "validity.csv")
	if err != nil {
		return nil, nil, err
	}
	findings = append(experiment.Table1Findings(table), experiment.ValidityFindings(validity)...)
	commands := map[string]string{"table 1": "table1", "figure 3": "validity"}
	for i, f := range findings {
		if f.Verdict == experiment.NotShown {
			findings[i].Why = fmt.Sprintf("not run here: ddps reproduce %s -o %s", commands[f.Figure], dir)
		}
	}
	if len(table) > 0 {
		var presets []string
		for _, r := range table {
			if !slices.Contains(presets, r.Preset) {
				presets = append(presets, r.Preset)
			}
		}
		list = append(list, reportSection{Title: "Table 1: valid rates without guidance",
			Text:   []string{"All trained on the same four fifths of the 1,350 paths of RQ1, preset " + strings.Join(presets, ", ") + "."},
			Tables: []reportTable{{Header: table1Header, Rows: table1Cells(table)}}})
	}
	if len(validity) > 0 {
		s := reportSection{Title: "Figure 3: valid rates under guidance", Tables: []reportTable{{Header: validityHeader, Rows: validityCells(validity)}}}
		p, err := plots.Sweep{Title: "Samples that are paths, guided to an edge of RQ1", YLabel: "valid rate", Series: validitySeries(validity)}.Plot()
		if err != nil {
			return nil, nil, err
		}
		pic, err := savePicture(dir, "validity.png", "The share of samples that are paths, against λ, which does not mean the same in both methods", p)
		if err != nil {
			return nil, nil, err
		}
		s.Pictures = append(s.Pictures, pic)
		list = append(list, s)
	}
	return list, findings, nil
}
