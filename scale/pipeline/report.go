package pipeline

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/exactsum"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// report makes the line of Evaluate.
type report struct{ Graph string }

// ProcessElement emits the line.
func (f *report) ProcessElement(_ []byte, distances func(*Distances) bool, data, sample func(*Piece) bool,
	emit func(string)) error {
	g, err := loadGraph(f.Graph)
	if err != nil {
		return err
	}
	var d Distances
	sums := make(exactsum.Vector, numSums)
	if !distances(&d) {
		return errors.New("evaluate: the data or the sample has no path")
	}
	if err := sums.AddPiece(0, d.Sums); err != nil {
		return err
	}
	x := sums.Floats()
	var words []string
	add := func(name string, x float64) { words = append(words, fmt.Sprintf("%s=%.17g", name, x)) }
	add("l1", x[sumL1])
	if x[sumUnseen] > 0 {
		add("kl", math.Inf(1))
	} else {
		add("kl", max(0, x[sumKL]-x[sumKLMinus]))
	}
	add("kl_smoothed", x[sumSmoothed]-x[sumSmoothedMinus])
	add("tv_max", d.TV)
	p, err := f.moments(g, data)
	if err != nil {
		return err
	}
	q, err := f.moments(g, sample)
	if err != nil {
		return err
	}
	a, err := p.Marginals()
	if err != nil {
		return err
	}
	b, err := q.Marginals()
	if err != nil {
		return err
	}
	for _, m := range []struct {
		name     string
		distance metrics.Distance
	}{{"isl_l1", metrics.L1}, {"isl_kl", metrics.KLFloor(int(x[sumSample]))}, {"isl_tv", metrics.TVSup},
		{"isl_sf", metrics.SFD}} {
		score, err := metrics.ISLMarginals(a, b, m.distance)
		if err != nil {
			return err
		}
		add(m.name, score)
	}
	flgd := math.NaN() // too many pairs of edges
	if p.Pair != nil {
		if flgd, err = metrics.FLGDMoments(p, q); err != nil {
			return err
		}
	}
	add("flgd", flgd)
	words = append(words, fmt.Sprintf("support=%.0f data=%.0f sample=%.0f unseen=%.0f", x[sumSupport], x[sumData],
		x[sumSample], x[sumUnseen]))
	emit(strings.Join(words, " "))
	return nil
}

// moments returns those of pieces.
func (f *report) moments(g *ddps.LayeredGraph, next func(*Piece) bool) (*metrics.Moments, error) {
	sums, E := momentSums(g), g.NumEdges()
	if err := vectorOf(sums, next); err != nil {
		return nil, err
	}
	x := sums.Floats()
	m := &metrics.Moments{Graph: g, Total: x[0], Edge: x[1 : 1+E]}
	if len(x) > 1+E || E < 2 {
		m.Pair = x[1+E:]
	}
	return m, nil
}
