package pathfile

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/table"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// totalColumns are the columns of a file of rewards or costs: the last is the one that is read, and the first name it
// has of total and these is taken.
func totalColumns(total string, also ...string) []table.Column {
	return []table.Column{
		{Name: "layer", Also: []string{"step", "l"}},
		{Name: "from", Also: []string{"source", "origin", "tail", "u"}, Must: true},
		{Name: "to", Also: []string{"target", "destination", "head", "v"}, Must: true},
		{Name: total, Also: also, Must: true},
	}
}

// ReadRewards reads the rewards of g's edges from separated text: rows of
//
//	layer,from,to,reward
//
// where layer is that of from, counted from 1 as in the paper, or * for every layer in which the edge is found;
// from and to are names (ddps.LayeredGraph.Name), and reward is any finite number. The first row may be a header, with
// the columns in any order, without layer (then * for all), and others, which are not used. Of a move of several slots
// from and to are its places; the reward is that of the first edge of its way, so that a path has it once. Separators,
// encodings and names are those of ReadCSV. Edges not named have reward 0; those of a row with * and of one with a
// layer add up. The result is by edge. name only serves the messages; note, where it is given, is called with what was
// found out, a line each.
//
// Errors name the file, the line and the field: a vertex or an edge that is not there, a row that occurs twice, a
// number that is none, a row of the wrong length, a first row that may be a header of other names, a file without a
// reward.
func ReadRewards(name string, r io.Reader, g *ddps.LayeredGraph, note ...func(text string)) ([]float64, error) {
	return readTotals(name, r, g, totalColumns("reward", "value", "score", "gain", "cost", "weight"), note)
}

// ReadCosts is ReadRewards for costs: of a header with several such columns it takes cost, not reward.
func ReadCosts(name string, r io.Reader, g *ddps.LayeredGraph, note ...func(text string)) ([]float64, error) {
	return readTotals(name, r, g, totalColumns("cost", "weight", "value", "score", "reward", "gain"), note)
}

