package graphcmd

import (
	stdmaps "maps"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/internal/ram"
)

func newGraphTimetableCmd(a *cli.App) *cobra.Command {
	var o maps.TimetableOptions
	var out string
	var attr map[string]string
	cmd := &cobra.Command{
		Use:   "timetable FEED",
		Short: "Unroll a timetable of public transport in time",
		Long: "Unroll a GTFS feed, a zip or a directory, by its times: a layer for each moment, --slot seconds\n" +
			"apart; a vertex for each stop where one may be then, and for each vehicle that one may be\n" +
			"aboard; an edge for what one can do until the next layer: wait, walk, or ride.\n" +
			"'ddps graph import' makes the graph of hops between stops, without times.",
		Example: `  ddps graph timetable buses.zip --start 750000 --from 8:00 --depth 13 -o morning.json
  ddps graph timetable buses.zip --start 750000 --start 750131 --from 8:00 --depth 13 -o morning.json
  ddps graph timetable buses.zip --start 750000 --end 750131 --absorb --from 8:00 --depth 13 -o trip.json
  ddps graph timetable feed/ --start STAGECOACH --from 6:00 --slot 600 --depth 10 --date 20070105 --walk 400 -o desert.json`,
		Args: cli.WantArgs("FEED"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"zip"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("labels") {
				o.Labels = len(o.Starts) > 1 || len(o.Ends) > 0
			}
			if o.Absorb && len(o.Ends) == 0 {
				return cli.Usagef("--absorb goes with --end")
			}
			starts, err := weighed(o.Starts, func(string) bool { return false })
			if err != nil {
				return err
			}
			for _, s := range starts {
				if s.Weight > 0 {
					o.Weights = append(o.Weights, s.Weight)
				}
			}
			return timetable(a, args[0], o, attr, out)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Starts, "start", nil, "`stop_id` of a stop where paths begin (required), with a weight as in "+
		"A=2; may be repeated: paths then begin at any of them")
	f.StringVar(&o.From, "from", "", "`time` of the first layer, H:MM or H:MM:SS (required)")
	cli.CountVar(cmd, &o.Depth, "depth", "d", 0, 2, "layers, 2 or more (required)")
	cli.RequireFlags(cmd, "start", "from", "depth")
	cli.CountVar(cmd, &o.Slot, "slot", "", 300, 1, "seconds from layer to layer")
	f.StringVar(&o.Date, "date", "", "`day` of service, YYYYMMDD (default the first one with the most trips)")
	cli.NumberVar(cmd, &o.Walk, "walk", "", 0, 0, "metres that may be walked in a slot, from stop to stop")
	f.StringArrayVar(&o.Ends, "end", nil, "`stop_id` of a stop where paths end, at the latest in the last layer; may be "+
		"repeated (by default anywhere)")
	f.BoolVar(&o.Absorb, "absorb", false, "with --end: a path ends where it first comes to one")
	f.BoolVar(&o.Labels, "labels", false, "put the names of stops into the graph, for pictures, pages and conditions (by "+
		"default with several starts or --end)")
	attrVar(cmd, &attr)
	cli.OutVar(cmd, &out, "JSON `file` to write (default standard output)", "json")
	return cmd
}

// timetable runs graph timetable.
func timetable(a *cli.App, path string, o maps.TimetableOptions, attr map[string]string, out string) error {
	if err := a.CheckOut(out); err != nil {
		return err
	}
	if len(o.Starts) == 1 {
		o.Start, o.Starts, o.Weights = o.Starts[0], nil, nil
	}
	o.Note, o.Memory = func(text string) { a.Notef("%s", text) }, ram.Machine()
	g, err := maps.Timetable(path, o)
	if err != nil {
		return err
	}
	m := g.Meta()
	m.Attr = stdmaps.Clone(m.Attr)
	base := filepath.Base(path)
	m.Attr["name"], m.Attr["source"] = strings.SplitN(base, ".", 2)[0], base
	attrFlag(attr).apply(m.Attr)
	if g, err = g.WithMeta(m); err != nil {
		return err
	}
	if day := m.Attr["date"]; day != "" { // a feed without days has none
		a.Notef("the day is %s", day)
	}
	return writeGraph(a, out, g)
}
