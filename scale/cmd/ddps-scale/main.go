// Command ddps-scale runs the pipelines of package pipeline. Without --runner they run on Beam's embedded Prism, which
// is for trying; Flink and Spark are reached by --runner universal --endpoint HOST:PORT, Dataflow by --runner dataflow.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	_ "gocloud.dev/blob/gcsblob" // gs://
	_ "gocloud.dev/blob/s3blob"  // s3://

	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/scale/pipeline"
)

// options are the flags.
type options struct {
	do, graph, files, compare, format, write, out string
	split                                         float64
	order, shards, parts, tries                   int
	block                                         int64
	em                                            pipeline.EM
	sample                                        pipeline.Samples
	command, points                               string
}

func main() {
	var o options
	o.flags(flag.CommandLine)
	flag.Parse()
	if w := flag.Lookup("worker"); os.Getenv(underSupervision) == "" && (w == nil || w.Value.String() != "true") {
		if err := o.check(flag.CommandLine); err != nil {
			fmt.Fprintf(os.Stderr, "ddps-scale: %v\n", err)
			os.Exit(2)
		}
		if o.tries > 1 {
			os.Exit(supervise(o.tries, os.Args[1:], os.Stderr))
		}
	}
	log.LogLevel = "error" // Beam says each stage otherwise
	pipeline.Register()
	beam.Init()
	if err := run(context.Background(), &o); err != nil {
		fmt.Fprintf(os.Stderr, "ddps-scale: %v\n", err)
		os.Exit(1)
	}
}

// flags adds the flags to a set.
func (o *options) flags(set *flag.FlagSet) {
	set.StringVar(&o.do, "do", "", "paths, fit, evaluate, sample or study")
	set.StringVar(&o.graph, "graph", "", "JSON file of the graph, which all workers can read")
	set.StringVar(&o.files, "files", "", "files of paths, separated by commas, which all workers can read")
	set.StringVar(&o.compare, "sample-files", "", "evaluate: files of the sample")
	set.StringVar(&o.format, "format", "", "csv, jsonl, parquet or lines; by default by each file's ending")
	set.StringVar(&o.write, "write", "", "format of paths that are written, such as csv or parquet; by default csv, "+
		"and of sample shards for 'ddps merge'")
	set.StringVar(&o.out, "out", "", "directory of the results; sample: the store of the shards")
	set.Float64Var(&o.split, "test", 0, "paths: share of the walks to take for a test")
	set.IntVar(&o.order, "order", 0, "fit: order of contexts, 0 for chains alone")
	set.IntVar(&o.shards, "shards", 16, "files of lines; sample: shards")
	set.IntVar(&o.parts, "parts", pipeline.Parts, "parts of counts, of each of which a worker holds the distinct paths")
	set.Int64Var(&o.block, "block", 64<<20, "bytes of input a worker takes at a time")
	set.StringVar(&o.sample.Model, "model", "", "sample: file of weights; fit: of the model before this round of EM")
	set.IntVar(&o.em.Classes, "classes", 0, "fit: classes of the mixture, which a model of one is parted into by --seed")
	set.Float64Var(&o.em.Kappa, "kappa", 1, "fit: pseudo-count of an edge, in walks, of the model that is written")
	set.IntVar(&o.em.Order, "chains", 1, "fit without --model: order of the chains, 1, or 2 of moves between places")
	set.IntVar(&o.sample.N, "n", 0, "sample: number of paths")
	set.Uint64Var(&o.sample.Seed, "seed", 0, "seed of the split or the sample")
	set.IntVar(&o.sample.Steps, "steps", 0, "sample: reverse steps, 0 for none where the distribution is known")
	set.StringVar(&o.command, "command", "", "study: program and arguments, separated by blanks, with {} for the point")
	set.StringVar(&o.points, "points", "", "study: points, separated by commas")
	set.IntVar(&o.tries, "tries", 3, "how often the job is done at most, where a signal ends its worker here")
}

