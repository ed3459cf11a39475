package pathcmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/tracks"
	"github.com/ddps-go/ddps/ddps"
)

// tracksOptions are the flags of paths import.
type tracksOptions struct {
	every           time.Duration
	radius          float64
	strict          bool
	out, format, by string
	report, dates   string
}

func newPathsImportCmd(a *cli.App) *cobra.Command {
	var o tracksOptions
	cmd := &cobra.Command{
		Use:   "import GRAPH TRACKS…",
		Short: "Make paths of tracks: GPS points with times, or places in order",
		Long: "Make paths of a graph of files of tracks, at most one of each track. TRACKS are\n" +
			"  .csv, .tsv, .txt\n" +
			"           a row for each fix, with columns track, time (a date, or seconds) or step, and lat and\n" +
			"           lon, or place, a vertex by its name; other names for them are known (trip_id, timestamp,\n" +
			"           latitude, lng, node, …), and others are not used; without a header: track, time, lat, lon\n" +
			"  .jsonl   the same as an object a line\n" +
			"  .gpx     each trk and rte a track; without times its points are passed at 1 m/s\n" +
			"or one of them packed by gzip, with .gz after.\n\n" +
			"Points go to the nearest place within --radius by great-circle distance, or to another within it\n" +
			"where that makes no path. A path begins where its track first is near the graph's start, and has a\n" +
			"layer each --every after; layers without a fix are filled by the shortest way that takes so many.\n" +
			"A track that makes no path is refused. All that is refused is counted and told, the first few by\n" +
			"file and line, and --report lists every track and every refused fix, as CSV.",
		Example: `  ddps graph import town.osm.pbf --at 24.9369,60.1670 --depth 8 -o town.json
  ddps paths import town.json tracks.csv -o paths.csv
  ddps paths import town.json morning.gpx evening.gpx --every 45s --radius 30 --report report.csv -o paths.csv
  ddps train --graph town.json --paths paths.csv -o runs/town`,
		Args: cli.WantArgs("GRAPH", "TRACKS…"), ValidArgsFunction: cli.CompleteGraph,
		RunE: func(cmd *cobra.Command, args []string) error { return pathsImport(a, cmd, args[0], args[1:], &o) },
	}
	f := cmd.Flags()
	f.DurationVar(
		&o.every,
		"every",
		0,
		"time between a layer and the next, like 60s or 1m30s (default: guessed from "+
			"the tracks)",
	)
	cli.NumberVar(cmd, &o.radius, "radius", "", 0, 0, "how far from a place a point may lie, in metres (0: guessed "+
		"from the map)")
	cli.ChoiceVar(cmd, &o.dates, "dates", "", "", []string{"day", "month", "year"}, "what comes first in dates such as "+
		"03/04/2024 (by default decided by the file)")
	f.BoolVar(&o.strict, "strict", false, "any refusal is an error, and no path is written")
	f.StringVar(&o.report, "report", "", "CSV `file` to write: what became of every track and every refused fix")
	cli.FileFlag(cmd, "report", "csv")
	cli.Outputs(cmd, "report")
	pathOutVars(cmd, &o.out, &o.format, &o.by)
	return cmd
}

