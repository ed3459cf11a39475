package graphcmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/internal/ram"
)

// importOptions are the flags of graph import.
type importOptions struct {
	start                     []string
	at                        string
	merge, consolidate, split float64
	directed, undirected      bool
	unjoined, simplify        bool
	mergeSet                  bool
	format, coordinates, out  string
	network                   string
	attr                      map[string]string
	expand                    maps.ExpandOptions
	slots                     slotOptions
}

func newGraphImportCmd(a *cli.App) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import MAP",
		Short: "Unroll a street map in time",
		Long: "Read a map, merge crossings that are close, and unroll it in time: a layer for each step of a\n" +
			"walk from the start, holding the places it may have reached, and an edge for each move or wait.\n" +
			"Maps are OpenStreetMap extracts (.osm.pbf, .osm, .osm.bz2, Overpass JSON), GraphML of OSMnx,\n" +
			"GTFS feeds (a zip or a directory: the hops between stops; 'ddps graph timetable' keeps their\n" +
			"times), lines of GeoJSON and lists of edges (.csv). The content tells which, packed by gzip or\n" +
			"not; docs/formats.md has the details.\n" +
			"Edges with an end outside the file are skipped and counted.\n\n" +
			"Walks may begin at several places (--start, a weight behind =) and end at some (--end): in the last layer,\n" +
			"or where they first come to one (--absorb), or at any time (--early). With --slot a layer is a moment, and\n" +
			"a move takes its travel time, by --travel-times, a column travel_time of the list of edges, or its length at\n" +
			"--speed; a move of k slots passes k − 1 vertices on the way. What the layers hold is printed before.",
		Example: `  ddps graph import town.osm.pbf --at 24.9369,60.1670 --depth 8 -o town.json
  ddps graph import town.osm.bz2 --start 53027353 --depth 10 --merge 0 -o town.json
  ddps graph import buses.zip --start FUR_CREEK_RES --depth 10 --merge 0 -o buses.json
  ddps graph import roads.csv --coordinates towns.csv --start Bath --depth 6 --merge 0 -o roads.json
  ddps graph import roads.csv --start Depot=2 --start Bath --end Wells --absorb --slot 10m --from 8:00 --depth 13 -o day.json
  ddps graph import helsinki.osm.pbf --start 297100377 --nodes 42 --depth 10 --dummies --all --merge-unjoined -o heights.json`,
		Args: cli.WantArgs("MAP"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"pbf", "osm", "bz2", "json", "geojson", "graphml", "zip", "csv", "tsv", "txt", "gz"},
				cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return graphImport(a, cmd, args[0], &o) },
	}
	o.vars(cmd)
	return cmd
}

