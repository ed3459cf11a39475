package pipeline

import (
	"context"
	"math/rand/v2"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// Input says what files of paths are read, and how.
type Input struct {
	Graph  string   // JSON file, which every worker can read
	Files  []string // the same
	Format string   // one of blocks.Formats; "": by each file's ending
	Block  int64    // bytes of an element; 0: 16 MiB
}

// BadRow is a row that is no path of the graph.
type BadRow struct {
	File   string
	Line   int64 // from 1
	Reason string
}

// Register registers the package's functions with Beam; call it before beam.Init.
func Register() {
	register.DoFn4x1[context.Context, blocks.Block, func(string, int64), func(BadRow), error](&countBlock{})
	register.Emitter2[string, int64]()
	register.Emitter1[BadRow]()
	register.DoFn3x1[string, int64, func(string, int64), error](&takeTest{})
	registerFit()
	registerShards()
	registerEvaluate()
	registerWrite()
}

// blockList cuts files into blocks.
func blockList(in Input) ([]blocks.Block, error) {
	sizes, total, err := blocks.Sizes(in.Files)
	if err != nil {
		return nil, err
	}
	size := in.Block
	if size == 0 {
		size = 16 << 20
	}
	var list []blocks.Block
	for _, b := range blocks.Split(in.Files, sizes, 0, total) {
		list = append(list, b.Cut(size)...)
	}
	return list, nil
}

// Paths counts the distinct paths of files: a collection of (blocks.Key of a path, count), and one of bad rows.
func Paths(s beam.Scope, in Input) (counts, bad beam.PCollection, err error) {
	s = s.Scope("paths")
	list, err := blockList(in)
	if err != nil {
		return counts, bad, err
	}
	read := beam.Reshuffle(s, beam.CreateList(s, list))
	some, bad := beam.ParDo2(s, &countBlock{Graph: in.Graph, Format: in.Format}, read)
	return stats.SumPerKey(s, some), bad, nil
}

// countBlock counts the paths of a block.
type countBlock struct {
	Graph, Format string
	rows, left    beam.Counter
}

// Setup makes the metrics.
func (f *countBlock) Setup() {
	f.rows, f.left = beam.NewCounter("ddps", "paths"), beam.NewCounter("ddps", "bad_rows")
}

// ProcessElement emits the block's distinct paths with counts, and its bad rows.
func (f *countBlock) ProcessElement(ctx context.Context, b blocks.Block, emit func(string, int64),
	bad func(BadRow)) error {
	g, err := loadGraph(f.Graph)
	if err != nil {
		return err
	}
	c := blocks.NewCounts()
	err = blocks.Each(b, g, f.Format, pathfile.ByName, c.Add, func(e *blocks.RowError) error {
		f.left.Inc(ctx, 1)
		bad(BadRow{e.File, int64(e.Line), e.Err.Error()})
		return nil
	})
	if err != nil {
		return err
	}
	f.rows.Inc(ctx, int64(c.Total))
	for i, key := range c.Keys {
		emit(key, int64(c.N[i]))
	}
	return nil
}

// Split takes about the fraction of the walks, drawn from the seed, for a test: of each path a binomial number that
// depends on the seed and the path alone, whatever the workers. It returns the counts of the others and of those taken.
func Split(s beam.Scope, counts beam.PCollection, fraction float64, seed uint64) (train, test beam.PCollection) {
	s = s.Scope("split")
	return beam.ParDo(s, &takeTest{fraction, seed, false}, counts), beam.ParDo(s, &takeTest{fraction, seed, true}, counts)
}

// takeTest keeps the walks of one part.
type takeTest struct {
	Fraction float64
	Seed     uint64
	Test     bool
}

// ProcessElement emits the path with its count in the part, if that is not 0.
func (f *takeTest) ProcessElement(key string, count int64, emit func(string, int64)) error {
	n := Taken(key, count, f.Fraction, f.Seed)
	if !f.Test {
		n = count - n
	}
	if n > 0 {
		emit(key, n)
	}
	return nil
}

// Taken returns how many of the count walks of a path go to the test.
func Taken(key string, count int64, fraction float64, seed uint64) (n int64) {
	return binomial(ddps.Rand(seed, hash(key)), count, fraction)
}

// binomial draws the number of successes of n trials, one by one: O(n).
func binomial(rng *rand.Rand, n int64, p float64) (k int64) {
	for range n {
		if rng.Float64() < p {
			k++
		}
	}
	return k
}
