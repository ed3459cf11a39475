package shardcmd

import (
	"context"
	"io"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/shard"
)

// writePaths writes the file of a sample or a count.
func writePaths(a *cli.App, ctx context.Context, s *shard.Store, set *shard.Set, o *mergeOptions) (string, error) {
	format, err := cli.PathFormat(o.out, o.format)
	if err != nil {
		return "", err
	}
	if err := a.CheckOut(o.out); err != nil {
		return "", err
	}
	g, err := graphOf(ctx, s, set)
	if err != nil {
		return "", err
	}
	n := 0
	err = a.WriteFile(o.out, func(w io.Writer) error {
		out, err := pathfile.NewWriter(w, g, format, cli.Vertices(o.by))
		if err != nil {
			return err
		}
		err = eachPath(ctx, s, set, g, func(p ddps.Path, count int) error {
			n += count
			return out.Write(p, count)
		})
		if err != nil {
			return err
		}
		return out.Close()
	})
	return cli.Whole(n) + " paths", err
}

// joinPaths writes the paths of a set as one payload.
func joinPaths(ctx context.Context, s *shard.Store, set *shard.Set, w io.Writer) error {
	g, err := graphOf(ctx, s, set)
	if err != nil {
		return err
	}
	out := shard.NewPathWriter(w)
	if err := eachPath(ctx, s, set, g, out.Write); err != nil {
		return err
	}
	return out.Flush()
}

// graphOf returns the graph of a job of paths.
func graphOf(ctx context.Context, s *shard.Store, set *shard.Set) (g *ddps.LayeredGraph, err error) {
	err = s.ReadHead(ctx, set.Job, func(r io.Reader) (err error) {
		g, err = ddps.ReadGraph(r)
		return err
	})
	return g, err
}

// eachPath calls do for each path of the merged shards, in the order of one run.
func eachPath(ctx context.Context, s *shard.Store, set *shard.Set, g *ddps.LayeredGraph,
	do func(ddps.Path, int) error) error {
	add := do
	counts := blocks.NewCounts()
	if set.Job.Command == "paths count" {
		add = counts.Add
	}
	err := each(ctx, s, set, func(r io.Reader) error { return shard.EachPath(r, g, add) })
	for i := 0; i < len(counts.Keys) && err == nil; i++ {
		err = do(blocks.PathOf(nil, counts.Keys[i]), counts.N[i])
	}
	return err
}
