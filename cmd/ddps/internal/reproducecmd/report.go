package reproducecmd

import (
	_ "embed"
	"fmt"
	html "html/template"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps/study"
	memstudy "github.com/ddps-go/ddps/ddps/study/memory"
)

//go:embed report.html
var reportHTML string

//go:embed report.md
var reportMarkdown string

// report is what the two templates show.
type report struct {
	Title    string
	Intro    []string
	Facts    [][2]string
	Sections []reportSection
}

type reportSection struct {
	ID, Title string
	Text      []string
	Tables    []reportTable
	Groups    []reportGroup
}

type reportTable struct {
	Caption string
	Header  []string
	Rows    [][]string
	Notes   []string
}

// reportGroup is pictures side by side.
type reportGroup struct {
	Title    string
	Pictures []cli.Picture
}

// Pairs are the pictures two by two: Markdown has tables of one width.
func (g reportGroup) Pairs() [][]cli.Picture { return slices.Collect(slices.Chunk(g.Pictures, 2)) }

// directoryRows are the rows of a directory.
type directoryRows struct {
	dir          string
	cells        []study.GuidanceRow // of the first seed
	allSeeds     []study.GuidanceRow
	rewards      []study.RewardRow
	memory       []memstudy.Row
	costs        []study.CostRow
	baselineRows []baselineResults // on RQ1 and on the example graph, where there are any
	findings     []study.Finding
}

func newReportCmd(a *cli.App) *cobra.Command {
	out := ""
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write the report of the results in a directory",
		Long: "Write report.html, one page that stands alone, and report.md with its pictures beside it: every table and\n" +
			"figure that the directory has results of, beside what the paper states, with a verdict.\n" +
			"Its numbers come from the results on disk and from nothing else: cells.csv, rewards.csv, memory.csv,\n" +
			"costs.csv, and table1.csv, validity.csv and swingnn.csv of the directory and of example/ in it.",
		Example: "  ddps reproduce report -o out/paper",
		Args:    cli.WantArgs(),
		RunE:    func(*cobra.Command, []string) error { return writeReport(a, out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "reproduce", "`directory` of the results")
	cli.FileFlag(cmd, "output")
	return cmd
}

// readResults reads the rows of a directory.
func readResults(dir string) (r *directoryRows, err error) {
	r = &directoryRows{dir: dir}
	if r.allSeeds, err = optional[study.GuidanceRow](dir, study.GuidanceFile); err != nil {
		return nil, err
	}
	r.cells = study.FirstSeed(r.allSeeds)
	if r.rewards, err = optional[study.RewardRow](dir, study.RewardFile); err != nil {
		return nil, err
	}
	r.rewards = study.LatestRewards(r.rewards)
	if r.memory, err = optional[memstudy.Row](dir, "memory.csv"); err != nil {
		return nil, err
	}
	if r.costs, err = optional[study.CostRow](dir, study.CostFile); err != nil {
		return nil, err
	}
	for _, sub := range []string{"", exampleDir} {
		v := baselineResults{dir: filepath.Join(dir, sub), example: sub != ""}
		if err := v.read(); err != nil {
			return nil, err
		}
		if len(v.table) > 0 || len(v.validity) > 0 {
			r.baselineRows = append(r.baselineRows, v)
		}
		costs, err := optional[study.CostRow](v.dir, study.CostFile)
		if err != nil {
			return nil, err
		}
		if sub != "" {
			r.costs = append(r.costs, costs...)
		}
	}
	r.findings = slices.Concat(baselineFindings(r.baselineRows), study.Findings(r.cells), study.RewardFindings(r.rewards))
	if len(r.cells)+len(r.rewards)+len(r.memory)+len(r.baselineRows) == 0 {
		return nil, fmt.Errorf("%s has no results: ddps reproduce all -o %s makes them", dir, dir)
	}
	return r, nil
}

// writeReport writes the report of a directory.
func writeReport(a *cli.App, dir string) error {
	res, err := readResults(dir)
	if err != nil {
		return err
	}
	r := &report{Title: "DDPS reproduced", Intro: reportIntro(), Facts: res.facts()}
	r.Sections = []reportSection{res.glance(), res.rowSets()}
	for _, part := range []func() ([]reportSection, error){res.baselines, res.figures} {
		s, err := part()
		if err != nil {
			return err
		}
		r.Sections = append(r.Sections, s...)
	}
	r.Sections = append(r.Sections, res.sweetSpots(), res.greatest(), res.rare(), res.exact(), res.overSeeds(),
		res.remembered(), res.cost())
	r.Sections = slices.DeleteFunc(r.Sections, func(s reportSection) bool {
		return len(s.Tables) == 0 &&
			len(s.Groups) == 0
	})
	page, text := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.md")
	err = a.WriteFiles(cli.OutFile{Path: page, Write: func(w io.Writer) error { return reportPage.Execute(w, r) }},
		cli.OutFile{Path: text, Write: func(w io.Writer) error { return reportText.Execute(w, r) }})
	if err == nil {
		fmt.Fprintf(a.Stdout, "%s\n%s\n", page, text)
	}
	return err
}

var (
	reportPage = html.Must(html.New("report").Parse(reportHTML))
	reportText = template.Must(template.New("report").Funcs(template.FuncMap{"cell": markdownCell}).Parse(reportMarkdown))
)

// Class is how the page shows a cell of column k, and with no cell its header.
func (t reportTable) Class(k int, cell string) string {
	verdict, _, _ := strings.Cut(cell, " (")
	verdict, _, _ = strings.Cut(verdict, ", ")
	switch verdict {
	case study.Reproduced:
		return "reproduced"
	case study.Differs:
		return "differs"
	case study.InPart, study.NotShown:
		return "part"
	}
	return t.align(k)
}

// align is "num" for a column of numbers.
func (t reportTable) align(k int) string {
	some := false
	for _, r := range t.Rows {
		if r[k] == "" || r[k] == "–" {
			continue
		}
		if some = true; !number.MatchString(r[k]) {
			return ""
		}
	}
	if some {
		return "num"
	}
	return ""
}

// number is a number with its unit, spread, floor or interval.
var number = regexp.MustCompile(`^[-−]?[0-9][0-9.,e+-]*( %| s| min)?( ± [0-9.–e-]+)?( – [0-9.]+ %)?( \([0-9.e-]+\))?$`)

// markdownCell keeps a text in its cell.
func markdownCell(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) }

func reportIntro() []string {
	return []string{"What “DDPS: Discrete Diffusion Posterior Sampling for Paths in Layered Graphs” (Luan, Ng and Ling " +
		"2025) shows, reproduced by ddps. " +
		"The paper's figures are not at hand as numbers: each of ours is beside what its text states, and the " +
		"verdicts follow by rules that are with them."}
}
