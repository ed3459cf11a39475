package modelcmd

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

// scored is the walks of a file with what score says of them.
type scored struct {
	paths  []ddps.Path
	counts []int
	nats   []d3pm.Estimate
	chain  []float64
	rows   *cli.Rows
}

// scoreRow is a row of the result.
type scoreRow struct {
	cli.Row
	numbers [4]float64 // nll, stderr, chain, difference; NaN: not known
}

// list returns the rows, in the order in which the walks first come.
func (s *scored) list(names func(ddps.Path) []string) (list []scoreRow) {
	unknown := math.NaN()
	for i, p := range s.paths {
		var r scoreRow
		if s.rows.At != nil {
			r.Row = s.rows.At[i]
		}
		r.Names, r.Count = names(p), s.counts[i]
		nll, stderr := s.nats[i].Mean, s.nats[i].StdErr
		switch {
		case math.IsNaN(nll):
			r.Reason, stderr = "it does not meet the condition", unknown
		case math.IsInf(nll, 1):
			r.Reason = "its probability under the model is 0"
		}
		r.numbers = [4]float64{nll, stderr, s.chain[i], nll - s.chain[i]}
		list = append(list, r)
	}
	for _, stray := range s.rows.Stray {
		list = append(list, scoreRow{stray, [4]float64{math.Inf(1), unknown, unknown, unknown}})
	}
	slices.SortStableFunc(list, func(a, b scoreRow) int { return a.Line - b.Line })
	return list
}

// writeScores writes a row each different walk; those of walks have no source and no END.
func writeScores(w io.Writer, g *ddps.LayeredGraph, s *scored) error {
	c := csv.NewWriter(w)
	width, names := g.NumLayers(), func(p ddps.Path) (list []string) {
		for _, v := range p {
			list = append(list, g.Name(v))
		}
		return list
	}
	if g.Walks() {
		width, names = width-g.FirstPlace(), sequences.Names(g)
	}
	list, cases := s.list(names), false
	for _, r := range list {
		width, cases = max(width, len(r.Names)), cases || r.Case != ""
	}
	var head []string
	for l := range width {
		head = append(head, fmt.Sprintf("v%d", l+1))
	}
	head = append(head, "nll", "stderr", "chain", "difference", "count", "line", "reason")
	if cases {
		head = append(head, "case")
	}
	c.Write(head) // its error stays and shows below
	for _, r := range list {
		row := make([]string, width, len(head))
		copy(row, r.Names)
		for _, x := range r.numbers {
			row = append(row, scoreNumber(x))
		}
		line := ""
		if r.Line > 0 {
			line = strconv.Itoa(r.Line)
		}
		if row = append(row, strconv.Itoa(r.Count), line, r.Reason); cases {
			row = append(row, r.Case)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// scoreNumber writes a number, "" for one that is not known.
func scoreNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.Abs(x) >= 1e15:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', 6, 64)
}
