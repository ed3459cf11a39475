package modelcmd

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
)

// sampleShard draws the paths of one shard into a store, those that w would write.
func sampleShard(a *cli.App, cmd *cobra.Command, m *model.Model, o *sampleOptions, w *sampleWriter,
	set func(*d3pm.Sampler) error) error {
	w.onGraph()
	job, err := cli.ShardJob(cmd, map[string]func(io.Writer) error{"model": m.Save, "reward": cli.Floats(w.u),
		"cost":    cli.Floats(o.guide.Cost),
		"aliases": cli.FileContent(o.aliases), "graph": func(to io.Writer) error { _, err := w.to.WriteTo(to); return err }})
	if err != nil {
		return err
	}
	return a.PutPaths(cmd.Context(), o.out, job, o.shard, w.to, func(add func(ddps.Path, int) error) error {
		return drawTo(a, cmd, m, o, set, func(p ddps.Path) error { return add(w.number(p), 1) })
	})
}
