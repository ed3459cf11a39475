// Package shardcmd is the commands ddps merge and ddps submit: work in shards.
package shardcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps/shard"
)

// mergeOptions are the flags of merge.
type mergeOptions struct {
	out, format, by, job string
	only                 string
}

// NewMerge returns the command ddps merge.
func NewMerge(a *cli.App) *cobra.Command {
	var o mergeOptions
	cmd := &cobra.Command{
		Use:   "merge STORE",
		Short: "Merge shards into the result of one run",
		Long: "Merge shards that --shard i/n has put into STORE, a directory or a bucket, in whatever order, how often\n" +
			"and by how many workers they were done. Of 'sample' and 'paths count' the file is that of the command\n" +
			"without --shard, byte for byte; of 'train' it is the model that the counts or the round of EM give; of\n" +
			"'reproduce' -o is the directory of its tables, in which the same command then draws. Shards that are\n" +
			"missing or damaged are named, and nothing is written; so are\n" +
			"shards of other settings, inputs or program versions, of which --job takes one. --only merges a\n" +
			"range of shards into one object of the store, so that many can be merged in rounds.",
		Example: `  ddps merge shards -o paths.csv
  ddps merge s3://bucket?prefix=heights/ -o paths.parquet
  ddps merge round1 -o model1.safetensors
  ddps merge shards-of-steps -o steps
  ddps merge shards --only 1-100/10000`,
		Args: cli.WantArgs("STORE"),
		RunE: func(cmd *cobra.Command, args []string) error { return merge(a, cmd.Context(), args[0], &o) },
	}
	cli.OutVar(cmd, &o.out, "`file` to write: .csv, .jsonl, .parquet, .fasta, .geojson (default standard output); "+
		"of train a model, of reproduce a directory",
		cli.PathEndings()...)
	cli.ChoiceVar(cmd, &o.format, "format", "", "", pathfile.Formats(), "format, by default what the file's ending says")
	cli.ByVar(cmd, &o.by, "vertices", "how vertices are written")
	cmd.Flags().StringVar(&o.job, "job", "", "`key` of the job to merge, or its beginning, where STORE has several")
	cmd.Flags().StringVar(&o.only, "only", "", "merge the `shards` A-B/N into one object of STORE")
	return cmd
}

func merge(a *cli.App, ctx context.Context, place string, o *mergeOptions) error {
	if _, err := os.Stat(place); err != nil && !strings.Contains(place, "://") {
		return err // Open would make the directory
	}
	s, err := shard.Open(ctx, place)
	if err != nil {
		return err
	}
	defer s.Close()
	sets, damaged, err := s.Sets(ctx)
	if err != nil {
		return err
	}
	for _, d := range damaged {
		a.Notef("%s: %v; it is not merged", d.Name, d.Err)
	}
	list, err := ofOneJob(sets, o.job, place)
	if err != nil {
		return err
	}
	kind := kindOf(list[0].Job)
	if o.only != "" {
		return mergeSome(a, ctx, s, list, kind, o.only)
	}
	set, err := complete(a, list, len(damaged))
	if err != nil {
		return err
	}
	if now := cli.ProgramVersion(); set.Job.Program != now {
		a.Notef("the shards are of program version %s, this is %s", set.Job.Program, now)
	}
	much, err := kind.write(a, ctx, s, set, o)
	if err == nil {
		a.Notef("%s: %d shards of job %s, %s", cli.OutName(o.out), set.Of, set.Job.Key(), much)
	}
	return err
}

// kind is what is done with the shards of a command.
type kind struct {
	// write writes the result, and says how much it is
	write func(a *cli.App, ctx context.Context, s *shard.Store, set *shard.Set, o *mergeOptions) (string, error)
	// join writes the payload of all objects of a set as one
	join func(ctx context.Context, s *shard.Store, set *shard.Set, w io.Writer) error
}

func kindOf(j shard.Job) kind {
	switch {
	case j.Command == "train":
		return kind{writeModel, joinSums}
	case strings.HasPrefix(j.Command, "reproduce "):
		return kind{writeTables, joinTables}
	}
	return kind{writePaths, joinPaths}
}

// each calls do with the payload of each object of a set, in order.
func each(ctx context.Context, s *shard.Store, set *shard.Set, do func(io.Reader) error) error {
	for _, o := range set.Objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.Read(ctx, o, do); err != nil {
			return err
		}
	}
	return nil
}

// mergeSome merges a range of shards into one object.
func mergeSome(a *cli.App, ctx context.Context, s *shard.Store, list []*shard.Set, k kind, only string) error {
	var p shard.Part
	if n, err := fmt.Sscanf(only, "%d-%d/%d", &p.From, &p.To, &p.Of); n != 3 || err != nil || p.String() != only {
		return cli.Usagef("--only: %q is not A-B/N, like 1-100/10000", only)
	}
	for _, set := range list {
		if set.Of != p.Of {
			continue
		}
		part, err := set.Within(p)
		if err != nil {
			return err
		}
		_, err = s.Put(ctx, set.Job, p, func(w io.Writer) error { return k.join(ctx, s, part, w) })
		if err == nil {
			a.Notef("%d objects merged into that of %v", len(part.Objects), p)
		}
		return err
	}
	return fmt.Errorf("no shards of %d in %v", p.Of, s)
}

// ofOneJob returns the sets of the job meant; an error names the jobs if it is open which.
func ofOneJob(sets []*shard.Set, key, place string) ([]*shard.Set, error) {
	var list []*shard.Set
	var others []string
	for _, set := range sets {
		k := set.Job.Key()
		switch {
		case key != "" && !strings.HasPrefix(k, key):
		case len(list) == 0 || list[0].Job.Key() == k:
			list = append(list, set)
		default:
			others = append(others, fmt.Sprintf("%s (%s)", k, strings.Join(list[0].Job.Differences(set.Job), "; ")))
		}
	}
	if len(list) == 0 && key != "" {
		return nil, fmt.Errorf("%s: no shard of a job %s", place, key)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no shard in it", place)
	}
	if len(others) > 0 {
		return nil, fmt.Errorf("%s: shards that do not belong together: job %s, and %s: --job takes one", place,
			list[0].Job.Key(),
			strings.Join(others, ", and "))
	}
	return list, nil
}

// complete returns the first set that lacks no shard; the error names the shards that the fullest lacks.
func complete(a *cli.App, sets []*shard.Set, damaged int) (*shard.Set, error) {
	var best *shard.Set
	have := -1.0
	for _, set := range sets {
		if lacks := len(set.Missing()); lacks == 0 {
			if left := len(sets) - 1; left > 0 {
				a.Notef("%d other numbers of shards of the same job are left out", left)
			}
			return set, nil
		}
		if share := float64(len(set.Objects)) / float64(set.Of); share > have {
			best, have = set, share
		}
	}
	var names []string
	const most = 20
	for k, p := range best.Missing() {
		if k == most {
			names = append(names, fmt.Sprintf("and %d ranges more", len(best.Missing())-most))
			break
		}
		names = append(names, p.String())
	}
	text := "missing shards: " + strings.Join(names, ", ")
	if damaged > 0 {
		text += fmt.Sprintf("; %d damaged", damaged)
	}
	return nil, errors.New(text + ": do them again with the same command")
}