// run builds and runs the pipeline.
func run(ctx context.Context, o *options) error {
	p, s := beam.NewPipelineWithRoot()
	if err := o.build(s); err != nil {
		return err
	}
	r, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return cause(err)
	}
	for _, c := range r.Metrics().AllMetrics().Counters() {
		if c.Key.Namespace == "ddps" {
			fmt.Printf("%s %d\n", c.Key.Name, c.Result())
		}
	}
	return nil
}

// cause returns the error of the function that failed, which is the last part of Beam's, behind its plan of the stage.
func cause(err error) error {
	text := strings.TrimSpace(err.Error())
	if at := strings.LastIndex(text, "] failed:\n"); at >= 0 && strings.TrimSpace(text[at+len("] failed:\n"):]) != "" {
		return errors.New(strings.TrimSpace(text[at+len("] failed:\n"):]))
	}
	return err
}

// readable returns an error for a file that cannot be read, before work; names may be empty.
func readable(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// build makes the pipeline that --do names.
func (o *options) build(s beam.Scope) error {
	if err := readable(o.sample.Model, o.graph); err != nil {
		return err
	}
	switch o.do {
	case "sample":
		o.sample.Store, o.sample.Shards, o.sample.Format = o.out, o.shards, o.write
		if o.sample.Model == "" {
			return errors.New("sample needs --model and --n")
		}
		pipeline.Sample(s, o.sample)
		return nil
	case "study":
		done, err := pipeline.Study(s, pipeline.Points{Command: strings.Fields(o.command), List: strings.Split(o.points,
			",")})
		if err == nil {
			pipeline.Write(s, done, o.out, "points", 1)
		}
		return err
	case "paths", "fit", "evaluate":
		return o.counts(s)
	}
	return fmt.Errorf("--do %q is none of paths, fit, evaluate, sample, study", o.do)
}

// counts makes the pipelines that begin with counts of paths.
func (o *options) counts(s beam.Scope) error {
	if o.graph == "" || o.files == "" {
		return fmt.Errorf("%s needs --graph and --files", o.do)
	}
	in := pipeline.Input{Graph: o.graph, Files: strings.Split(o.files, ","), Format: o.format, Block: o.block,
		Parts: o.parts}
	counts, bad, err := pipeline.Paths(s, in)
	if err != nil {
		return err
	}
	pipeline.Write(s, pipeline.BadLines(s, bad), o.out, "bad.tsv", 1)
	switch o.do {
	case "fit":
		pipeline.Write(s, pipeline.StatisticLines(s, pipeline.Fit(s, counts, o.graph, o.order)), o.out, "statistics.csv",
			o.shards)
		o.em.Model, o.em.Graph, o.em.Seed = o.sample.Model, o.graph, o.sample.Seed
		if o.em.Model == "" && o.em.Classes > 1 {
			return errors.New("--classes goes with --model: the first round counts, and has one class")
		}
		pipeline.Write(s, pipeline.Round(s, counts, o.em, o.out), o.out, "round.txt", 1)
	case "evaluate":
		if o.compare == "" {
			return errors.New("evaluate needs --sample-files")
		}
		in.Files = strings.Split(o.compare, ",")
		drawn, badDrawn, err := pipeline.Paths(s, in)
		if err != nil {
			return err
		}
		pipeline.Write(s, pipeline.BadLines(s, badDrawn), o.out, "bad-sample.tsv", 1)
		pipeline.Write(s, pipeline.Evaluate(s, counts, drawn, o.graph), o.out, "distances", 1)
	case "paths":
		write := func(table beam.PCollection, name string) {
			pipeline.WriteTable(s, table, o.graph, o.out, name, cmp.Or(o.write, pathfile.CSV), o.parts)
		}
		if o.split > 0 {
			train, test := pipeline.Split(s, counts, o.split, o.sample.Seed)
			write(train, "train")
			write(test, "test")
			return nil
		}
		write(counts, "counts")
	}
	return nil
}
