package main

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	html "html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/plots"
)

//go:embed report.html
var reportHTML string

//go:embed report.md
var reportMarkdown string

// report is what the two templates show.
type report struct {
	Title    string
	Intro    []string
	Sections []reportSection
}

type reportSection struct {
	Title    string
	Text     []string
	Pictures []picture
	Tables   []reportTable
}

type reportTable struct {
	Caption string
	Header  []string
	Rows    [][]string
}

func newReportCmd(a *app) *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write the report of the results in a folder",
		Long: "Write report.html, one page that stands alone, and report.md with its pictures beside it: every table and\n" +
			"figure that the folder has results of, beside what the paper states, with a verdict. Its numbers come from the\n" +
			"results on disk and from nothing else.",
		Example: "  ddps reproduce report -o out/paper",
		Args:    wantArgs(),
		RunE:    func(*cobra.Command, []string) error { return a.report(out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "reproduce", "folder of the results")
	fileFlag(cmd, "output")
	return cmd
}

// report writes the report of a folder.
func (a *app) report(dir string) error {
	rows, err := optional[experiment.StudyRow](dir, experiment.StudyFile)
	if err != nil {
		return err
	}
	r := &report{Title: "DDPS reproduced", Intro: reportIntro(rows)}
	baselines, findings, err := baselineSections(dir)
	if err != nil {
		return err
	}
	results := len(rows) > 0 || len(baselines) > 0
	r.Sections = append(append(r.Sections, findingsSection(append(findings, experiment.Findings(rows)...))), baselines...)
	for _, f := range studyFigures {
		s, err := figureSection(dir, rows, f.name, f.short)
		if err != nil {
			return err
		}
		r.Sections = append(r.Sections, s)
	}
	r.Sections = append(r.Sections, exactSection(rows))
	memory, err := memorySection(dir)
	if err != nil {
		return err
	}
	r.Sections = append(append(r.Sections, memory...), costSection(rows))
	r.Sections = slices.DeleteFunc(r.Sections, func(s reportSection) bool { return len(s.Tables) == 0 && len(s.Pictures) == 0 })
	if !results && len(memory) == 0 {
		return fmt.Errorf("%s has no results: ddps reproduce all -o %s makes them", dir, dir)
	}
	page, text := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.md")
	err = a.writeFiles(outFile{page, func(w io.Writer) error { return reportPage.Execute(w, r) }},
		outFile{text, func(w io.Writer) error { return reportText.Execute(w, r) }})
	if err == nil {
		fmt.Fprintf(a.stdout, "%s\n%s\n", page, text)
	}
	return err
}

var (
	reportPage = html.Must(html.New("report").Funcs(html.FuncMap{"class": verdictClass}).Parse(reportHTML))
	reportText = template.Must(template.New("report").Funcs(template.FuncMap{"cell": markdownCell}).Parse(reportMarkdown))
)

// verdictClass is how the page shows a cell.
func verdictClass(cell string) string {
	switch {
	case cell == experiment.Reproduced:
		return "reproduced"
	case cell == experiment.Differs:
		return "differs"
	case cell == experiment.InPart || cell == experiment.NotShown:
		return "part"
	case cell != "" && strings.ContainsAny(cell[:1], "0123456789.+-"):
		return "num"
	}
	return ""
}

// markdownCell keeps a text in its cell.
func markdownCell(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) }

func reportIntro(rows []experiment.StudyRow) []string {
	seconds, samples := 0.0, 0
	for _, r := range rows {
		seconds += r.Seconds
		samples += r.Samples
	}
	v := versions()
	return []string{
		"What “DDPS: Discrete Diffusion Posterior Sampling for Paths in Layered Graphs” (Luan, Ng and Ling 2025) shows, made again by ddps. Each figure stands beside what the paper states of it; the verdicts follow by the rules that they tell. " +
			"“Exact target” is the law of the data (Toy), or of the model (maps), given the greatest reward; the paper's own target, the samples at λ = 0 that earn it, is in the second figure of each pair. Error bars are standard deviations over reward instances.",
		fmt.Sprintf("%s cells, %s samples, %s of sampling; %s, %s, %s, gomlx %s, gonum %s.", whole(len(rows)), whole(samples),
			seconds3(seconds), "ddps "+v.DDPS, v.Go, v.Platform, v.GoMLX, v.Gonum),
	}
}

func seconds3(s float64) string {
	if s < 120 {
		return real3(s) + " s"
	}
	return real3(s/60) + " min"
}

func findingsSection(list []experiment.Finding) reportSection {
	t := reportTable{Header: []string{"figure", "graph, model", "the paper", "found", "verdict", "why"}}
	for _, f := range list {
		t.Rows = append(t.Rows, []string{f.Figure, f.Graph, f.Paper, f.Found, f.Verdict, f.Why})
	}
	return reportSection{Title: "What the paper states, and what was found", Tables: []reportTable{t}}
}

