package pipeline

import (
	"errors"
	"fmt"
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/exactsum"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// registerEvaluate registers the functions of Evaluate.
func registerEvaluate() {
	beam.RegisterDoFn(&comparePart{})
	register.DoFn3x1[int, []byte, func(int64), error](&chunkTotal{})
	register.DoFn3x1[int, []byte, func(int, []byte), error](&moments{})
	beam.RegisterDoFn(&report{})
	register.Iter1[int64]()
	register.Iter1[Distances]()
	register.Emitter1[int64]()
	register.Emitter1[Distances]()
	register.Combiner1[Distances](&sumDistances{})
}

// Distances are sums over paths, of the data's distribution p and the sample's q, exact and so the same bits in any
// order: Sums is a piece of exactsum of the numbers below. TV is the paper's, the greatest |p − q|.
type Distances struct {
	Sums []byte
	TV   float64
}

// The sums of Distances. Terms of p·log(p/q) are added apart by their sign; where the sample lacks a path, the smoothed
// KL has 0.5 over the sample's number for q.
const (
	sumL1 = iota
	sumKL
	sumKLMinus
	sumSmoothed
	sumSmoothedMinus
	sumData    // walks
	sumSample  // walks
	sumSupport // paths of either
	sumUnseen  // walks of the data whose path the sample lacks
	numSums
)

// sumDistances adds distances.
type sumDistances struct{}

// MergeAccumulators adds two sums.
func (sumDistances) MergeAccumulators(a, b Distances) Distances {
	sum := make(exactsum.Vector, numSums)
	for _, piece := range [][]byte{a.Sums, b.Sums} {
		if err := sum.AddPiece(0, piece); err != nil {
			panic(err) // this program wrote them: Beam fails the bundle
		}
	}
	return Distances{sum.Piece(0), math.Max(a.TV, b.TV)}
}

// Evaluate compares two tables of the same parts, the data's and a sample's, and returns one line: distances of the
// distributions of paths, layer imitation scores and the FLGD (package metrics; its FLGD of graphs of up to MaxEdges
// edges).
func Evaluate(s beam.Scope, data, sample beam.PCollection, graph string) beam.PCollection {
	s = s.Scope("evaluate")
	total := func(table beam.PCollection) beam.SideInput {
		return beam.SideInput{Input: stats.Sum(s, beam.ParDo(s, &chunkTotal{}, table))}
	}
	each := beam.ParDo(s, &comparePart{}, beam.CoGroupByKey(s, data, sample), total(data), total(sample))
	sums := func(table beam.PCollection) beam.SideInput {
		return beam.SideInput{Input: sumPieces(s, beam.ParDo(s, &moments{Graph: graph}, table))}
	}
	distances := beam.SideInput{Input: beam.Combine(s, &sumDistances{}, each)}
	return beam.ParDo(s, &report{graph}, beam.Impulse(s), distances, sums(data), sums(sample))
}

// chunkTotal counts walks.
type chunkTotal struct{}

// ProcessElement emits how many walks a chunk has.
func (f *chunkTotal) ProcessElement(_ int, chunk []byte, emit func(int64)) error {
	total := int64(0)
	err := eachPath(chunk, func(_ []byte, n int64) error { total += n; return nil })
	emit(total)
	return err
}

// comparePart compares the counts of a part.
type comparePart struct{}

// ProcessElement emits the part's share of the distances.
func (f *comparePart) ProcessElement(_ int, data, sample func(*[]byte) bool, dataTotal, sampleTotal func(*int64) bool,
	emit func(Distances)) error {
	var all, drawn int64
	if !dataTotal(&all) || !sampleTotal(&drawn) {
		return errors.New("evaluate: one side has no path")
	}
	a, err := sum(data)
	if err != nil {
		return err
	}
	b, err := sum(sample)
	if err != nil {
		return err
	}
	d := comparison{all: all, drawn: drawn, sums: make(exactsum.Vector, numSums)}
	for key, n := range a {
		d.add(n, b[key])
	}
	for key, n := range b {
		if a[key] == 0 {
			d.add(0, n)
		}
	}
	emit(Distances{d.sums.Piece(0), d.tv})
	return nil
}

// comparison adds up distances.
type comparison struct {
	all, drawn int64 // walks of the data and the sample
	sums       exactsum.Vector
	tv         float64
}

// add adds a path, seen a times in the data and b times in the sample.
func (c *comparison) add(a, b int64) {
	plus := func(i int, x exactsum.Number) { c.sums[i] = c.sums[i].Plus(x) }
	signed := func(i int, x float64) {
		if x < 0 {
			i++
		}
		plus(i, exactsum.Of(math.Abs(x)))
	}
	p, q := float64(a)/float64(c.all), float64(b)/float64(c.drawn)
	plus(sumL1, exactsum.Of(math.Abs(p-q)))
	plus(sumData, exactsum.Whole(uint64(a)))
	plus(sumSample, exactsum.Whole(uint64(b)))
	plus(sumSupport, exactsum.Whole(1))
	c.tv = math.Max(c.tv, math.Abs(p-q))
	switch {
	case a > 0 && b > 0:
		signed(sumKL, p*math.Log(p/q))
		signed(sumSmoothed, p*math.Log(p/q))
	case a > 0:
		plus(sumUnseen, exactsum.Whole(uint64(a)))
		signed(sumSmoothed, p*math.Log(p/(0.5/float64(c.drawn))))
	}
}

// MaxEdges is the most edges of a graph for which pairs of edges are counted, as the FLGD needs: 100 MB of sums.
const MaxEdges = 3500

// momentSums is the vector of the moments of a sample on g: the total, by edge, by pair of edges where those are
// counted.
func momentSums(g *ddps.LayeredGraph) exactsum.Vector {
	E, pairs := g.NumEdges(), 0
	if E <= MaxEdges {
		pairs = E * (E - 1) / 2
	}
	return make(exactsum.Vector, 1+E+pairs)
}

// moments sums up the moments of a bundle.
type moments struct {
	Graph string
	sums  exactsum.Vector
	path  ddps.Path
	edges []int
}

// StartBundle begins with nothing.
func (f *moments) StartBundle(func(int, []byte)) { f.sums = nil }

// ProcessElement adds the moments of a chunk.
func (f *moments) ProcessElement(_ int, chunk []byte, _ func(int, []byte)) error {
	g, err := loadGraph(f.Graph)
	if err != nil {
		return err
	}
	if f.sums == nil {
		f.sums = momentSums(g)
	}
	E := g.NumEdges()
	return eachPath(chunk, func(key []byte, count int64) (err error) {
		f.path = blocks.PathOf(f.path[:0], string(key))
		if f.edges, err = g.PathEdges(f.edges[:0], f.path); err != nil {
			return fmt.Errorf("evaluate: %w", err)
		}
		n := exactsum.Whole(uint64(count))
		f.sums[0] = f.sums[0].Plus(n)
		for k, e := range f.edges {
			f.sums[1+e] = f.sums[1+e].Plus(n)
			if E > MaxEdges {
				continue
			}
			for _, other := range f.edges[k+1:] {
				at := 1 + E + metrics.PairIndex(E, e, other)
				f.sums[at] = f.sums[at].Plus(n)
			}
		}
		return nil
	})
}

// FinishBundle emits the sums.
func (f *moments) FinishBundle(emit func(int, []byte)) {
	emitPieces(f.sums, emit)
	f.sums = nil
}
