package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
)

// A table of distinct paths with counts is a collection of (part, chunk). A path belongs to the part that the hash of
// its key says, and a chunk holds some paths of a part: what Beam handles one by one is chunks of a quarter of a MiB
// and not paths, which costs a tenth of the time, and no message comes near the 4 MiB of gRPC.

// chunkBytes is about how long a chunk is.
const chunkBytes = 1 << 18

// Parts is how many parts a table has where Input says nothing. The worker that merges a part holds its paths.
const Parts = 64

// chunker makes chunks of a part.
type chunker struct {
	part int
	data []byte
	emit func(int, []byte)
}

// add adds a path: the length of the key, the key and the count, lengths and counts as unsigned varints.
func (c *chunker) add(key string, n int64) {
	c.data = append(binary.AppendUvarint(c.data, uint64(len(key))), key...)
	if c.data = binary.AppendUvarint(c.data, uint64(n)); len(c.data) >= chunkBytes {
		c.flush()
	}
}

// flush emits what there is.
func (c *chunker) flush() {
	if len(c.data) > 0 {
		c.emit(c.part, slices.Clone(c.data))
		c.data = c.data[:0]
	}
}

var errChunk = errors.New("a chunk of paths is damaged")

// eachPath calls do for each path of a chunk, whose key is the chunk's own.
func eachPath(chunk []byte, do func(key []byte, n int64) error) error {
	for len(chunk) > 0 {
		size, k := binary.Uvarint(chunk)
		if k <= 0 || size > uint64(len(chunk)-k) {
			return errChunk
		}
		key := chunk[k : k+int(size)]
		chunk = chunk[k+int(size):]
		n, k := binary.Uvarint(chunk)
		if k <= 0 || int64(n) < 1 {
			return errChunk
		}
		chunk = chunk[k:]
		if err := do(key, int64(n)); err != nil {
			return err
		}
	}
	return nil
}

// registerTable registers the functions of Paths. Functions of four arguments and more are called by reflection, here
// and in the other files: once a chunk that costs nothing, and the generic wrappers take gigabytes to compile.
func registerTable() {
	beam.RegisterDoFn(&countBlock{})
	register.DoFn3x1[int, func(*[]byte) bool, func(int, []byte), error](&mergePart{})
	register.Emitter2[int, []byte]()
	register.Emitter1[BadRow]()
	register.Iter1[[]byte]()
}

// Paths counts the distinct paths of files: a table, and a collection of bad rows.
func Paths(s beam.Scope, in Input) (table, bad beam.PCollection, err error) {
	s = s.Scope("paths")
	list, err := blockList(in)
	if err != nil {
		return table, bad, err
	}
	read := beam.Reshuffle(s, beam.CreateList(s, list))
	some, bad := beam.ParDo2(s, &countBlock{Graph: in.Graph, Format: in.Format, Parts: in.parts()}, read)
	return beam.ParDo(s, &mergePart{}, beam.GroupByKey(s, some)), bad, nil
}

// countBlock counts the paths of a block.
type countBlock struct {
	Graph, Format string
	Parts         int
	rows, left    beam.Counter
}

// Setup makes the metrics.
func (f *countBlock) Setup() {
	f.rows, f.left = beam.NewCounter("ddps", "paths"), beam.NewCounter("ddps", "bad_rows")
}

// ProcessElement emits the block's distinct paths with counts, and its bad rows.
func (f *countBlock) ProcessElement(ctx context.Context, b blocks.Block, emit func(int, []byte),
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
	parts := make([]chunker, f.Parts)
	for i, key := range c.Keys {
		k := int(hash(key) % uint64(f.Parts))
		parts[k].part, parts[k].emit = k, emit
		parts[k].add(key, int64(c.N[i]))
	}
	for k := range parts {
		parts[k].flush()
	}
	return nil
}

// mergePart adds up the counts of a part.
type mergePart struct{}

// ProcessElement emits the part's paths, each once, in the order of their keys.
func (f *mergePart) ProcessElement(part int, next func(*[]byte) bool, emit func(int, []byte)) error {
	sums, err := sum(next)
	out := chunker{part: part, emit: emit}
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		out.add(key, sums[key])
	}
	out.flush()
	return err
}

// sum adds up the counts of chunks.
func sum(next func(*[]byte) bool) (map[string]int64, error) {
	sums := map[string]int64{}
	for chunk := []byte(nil); next(&chunk); {
		err := eachPath(chunk, func(key []byte, n int64) error {
			if sums[string(key)] += n; sums[string(key)] < n {
				return errors.New("the counts of a path sum to more than fits an integer")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return sums, nil
}
