package pipeline

import (
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/ddps"
)

// registerFit registers the functions of Fit.
func registerFit() {
	register.DoFn3x1[int, []byte, func(string, int64), error](&statistics{})
	register.Emitter2[string, int64]()
}

// Statistic says what a sufficient statistic counts.
type Statistic byte

// The statistics. Their keys are the vertices of a piece of path, as blocks.Key writes them, behind the letter.
const (
	Edges    Statistic = 'e' // two vertices: of a first-order chain
	Pairs    Statistic = 'p' // three vertices, two edges: of a second-order chain
	Contexts Statistic = 'c' // up to Order vertices and the one that follows: of a context model by position
)

// Fit counts the sufficient statistics of chains (edges, pairs of edges) of a table and, with order ≥ 1, of context
// models up to that order: a collection of (letter and key, count). Its size is that of the
// distinct pieces, whatever the number of walks.
func Fit(s beam.Scope, table beam.PCollection, graph string, order int) beam.PCollection {
	s = s.Scope("fit")
	return stats.SumPerKey(s, beam.ParDo(s, &statistics{Graph: graph, Order: order}, table))
}

// statistics adds up the pieces of the paths of a bundle.
type statistics struct {
	Graph string
	Order int
	sums  map[string]int64
	path  ddps.Path
	key   []byte
}

// most is how many sums are held before they are emitted.
const most = 1 << 18

// StartBundle begins with nothing.
func (f *statistics) StartBundle(func(string, int64)) { f.sums = map[string]int64{} }

// ProcessElement adds the pieces of a chunk's paths.
func (f *statistics) ProcessElement(_ int, chunk []byte, emit func(string, int64)) error {
	g, err := loadGraph(f.Graph)
	if err != nil {
		return err
	}
	return eachPath(chunk, func(key []byte, count int64) error {
		f.path = blocks.PathOf(f.path[:0], string(key))
		if err := g.Check(f.path); err != nil {
			return fmt.Errorf("fit: %w", err)
		}
		for l := range f.path {
			if l >= 1 {
				f.add(Edges, f.path[l-1:l+1], count)
			}
			if l >= 2 {
				f.add(Pairs, f.path[l-2:l+1], count)
			}
			for k := 0; k <= min(f.Order, l) && f.Order > 0; k++ {
				f.add(Contexts, f.path[l-k:l+1], count)
			}
		}
		if len(f.sums) >= most {
			f.FinishBundle(emit)
		}
		return nil
	})
}

func (f *statistics) add(what Statistic, piece ddps.Path, count int64) {
	f.key = blocks.Key(append(f.key[:0], byte(what)), piece)
	f.sums[string(f.key)] += count
}

// FinishBundle emits the sums.
func (f *statistics) FinishBundle(emit func(string, int64)) {
	for key, n := range f.sums {
		emit(key, n)
	}
	f.sums = map[string]int64{}
}
