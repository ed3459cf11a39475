package pathcmd

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/shard"
)

const countLong = "With -o the distinct paths of FILEs are written with counts, in the order in which they first " +
	"come. FILEs\n" +
	"are then read by several threads, by ranges of bytes: .csv and .jsonl hold paths, .txt walks, places\n" +
	"separated by blanks, a walk a line. Every path is checked against the graph; a row that is none is an\n" +
	"error, by file and line, unless --skip-bad leaves it out and counts it. With --shard i/n the bytes of the\n" +
	"files are cut into n ranges, and one of them is counted."

// countOptions are the flags of paths count for files.
type countOptions struct {
	input, by, out, format string
	skip                   bool
	threads                int
	shard                  shard.Part
}

func (o *countOptions) flags(cmd *cobra.Command) {
	cli.ByVar(cmd, &o.by, "vertices", "how a CSV file calls vertices")
	cli.ChoiceVar(cmd, &o.input, "input-format", "", "", blocks.Formats(),
		"format of FILE with -o, by default what its ending says")
	cmd.Flags().BoolVar(&o.skip, "skip-bad", false, "with -o: leave out rows that are no path, and count them")
	cli.CountVar(cmd, &o.threads, "threads", "", 0, 0, "with -o: threads, 0 for all CPUs; never changes the result")
	cli.OutVar(cmd, &o.out, "`file` of distinct paths with counts to write; - is standard output", cli.PathEndings()...)
	cli.ChoiceVar(cmd, &o.format, "format", "", "", pathfile.Formats(), "format of -o, by default what its ending says")
	cli.ShardVar(cmd, &o.shard)
}

// writes reports whether flags are given that only the counting of files by ranges takes.
func (o *countOptions) writes(cmd *cobra.Command) bool {
	for _, f := range []string{"output", "input-format", "skip-bad", "threads", "format", "shard"} {
		if cmd.Flags().Changed(f) {
			return true
		}
	}
	return false
}

// countFiles counts the paths of files.
func countFiles(a *cli.App, cmd *cobra.Command, args []string, o *countOptions) error {
	files := args[1:]
	if err := cli.ShardExcludes(cmd, o.shard, "format"); err != nil {
		return err
	}
	if len(files) == 0 {
		return cli.Usagef("argument FILE is missing")
	}
	if slices.Contains(files, "-") {
		return cli.Usagef("-: files are read by ranges of bytes, which standard input has not; without -o it is read")
	}
	g, err := cli.LoadGraph(args[0])
	if err != nil {
		return err
	}
	sizes, total, err := blocks.Sizes(files)
	if err != nil {
		return err
	}
	if o.shard.Of == 0 {
		format, err := cli.PathFormat(o.out, o.format)
		if err != nil {
			return err
		}
		if err := a.CheckOut(o.out); err != nil {
			return err
		}
		c, err := count(a, cmd.Context(), blocks.Split(files, sizes, 0, total), g, o)
		if err != nil {
			return err
		}
		if len(c.Keys) == 0 {
			return fmt.Errorf("%s: no path", strings.Join(files, ", "))
		}
		return a.WriteFile(o.out, cli.WritePaths(c.Data(g), format, pathfile.ByName))
	}
	inputs := map[string]func(io.Writer) error{"graph": func(w io.Writer) error { _, err := g.WriteTo(w); return err }}
	for i, file := range files {
		inputs[fmt.Sprintf("file %d", i+1)] = blocks.Fingerprint(file)
	}
	job, err := cli.ShardJob(cmd, inputs)
	if err != nil {
		return err
	}
	job.Settings["vertices"] = o.by // how they are read
	lo, hi := o.shard.Span(int(total))
	return a.PutPaths(cmd.Context(), o.out, job, o.shard, g, func(add func(ddps.Path, int) error) error {
		c, err := count(a, cmd.Context(), blocks.Split(files, sizes, int64(lo), int64(hi)), g, o)
		if err != nil {
			return err
		}
		p := make(ddps.Path, 0, g.NumLayers())
		for i, key := range c.Keys {
			if err := add(blocks.PathOf(p[:0], key), c.N[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// listedRows is how many bad rows are named.
const listedRows = 3

// count counts blocks with progress, in megabytes.
func count(a *cli.App, ctx context.Context, list []blocks.Block, g *ddps.LayeredGraph, o *countOptions) (*blocks.Counts,
	error) {
	size, bad, last := int64(0), 0, ""
	for _, b := range list {
		if size += b.To - b.From; b.File == last {
			continue
		}
		notes, err := blocks.Notes(b.File, g, o.input, cli.Vertices(o.by))
		if err != nil {
			return nil, err
		}
		a.Notes(notes)
		last = b.File
	}
	p := a.NewProgress("MB read", 0, int(size>>20))
	defer p.Done()
	threads := o.threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	c, err := blocks.Count(ctx, list, g, blocks.Options{Format: o.input, Vertices: cli.Vertices(o.by), Threads: threads,
		Progress: func(done int64) { p.Set(int(done>>20), "") },
		Bad: func(e *blocks.RowError) error {
			if !o.skip {
				return e
			}
			if bad++; bad <= listedRows {
				p.Logf("left out: %s", cli.Message(e))
			}
			return nil
		}})
	p.Done()
	if err == nil {
		a.Notef("%s distinct paths, %s in all; %s rows left out", cli.Whole(len(c.Keys)), cli.Whole(c.Total), cli.Whole(bad))
	}
	return c, err
}
