package pipeline

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/shard"
)

// registerShards registers the functions of Sample and Study.
func registerShards() {
	register.DoFn3x1[context.Context, int, func(string), error](&drawShard{})
	register.DoFn3x1[context.Context, int, func(string), error](&measurePoint{})
	register.Emitter1[string]()
}

// Samples says what is drawn.
type Samples struct {
	Model  string // file of weights, which every worker can read
	Store  string // directory or bucket of the shards, or directory of the files
	Format string // of files, one of pathfile.Formats; "": shards for 'ddps merge'
	N      int    // paths
	Seed   uint64
	Steps  int // reverse steps; 0: none where the model's distribution is known
	Shards int
}

// Job returns the job of the samples' shards.
func (d Samples) Job() (shard.Job, error) {
	sum, err := shard.Hash(func(w io.Writer) error {
		f, err := os.Open(d.Model)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
	return shard.Job{Program: "ddps-scale", Command: "sample", Inputs: map[string]string{"model": sum},
		Settings: map[string]string{"number": fmt.Sprint(d.N), "seed": fmt.Sprint(d.Seed), "steps": fmt.Sprint(d.Steps)}}, err
}

// Sample draws paths by shards of seed streams: into a store, from which 'ddps merge' makes the file of one run, or
// into files DIR/paths-i-of-n.FORMAT, whose paths, one file after the other, are those of one run. It returns the names
// of the shards or files. A shard done again has the same bytes.
func Sample(s beam.Scope, d Samples) beam.PCollection {
	s = s.Scope("sample")
	list := make([]int, d.Shards)
	for i := range list {
		list[i] = i + 1
	}
	return settled(s, beam.ParDo(s, &drawShard{d}, beam.Reshuffle(s, beam.CreateList(s, list))))
}

// drawShard draws one shard.
type drawShard struct{ Samples Samples }

// ProcessElement draws shard i.
func (f *drawShard) ProcessElement(ctx context.Context, i int, emit func(string)) error {
	d, part := f.Samples, shard.One(i, f.Samples.Shards)
	file, err := os.Open(d.Model)
	if err != nil {
		return err
	}
	defer file.Close()
	m, err := model.Load(file)
	if err != nil {
		return fmt.Errorf("%s: %w", d.Model, err)
	}
	sampler := m.Sampler()
	sampler.Steps, sampler.Threads = d.Steps, 1
	lo, hi := part.Span(d.N)
	draw := func(write func(ddps.Path, int) error) error {
		return sampler.StreamRange(ctx, lo, hi, d.N, d.Seed, func(p ddps.Path) error { return write(p, 1) })
	}
	if d.Format != "" {
		name, err := d.file(m.Graph, i, draw)
		emit(name)
		return err
	}
	emit(part.String())
	return d.put(ctx, m.Graph, part, draw)
}

// file writes the file of shard i, which draw draws, whole or not at all.
func (d Samples) file(g *ddps.LayeredGraph, i int, draw func(func(ddps.Path, int) error) error) (string, error) {
	if err := os.MkdirAll(d.Store, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(d.Store, partName("paths."+d.Format, i-1, d.Shards))
	return name, pathfile.WriteWhole(name, func(w io.Writer) error {
		out, err := pathfile.NewWriter(w, g, d.Format, pathfile.ByName)
		if err == nil {
			err = draw(out.Write)
		}
		if err != nil {
			return err
		}
		return out.Close()
	})
}

// put puts a shard, which draw draws, into the store.
func (d Samples) put(ctx context.Context, g *ddps.LayeredGraph, part shard.Part,
	draw func(func(ddps.Path, int) error) error) error {
	job, err := d.Job()
	if err != nil {
		return err
	}
	store, err := shard.Open(ctx, d.Store)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.PutHead(ctx, job, func(w io.Writer) error { _, err := g.WriteTo(w); return err }); err != nil {
		return err
	}
	_, err = store.Put(ctx, job, part, func(w io.Writer) error {
		out := shard.NewPathWriter(w)
		if err := draw(out.Write); err != nil {
			return err
		}
		return out.Flush()
	})
	return err
}