// pathsImport runs paths import.
func pathsImport(a *cli.App, cmd *cobra.Command, graph string, files []string, o *tracksOptions) error {
	format, err := cli.PathFormat(o.out, o.format)
	switch {
	case err != nil:
		return err
	case cmd.Flags().Changed("every") && o.every <= 0:
		return cli.Usagef("--every: want a time above 0")
	}
	if err := cli.CheckApart(o.out, o.report); err != nil {
		return err
	}
	g, err := cli.LoadGraph(graph)
	if err != nil {
		return err
	}
	if err := a.CheckOut(o.out, o.report); err != nil {
		return err
	}
	t, err := tracks.ReadOptions{Dates: o.dates}.Read(files...)
	if err != nil {
		return err
	}
	a.Notef("%s", strings.Join(t.Layout, "\n"))
	d, r, err := match(a, cmd.Context(), g, t, tracks.Options{Every: o.every.Seconds(), Radius: o.radius})
	if r == nil {
		return err
	}
	noteMatch(a, r)
	if r.Steps && 2*r.Matched < r.Tracks {
		a.Notef(
			"most tracks are no paths of the graph: 'ddps train --paths' makes one of walks of any start and length",
		)
	}
	if n := len(r.Refused()); err == nil && o.strict && n > 0 {
		err = fmt.Errorf("--strict: %s refusals, so no path is written", cli.Whole(n))
	}
	var list []cli.OutFile
	if o.report != "" { // all the more where there is no path
		list = append(list, cli.OutFile{Path: o.report, Write: r.WriteCSV})
	}
	if err == nil {
		list = append(list, cli.OutFile{Path: o.out, Write: cli.WritePaths(d, format, cli.Vertices(o.by))})
	}
	if err := errors.Join(a.WriteFiles(list...), err); err != nil {
		return err
	}
	a.Notef("%s: %s distinct paths, %s in all", cli.OutName(o.out), cli.Whole(len(d.Paths)), cli.Whole(d.Total()))
	return nil
}

// match makes paths of tracks, with progress.
func match(a *cli.App, ctx context.Context, g *ddps.LayeredGraph, t *tracks.Tracks, o tracks.Options) (*datasets.Data,
	*tracks.Report, error) {
	var p *cli.Progress
	o.Told = func(done, total int) error {
		if p == nil {
			p = a.NewProgress("tracks", 0, total)
		}
		p.Set(done, "")
		return ctx.Err()
	}
	d, r, err := tracks.Match(g, t, o)
	if p != nil {
		p.Done()
	}
	return d, r, err
}

// noteMatch says what became of tracks.
func noteMatch(a *cli.App, r *tracks.Report) {
	guessed := func(yes bool) string {
		if yes {
			return " (guessed)"
		}
		return ""
	}
	if r.Steps {
		a.Notef("a layer each step")
	} else {
		a.Notef("a layer every %s%s", time.Duration(r.Every*float64(time.Second)), guessed(r.GuessedEvery))
	}
	if r.Radius > 0 {
		a.Notef(
			"points within %s m of a place%s",
			strconv.FormatFloat(r.Radius, 'f', -1, 64),
			guessed(r.GuessedRadius),
		)
	}
	a.Notes(r.Notes)
	a.Notef("%s of %s tracks are paths, by %s of %s fixes, %s of which go by another place than their nearest",
		cli.Whole(r.Matched),
		cli.Whole(r.Tracks), cli.Whole(r.Used), cli.Whole(r.Fixes), cli.Whole(r.Moved))
	for _, c := range []struct {
		n    int
		text string
	}{{r.Spare, "fixes spare: another of their layer is nearer in time"}, {r.Lost, "good fixes are of tracks refused"}} {
		if c.n > 0 {
			a.Notef("%s %s", cli.Whole(c.n), c.text)
		}
	}
	if r.Filled > 0 {
		a.Notef("%s layers of %s paths without a fix were filled", cli.Whole(r.Filled), cli.Whole(r.FilledTracks))
	}
	by := map[tracks.Fate][]tracks.Outcome{}
	for _, x := range r.Refused() {
		by[x.Fate] = append(by[x.Fate], x)
	}
	for _, fate := range tracks.Fates() {
		noteRefused(a, by[fate])
	}
}

// listed is how many refusals of a kind are told one by one.
const listed = 3

// noteRefused notes refusals of one kind.
func noteRefused(a *cli.App, list []tracks.Outcome) {
	if len(list) == 0 {
		return
	}
	what := "fixes"
	if list[0].IsTrack {
		what = "tracks"
	}
	a.Notef("refused %s %s: %s", cli.Whole(len(list)), what, list[0].Fate)
	for _, x := range list[:min(listed, len(list))] {
		a.Notef("  %s", x)
	}
	if more := len(list) - listed; more > 0 {
		a.Notef("  and %s more", cli.Whole(more))
	}
}