// readTotals is ReadRewards with these columns.
func readTotals(name string, r io.Reader, g *ddps.LayeredGraph, columns []table.Column,
	note []func(text string)) ([]float64, error) {
	at := table.AtLine(name)
	r, err := separated(input.Unpacked(r))
	if err != nil {
		return nil, at(1, err)
	}
	in := rewardReader{g: g, columns: columns, u: make([]float64, g.NumEdges()), names: newVertexNames(g),
		line: map[[3]string]int{}, at: []int{0, 1, 2, 3}, given: make([]bool, g.NumEdges()),
		heading: g.Headings()}
	t := table.Open(r, table.Options{Separators: ",;\t", At: at, Fits: func(row []string) bool {
		m, err := table.Header(row, columns)
		return len(row) == 4 || err != nil || m.Missing(columns) == nil
	}})
	notes := t.Notes
	for first := true; ; first = false {
		row, line, err := t.Read()
		if err == io.EOF {
			break
		}
		if err == nil && first {
			var more []string
			if more, err = in.header(row); err != nil {
				err = at(line, err)
			} else if notes = append(notes, more...); in.width > 0 {
				continue
			}
		}
		if err == nil {
			if err = in.row(row, line); err != nil {
				err = at(line, err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if len(in.line) == 0 {
		return nil, at(0, fmt.Errorf("no %ss", in.columns[3].Name))
	}
	if err := g.CheckReward(in.u); err != nil {
		return nil, at(0, err)
	}
	decimals, err := in.decimals.Done()
	if err != nil {
		return nil, at(0, err)
	}
	if decimals != "" {
		notes = append(notes, decimals)
	}
	if in.again > 0 {
		notes = append(notes, fmt.Sprintf("%ss of several rows for one edge, which are added up: %d", in.columns[3].Name,
			in.again))
	}
	if in.rounded > 0 {
		notes = append(notes, fmt.Sprintf("%ss of more digits than a float64 holds, which are rounded: %d",
			in.columns[3].Name, in.rounded))
	}
	for _, text := range append(notes, in.names.notes()...) {
		for _, f := range note {
			f(text)
		}
	}
	return in.u, nil
}

// separated returns r, and an error where it begins as JSON or Parquet do.
func separated(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, _ := b.Peek(4) // an error comes again
	for what, is := range map[string]bool{"Parquet": string(head) == "PAR1",
		"JSON": len(head) > 0 && (head[0] == '{' || head[0] == '[')} {
		if is {
			return nil, fmt.Errorf("%s: rewards are read from separated text alone, rows of layer,from,to,reward", what)
		}
	}
	return b, nil
}

// rewardReader is the work of one ReadRewards.
type rewardReader struct {
	g     *ddps.LayeredGraph
	u     []float64
	names *vertexNames

	columns []table.Column
	at      []int             // of columns
	width   int               // of the header; 0 without
	line    map[[3]string]int // of each row
	given   []bool            // by edge
	heading ddps.Headings     // of moves of several slots
	again   int               // how often a reward was added to an edge that had one

	decimals table.Decimals
	rounded  int // whole numbers that float64 does not hold
}

// header takes a first row, if it is a header, and returns notes on it.
func (x *rewardReader) header(row []string) (notes []string, err error) {
	// else an error of its length
	m, err := table.HeaderOf(row, x.columns, func(row []string) bool { return len(row) != 4 })
	if m == nil || err != nil {
		return nil, err
	}
	if x.at, x.width = m.At, len(row); m.At[0] < 0 {
		notes = append(notes, "no column layer: a "+x.columns[3].Name+" is that of its edge in every layer")
	}
	taken := names.Normal(row[m.At[3]])
	if own := x.columns[3].Name; names.Folded(taken) != own && slices.Contains([]string{"reward", "cost"},
		names.Folded(taken)) {
		notes = append(notes, fmt.Sprintf("no column %s: it is read from the column %s", own, taken))
	}
	if unused := m.NotUsed(); unused != "" {
		notes = append(notes, unused)
	}
	return notes, nil
}

// row adds one row's reward; spreadsheets write rows of empty cells, too.
func (x *rewardReader) row(row []string, line int) error {
	if table.Blank(row) {
		return nil
	}
	want := 4
	if x.width > 0 {
		want = x.width
	}
	for len(row) > want && strings.TrimSpace(row[len(row)-1]) == "" {
		row = row[:len(row)-1]
	}
	if len(row) != want {
		return fmt.Errorf("%d fields, expected %d: layer, from, to, %s", len(row), want, x.columns[3].Name)
	}
	cell := func(k int) string { return row[x.at[k]] }
	u, err := strconv.ParseFloat(x.decimals.Text(cell(3)), 64)
	if err != nil || math.IsNaN(u) || math.IsInf(u, 0) {
		return fmt.Errorf("field %d: %s %q from %q to %q is not a finite number", x.at[3]+1, x.columns[3].Name, cell(3),
			names.Normal(cell(1)), names.Normal(cell(2)))
	}
	if text := strings.TrimLeft(strings.TrimSpace(cell(3)), "+0"); math.Abs(u) >= 1<<53 &&
		!strings.ContainsAny(text, ".eExXpP_") && strconv.FormatFloat(u, 'f', 0, 64) != text {
		x.rounded++
	}
	layer := "*"
	if x.at[0] >= 0 {
		layer = strings.TrimSpace(cell(0))
	}
	lo, hi := 1, x.g.NumLayers()-1
	if layer != "*" {
		if lo, err = strconv.Atoi(layer); err != nil || lo < 1 || lo > hi {
			return fmt.Errorf("field %d: layer %q is not in 1…%d, nor *", x.at[0]+1, layer, hi)
		}
		hi = lo
	}
	from, to := cell(1), cell(2)
	key := [3]string{layer, names.Normal(from), names.Normal(to)}
	if before, twice := x.line[key]; twice {
		return fmt.Errorf("the %s from %q to %q in layer %s is in line %d already", x.columns[3].Name, key[1], key[2], layer,
			before)
	}
	x.line[key] = line
	return x.add(layer, lo, hi, from, to, u)
}
