package pipeline

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/ddps"
)

// Input says what files of paths are read, and how.
type Input struct {
	Graph  string   // JSON file, which every worker can read
	Files  []string // the same
	Format string   // one of blocks.Formats; "": by each file's ending
	Block  int64    // bytes of an element; 0: 64 MiB
	Parts  int      // of the table; 0: Parts
}

func (in Input) parts() int {
	if in.Parts > 0 {
		return in.Parts
	}
	return Parts
}

// BadRow is a row that is no path of the graph.
type BadRow struct {
	File   string
	Line   int64 // from 1
	Reason string
}

// Register registers the package's functions with Beam; call it before beam.Init.
func Register() {
	registerTable()
	beam.RegisterDoFn(&takeTest{})
	registerFit()
	registerRound()
	registerShards()
	registerEvaluate()
	registerPieces()
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
		size = 64 << 20
	}
	var list []blocks.Block
	for _, b := range blocks.Split(in.Files, sizes, 0, total) {
		list = append(list, b.Cut(size)...)
	}
	return list, nil
}

// Split takes about the fraction of the walks of a table, drawn from the seed, for a test: of each path a binomial
// number that depends on the seed and the path alone, whatever the workers. It returns the tables of the others and of
// those taken.
func Split(s beam.Scope, table beam.PCollection, fraction float64, seed uint64) (train, test beam.PCollection) {
	return beam.ParDo2(s.Scope("split"), &takeTest{fraction, seed}, table)
}

// takeTest splits chunks.
type takeTest struct {
	Fraction float64
	Seed     uint64
}

// ProcessElement emits the chunk's paths with their counts in both parts, those that are not 0.
func (f *takeTest) ProcessElement(part int, chunk []byte, train, test func(int, []byte)) error {
	a, b := chunker{part: part, emit: train}, chunker{part: part, emit: test}
	err := eachPath(chunk, func(key []byte, count int64) error {
		n := Taken(string(key), count, f.Fraction, f.Seed)
		if n < count {
			a.add(string(key), count-n)
		}
		if n > 0 {
			b.add(string(key), n)
		}
		return nil
	})
	a.flush()
	b.flush()
	return err
}

// Taken returns how many of the count walks of a path go to the test.
func Taken(key string, count int64, fraction float64, seed uint64) int64 {
	if fraction <= 0 || fraction >= 1 {
		return int64(fraction) * count
	}
	return int64(distuv.Binomial{N: float64(count), P: fraction, Src: ddps.Rand(seed, hash(key))}.Rand())
}