// vars adds the flags of graph import.
func (o *importOptions) vars(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.start, "start", nil, "number or name of the map's `node` where paths begin, with a weight as "+
		"in A=2; may be repeated")
	f.StringVar(&o.at, "at", "", "`longitude,latitude` in degrees: begin at the nearest node")
	cmd.MarkFlagsMutuallyExclusive("start", "at")
	cli.CountVar(cmd, &o.expand.Depth, "depth", "d", 0, 2, "layers of places, 2 or more: a path makes one move less "+
		"(required)")
	cli.RequireFlags(cmd, "depth")
	cli.CountVar(cmd, &o.expand.Nodes, "nodes", "", 0, 0, "keep only the N places nearest to the start by street (0: all)")
	cli.ChoiceVar(cmd, &o.network, "network", "", "all", maps.NetworkNames(), "of OpenStreetMap: which ways are streets")
	cli.NumberVar(cmd, &o.merge, "merge", "", 10, 0, "merge crossings closer than this, in metres (0: none)")
	cli.NumberVar(cmd, &o.consolidate, "consolidate", "", 0, 0, "instead of --merge: join whatever lies within discs "+
		"of this radius that overlap, in metres")
	cmd.MarkFlagsMutuallyExclusive("merge", "consolidate")
	f.BoolVar(&o.unjoined, "merge-unjoined", false, "with --merge: crossings that no street nearby joins too, as a "+
		"bridge and the street below (so were Heights and Ridge made)")
	f.BoolVar(&o.simplify, "simplify", false, "join the pieces of a street between two crossings into one "+
		"move, as OSMnx does")
	cli.NumberVar(cmd, &o.split, "split", "", 0, 0,
		"split streets longer than this between two nodes, in metres (0: none)")
	f.BoolVar(&o.directed, "directed", false, "honour one-way streets; edges of a list go from the first column to the "+
		"second")
	f.BoolVar(&o.undirected, "undirected", false, "drop the directions of GraphML, GTFS, or a column or property oneway")
	cmd.MarkFlagsMutuallyExclusive("directed", "undirected")
	f.BoolVar(&o.expand.NoWait, "no-wait", false, "no waiting at a place")
	f.BoolVar(&o.expand.Dummies, "dummies", false, "put the paper's source and two dummies before the places")
	f.BoolVar(&o.expand.All, "all", false, "with --dummies: keep copies of places that the start does not reach, as "+
		"the paper does")
	cli.ChoiceVar(cmd, &o.format, "format", "", "auto", maps.FormatNames(), "format of the map")
	f.StringVar(&o.coordinates, "coordinates", "", "for a list of edges: a `file` of name,lon,lat")
	cli.FileFlag(cmd, "coordinates", "csv", "tsv", "txt")
	f.BoolVar(&o.expand.Labels, "labels", false, "put the names of streets and stops into the graph, for pictures, "+
		"pages and conditions (by default with several starts, --end, --early or --slot)")
	o.slots.vars(cmd)
	attrVar(cmd, &o.attr)
	cli.OutVar(cmd, &o.out, "JSON `file` to write (default standard output)", "json")
}

// graphImport runs graph import.
func graphImport(a *cli.App, cmd *cobra.Command, path string, o *importOptions) error {
	lon, lat, err := parseAt(o.at)
	if err != nil {
		return err
	}
	if o.unjoined && (o.consolidate > 0 || o.merge == 0) {
		return cli.Usagef("--merge-unjoined goes with --merge")
	}
	if o.expand.All && !o.expand.Dummies {
		return cli.Usagef("--all goes with --dummies: a layered graph begins with one vertex, which the source then is")
	}
	o.mergeSet = cmd.Flags().Changed("merge")
	if err := o.slots.check(cmd, o); err != nil {
		return err
	}
	if err := a.CheckOut(o.out); err != nil {
		return err
	}
	read, err := readMap(path, o)
	if err != nil {
		return err
	}
	if read, err = o.slots.timed(a, read); err != nil {
		return err
	}
	o.labels(a, cmd, read)
	if o.at == "" && len(o.start) == 0 {
		return fmt.Errorf("%s: the paths want a beginning: %s", path, startHint(read))
	}
	w, err := tidy(a, path, read, o)
	if err != nil {
		return err
	}
	starts, err := o.starts(a, read, w, lon, lat)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	base := filepath.Base(path)
	w.Attr["name"], w.Attr["source"] = strings.SplitN(base, ".", 2)[0], base
	attrFlag(o.attr).apply(w.Attr)
	o.expand.Memory = ram.Machine()
	g, err := o.unroll(a, read, w, starts)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if reached := g.Prune().NumVertices(); reached < g.NumVertices() {
		a.Notef("%s of %s vertices are on some path", cli.Whole(reached), cli.Whole(g.NumVertices()))
	}
	return writeGraph(a, o.out, g)
}

// labels decides whether what people call places goes into the graph: a graph of one start and no end is the same as
// that of earlier versions unless --labels is given.
func (o *importOptions) labels(a *cli.App, cmd *cobra.Command, w *maps.World) {
	if cmd.Flags().Changed("labels") {
		return
	}
	o.expand.Labels = o.slots.used(len(o.start))
	if !o.expand.Labels && w.Labels() != nil {
		a.Notef("the map has names of streets or stops: --labels puts them into the graph")
	}
}
