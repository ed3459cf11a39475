package modelcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
)

// sampleWriter writes samples as they come, however many, and sums up what they earn.
type sampleWriter struct {
	g        *ddps.LayeredGraph // of the samples
	to       *ddps.LayeredGraph // that they are written on, nil for g
	number   func(ddps.Path) ddps.Path
	u        []float64 // reward by edge, nil for none
	format   string
	by       pathfile.Vertices
	distinct bool
	uses     []float64 // by edge of g: how many samples take it; nil where nobody asks

	out           pathfile.Writer
	failed        error          // of a write
	list          datasets.Data  // the distinct ones
	at            map[string]int // in list, by the numbers of vertices
	best          func(ddps.Path) bool
	n             int
	reward, atMax float64 // means so far
}

// write writes to path what draw gives to add, and other files with it, or none.
func (s *sampleWriter) write(a *cli.App, path string, draw func() error, also ...cli.OutFile) error {
	s.onGraph()
	if s.u != nil {
		s.best = compare.AtMax(s.g, s.u, s.g.Best(s.u))
	}
	var drawing *drawError
	err := a.WriteFiles(append([]cli.OutFile{{Path: path, Write: func(w io.Writer) (err error) {
		if s.out, err = pathfile.NewWriter(w, s.to, s.format, s.by); err != nil {
			return &drawError{err}
		}
		s.list.Graph, s.at = s.to, map[string]int{}
		if err := draw(); err != nil {
			if s.failed != nil {
				return s.failed
			}
			if buf, ok := w.(*bufio.Writer); ok && s.n > 0 { // standard output then ends with a whole sample; a file is not made
				s.end()
				buf.Flush()
			}
			return &drawError{err}
		}
		return s.end()
	}}}, also...)...)
	if errors.As(err, &drawing) {
		return drawing.error
	}
	return err
}

// onGraph sets the graph that samples are written on, if it is not set.
func (s *sampleWriter) onGraph() {
	if s.to == nil {
		s.to, s.number = s.g, func(p ddps.Path) ddps.Path { return p }
	}
}

// end writes what is held back.
func (s *sampleWriter) end() error {
	if s.distinct {
		return pathfile.WritePaths(s.out, &s.list)
	}
	return s.out.Close()
}

// drawError is one that has nothing to do with the file that is written.
type drawError struct{ error }

func (e *drawError) Unwrap() error { return e.error }

// add takes a sample.
func (s *sampleWriter) add(p ddps.Path) error {
	for l := 1; l < len(p) && s.uses != nil; l++ {
		if e, ok := s.g.EdgeBetween(p[l-1], p[l]); ok { // always, of a path
			s.uses[e]++
		}
	}
	if s.n++; s.u != nil {
		hit := 0.0
		if s.best(p) {
			hit = 1
		}
		s.reward += (s.g.Total(s.u, p) - s.reward) / float64(s.n)
		s.atMax += (hit - s.atMax) / float64(s.n)
	}
	q := s.number(p)
	if !s.distinct {
		s.failed = s.out.Write(q, 1)
		return s.failed
	}
	key := fmt.Sprint(q)
	i, seen := s.at[key]
	if !seen {
		i = len(s.list.Paths)
		s.at[key] = i
		s.list.Paths, s.list.Counts = append(s.list.Paths, q), append(s.list.Counts, 0)
	}
	s.list.Counts[i]++
	return nil
}
