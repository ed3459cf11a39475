package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
)

// ReadRewards reads the rewards of g's edges from comma-separated values: rows of
//
//	layer,from,to,reward
//
// where layer is that of from, counted from 1 as in the paper, or * for every layer in which the edge is found;
// from and to are names (ddps.LayeredGraph.Name), and reward is any finite number. The first row may be that
// header. Edges not named have reward 0; the rewards of an edge named twice add up. The result is by edge. name
// only serves the messages. Errors name the file, the line and the field: an edge that is not there, a number
// that is none, a row of the wrong length, a file without a reward.
func ReadRewards(name string, r io.Reader, g *ddps.LayeredGraph) ([]float64, error) {
	c := csv.NewReader(input.Text(r))
	c.FieldsPerRecord, c.TrimLeadingSpace = -1, true
	u, rows := make([]float64, g.NumEdges()), 0
	for first := true; ; first = false {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("datasets: %s:%d: column %d: %w", name, syntax.Line, syntax.Column, syntax.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		if first && strings.EqualFold(strings.Join(row, ","), "layer,from,to,reward") {
			continue
		}
		if err := addReward(g, u, row); err != nil {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("datasets: %s:%d: %w", name, line, err)
		}
		rows++
	}
	if rows == 0 {
		return nil, fmt.Errorf("datasets: %s: no rewards", name)
	}
	if err := g.CheckReward(u); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return u, nil
}

// ReadRewardFile reads a file of rewards; see ReadRewards.
func ReadRewardFile(path string, g *ddps.LayeredGraph) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	return ReadRewards(path, f, g)
}

// addReward adds one row's reward to u.
func addReward(g *ddps.LayeredGraph, u []float64, row []string) error {
	if len(row) != 4 {
		return fmt.Errorf("%d fields, want layer, from, to, reward", len(row))
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(row[3]), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("field 4: reward %q is not a finite number", row[3])
	}
	lo, hi := 1, g.NumLayers()-1
	layer := strings.TrimSpace(row[0])
	if layer != "*" {
		if lo, err = strconv.Atoi(layer); err != nil || lo < 1 || lo > hi {
			return fmt.Errorf("field 1: layer %q is not in 1…%d, nor *", row[0], hi)
		}
		hi = lo
	}
	found := false
	for l := lo; l <= hi; l++ {
		if e, ok := edgeByName(g, l-1, row[1], row[2]); ok {
			u[e] += x
			found = true
		}
	}
	if !found {
		return fmt.Errorf("there is no edge from %q to %q in layer %s, or no path takes it", row[1], row[2], layer)
	}
	return nil
}

// edgeByName returns the edge between vertices of layers l and l+1, l from 0.
func edgeByName(g *ddps.LayeredGraph, l int, from, to string) (int, bool) {
	v, ok := g.VertexByName(l, strings.TrimSpace(from))
	if !ok {
		return 0, false
	}
	w, ok := g.VertexByName(l+1, strings.TrimSpace(to))
	if !ok {
		return 0, false
	}
	return g.EdgeBetween(v, w)
}

// WriteRewards writes the rewards other than 0 of g's edges as ReadRewards reads them.
func WriteRewards(w io.Writer, g *ddps.LayeredGraph, u []float64) error {
	if err := g.CheckReward(u); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	if err := c.Write([]string{"layer", "from", "to", "reward"}); err != nil {
		return fmt.Errorf("datasets: rewards: %w", err)
	}
	for e, x := range u {
		if x == 0 {
			continue
		}
		v := g.Tail(e)
		err := c.Write([]string{strconv.Itoa(g.LayerOf(v) + 1), g.Name(v), g.Name(g.Head(e)), strconv.FormatFloat(x, 'g', -1, 64)})
		if err != nil {
			return fmt.Errorf("datasets: rewards: %w", err)
		}
	}
	c.Flush()
	return c.Error()
}