// figureSection draws a figure of each series that has one; those of distances from both targets.
func figureSection(dir string, rows []experiment.StudyRow, figure, title string) (reportSection, error) {
	s := reportSection{Title: title}
	for _, of := range experiment.Series(rows) {
		for _, own := range []bool{false, true} {
			if figure == "fig:distributions" && of.Graph != "toy" || own && (figure == "fig:reward" || !hasOwn(rows, of)) {
				continue
			}
			d, err := studyFigure(rows, of, figure, own)
			if err != nil {
				return s, err
			}
			file := studyFile(figure, of)
			caption := fmt.Sprintf("%s, %s, %s", of.Graph, of.Model, strings.TrimSpace(of.Law+" "+of.Kernel))
			if own {
				file = strings.TrimSuffix(file, ".png") + "-own.png"
				caption += ", from the paper's target"
			} else if figure != "fig:reward" {
				caption += ", from the exact target"
			}
			pic, err := savePicture(dir, file, caption, d)
			if err != nil {
				return s, err
			}
			s.Pictures = append(s.Pictures, pic)
		}
	}
	return s, nil
}

// hasOwn tells whether any unguided sample of the series earns the greatest reward.
func hasOwn(rows []experiment.StudyRow, of experiment.StudySeries) bool {
	return slices.ContainsFunc(rows, func(r experiment.StudyRow) bool {
		return r.Graph == of.Graph && r.Model == of.Model && r.Law == of.Law && r.Kernel == of.Kernel && r.Hits > 0
	})
}

// savePicture draws a file of the folder.
func savePicture(dir, file, caption string, d plots.Drawer) (picture, error) {
	w, h := plots.Width, plots.Height
	if f, ok := d.(*plots.Figure); ok {
		w, h = f.Size()
	}
	path := filepath.Join(dir, file)
	if err := plots.Save(d, path, w, h); err != nil {
		return picture{}, err
	}
	data, err := os.ReadFile(path)
	return picture{file, caption, html.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data))}, err
}

// exactSection sets guidance at its sweet spot beside the exact conditions.
func exactSection(rows []experiment.StudyRow) reportSection {
	s := reportSection{Title: "Guidance at its best λ beside exact conditioning", Text: []string{
		"Distances from the exact target, means over instances. The floor is what as many exact draws show. Exact conditioning has no λ: all of its samples earn the maximum. The fitted chain is the simple rival."}}
	for _, of := range experiment.Series(rows) {
		names := []string{"IS-L-L1", "FLGD"}
		if of.Graph == "toy" {
			names = append([]string{"KL", "L1"}, names...)
		}
		t := reportTable{Caption: fmt.Sprintf("%s, %s, %s", of.Graph, of.Model, strings.TrimSpace(of.Law+" "+of.Kernel)),
			Header: []string{"maximum", "instances", "distance", "least at λ", "there", "reward there", "exact condition", "fitted chain", "floor"}}
		reward := experiment.StudyCurves(rows, of, experiment.QuantityReward, false)
		for _, name := range names {
			for i, c := range experiment.StudyCurves(rows, of, name, false) {
				x := c.SweetSpot()
				if math.IsNaN(x) {
					continue
				}
				t.Rows = append(t.Rows, []string{whole(c.RMax), whole(c.Instances), name, fmt.Sprintf("%g", x), real3(c.At(x)), real3(reward[i].At(x)),
					real3(c.Model), real3(c.Chain), real3(c.Floor)})
			}
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// memorySection shows the study of memory where the folder has one.
func memorySection(dir string) ([]reportSection, error) {
	rows, err := optional[experiment.RecallRow](dir, "memory.csv")
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	s := reportSection{Title: "Memory: what the paper does not ask", Text: []string{
		"The data of the maps have memory. How near the model, and chains, come to the law that made them; mean ± standard deviation over seeds, in brackets the floor."}}
	for _, graph := range []string{"heights", "ridge"} {
		of := slices.DeleteFunc(slices.Clone(rows), func(r experiment.RecallRow) bool { return r.Graph != graph })
		if len(of) > 0 {
			s.Tables = append(s.Tables, reportTable{graph, recallHeader, recallCells(experiment.RecallMeans(of))})
		}
	}
	return []reportSection{s}, nil
}

// costSection tells sizes and cost.
func costSection(rows []experiment.StudyRow) reportSection {
	t := reportTable{Header: []string{"graph, model", "guide", "maxima", "instances", "cells", "samples a cell", "steps", "seed", "seconds of sampling"}}
	for _, of := range experiment.Series(rows) {
		maxima, instances := map[int]bool{}, map[int]bool{}
		n, seconds := 0, 0.0
		var last experiment.StudyRow
		for _, r := range rows {
			if r.Graph == of.Graph && r.Model == of.Model && r.Law == of.Law && r.Kernel == of.Kernel {
				maxima[r.RMax], instances[r.Instance] = true, true
				n, seconds, last = n+1, seconds+r.Seconds, r
			}
		}
		t.Rows = append(t.Rows, []string{of.Graph + ", " + of.Model, strings.TrimSpace(of.Law + " " + of.Kernel), whole(len(maxima)), whole(len(instances)), whole(n),
			whole(last.Samples), whole(last.Steps), fmt.Sprint(last.Seed), real3(seconds)})
	}
	s := reportSection{Title: "Sizes and cost"}
	if len(t.Rows) > 0 {
		s.Tables = []reportTable{t}
	}
	return s
}
