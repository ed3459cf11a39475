package traincmd

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/ddps/em"
	"github.com/ddps-go/ddps/ddps/exactsum"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/shard"
)

// trainShardOptions are the flags of train --shard.
type trainShardOptions struct {
	shard          shard.Part
	from           string
	classes, order int
}

// vars adds the flags.
func (o *trainShardOptions) vars(cmd *cobra.Command) {
	cli.ShardVar(cmd, &o.shard)
	cmd.Flags().StringVar(&o.from, "from", "", "with --shard: `file` of the model before this round of EM; without it "+
		"the round counts, and its model is chains of --order")
	cli.FileFlag(cmd, "from")
	cli.CountVar(cmd, &o.classes, "classes", "", 1, 1, "with --from: classes of the mixture, which a model of one class "+
		"is parted into by --seed (default those that it has)")
	cli.CountVar(cmd, &o.order, "order", "", 1, 1, "with --shard and no --from: order of the chains, 1, or 2 of moves "+
		"between places")
	cli.GroupFlags(cmd, "Shards", "shard", "from", "classes", "order")
}

// trainShardFlags are the flags of train that --shard takes.
var trainShardFlags = map[string]bool{"shard": true, "from": true, "classes": true, "order": true, "graph": true,
	"paths": true, "vertices": true, "kappa": true, "seed": true, "output": true, "quiet": true}

// check refuses flags that do not go together.
func (o *trainShardOptions) check(cmd *cobra.Command, t *trainOptions) error {
	set := cmd.Flags().Changed
	if o.shard.Of == 0 {
		for _, f := range []string{"from", "classes", "order"} {
			if set(f) {
				return cli.Usagef("--%s goes with --shard", f)
			}
		}
		return nil
	}
	var others []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !trainShardFlags[f.Name] {
			others = append(others, "--"+f.Name)
		}
	})
	switch {
	case len(others) > 0:
		return cli.Usagef("--shard counts walks or does a round of EM, and does not go with %s", strings.Join(others, ", "))
	case len(t.paths) == 0:
		return cli.Usagef("--shard needs --paths")
	case o.from == "" && t.graph == "":
		return cli.Usagef("--shard needs --graph, or --from with the model of the round before")
	case o.from == "" && o.classes > 1:
		return cli.Usagef("--classes goes with --from: the first round counts, and has one class")
	case o.from != "" && (t.graph != "" || set("order")):
		return cli.Usagef("--from has the graph and the order: leave out --graph and --order")
	}
	return nil
}

// start returns the model before the round.
func (o *trainShardOptions) start(a *cli.App, cmd *cobra.Command, t *trainOptions) (*model.Model, error) {
	if o.from == "" {
		g, err := cli.LoadGraph(t.graph)
		if err != nil {
			return nil, err
		}
		return em.Start(g, o.order)
	}
	m, _, err := a.OpenModel(o.from)
	if err != nil {
		return nil, err
	}
	if m.Mixture == nil {
		return nil, fmt.Errorf("%s: the model is %s: EM goes on from a mixture of chains alone", o.from, m.Config.Kind())
	}
	if !cmd.Flags().Changed("classes") {
		o.classes = len(m.Mixture.Weight)
	}
	m, err = em.Classes(m, o.classes, t.seed)
	if err != nil {
		err = fmt.Errorf("%s: %w", o.from, err)
	}
	return m, err
}

// trainShard adds up the statistics of a shard of the walks under the model of the round before.
func trainShard(a *cli.App, cmd *cobra.Command, t *trainOptions) error {
	o := &t.shard
	m, err := o.start(a, cmd, t)
	if err != nil {
		return err
	}
	sizes, total, err := blocks.Sizes(t.paths)
	if err != nil {
		return err
	}
	inputs := map[string]func(io.Writer) error{"from": m.Save, "graph": func(w io.Writer) error {
		_, err := m.Graph.WriteTo(w)
		return err
	}}
	for i, file := range t.paths {
		inputs[fmt.Sprintf("file %d", i+1)] = blocks.Fingerprint(file)
	}
	job, err := cli.ShardJob(cmd, inputs)
	if err != nil {
		return err
	}
	delete(job.Settings, "paths") // where the files are changes nothing
	job.Settings["vertices"] = t.by
	lo, hi := o.shard.Span(int(total))
	return a.PutShard(cmd.Context(), t.out, job, o.shard, m.Save, func(w io.Writer) (string, error) {
		c, err := blocks.Count(cmd.Context(), blocks.Split(t.paths, sizes, int64(lo), int64(hi)), m.Graph,
			blocks.Options{Vertices: cli.Vertices(t.by), Threads: runtime.GOMAXPROCS(0),
				Bad: func(e *blocks.RowError) error { return e }})
		if err != nil {
			return "", err
		}
		s, err := statistics(m, c)
		if err != nil {
			return "", err
		}
		return cli.Whole(c.Total) + " walks", s.Write(w)
	})
}

// statistics adds up those of counted walks.
func statistics(m *model.Model, c *blocks.Counts) (exactsum.Vector, error) {
	s, r := em.NewSums(m.Mixture), em.NewRound(m.Mixture)
	for i, key := range c.Keys {
		if err := r.Add(blocks.PathOf(nil, key), c.N[i], s); err != nil {
			return nil, err
		}
	}
	return s.Vector, nil
}
