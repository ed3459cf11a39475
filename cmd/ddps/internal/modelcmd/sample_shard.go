package modelcmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// sampleShard draws the paths of one shard into a store.
func sampleShard(a *cli.App, cmd *cobra.Command, m *model.Model, r *run.Run, o *sampleOptions, u []float64, set func(*d3pm.Sampler) error) error {
	g, number := m.Graph, func(p ddps.Path) ddps.Path { return p }
	if r != nil {
		g, number = r.Data.Graph, datasets.Unpruner(r.Data.Graph)
	}
	inputs := map[string]func(io.Writer) error{"model": m.Save, "reward": cli.Floats(u), "cost": cli.Floats(o.guide.Cost),
		"aliases": cli.FileContent(o.aliases), "graph": func(w io.Writer) error { _, err := g.WriteTo(w); return err }}
	job, err := cli.ShardJob(cmd, inputs)
	if err != nil {
		return err
	}
	return a.PutPaths(cmd.Context(), o.out, job, o.shard, g, func(add func(ddps.Path, int) error) error {
		return drawTo(a, cmd, m, o, set, func(p ddps.Path) error { return add(number(p), 1) })
	})
}
