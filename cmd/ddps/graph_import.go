package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/datasets"
)

// importOptions are the flags of graph import.
type importOptions struct {
	start        int64
	at           string
	merge, split float64
	directed     bool
	format, out  string
	expand       datasets.ExpandOptions
}

func newGraphImportCmd(a *app) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import MAP",
		Short: "Unroll a street map in time",
		Long: "Read the streets of an OpenStreetMap extract (.osm.pbf, .osm, .osm.bz2), merge crossings\n" +
			"that are close, and unroll them in time: a layer for each step of a walk from the start,\n" +
			"holding the places it may have reached, and an edge for each move or wait.\n" +
			"Pieces of street that lead out of the extract are skipped and counted.",
		Example: `  ddps graph import town.osm.pbf --at 24.9369,60.1670 --depth 8 -o town.json
  ddps graph import town.osm.bz2 --start 53027353 --depth 10 --merge 0 -o town.json
  ddps graph import helsinki.osm.pbf --start 297100377 --nodes 42 --depth 10 --dummies --all -o heights.json`,
		Args: wantArgs("MAP"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"pbf", "osm", "bz2"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.graphImport(cmd, args[0], &o) },
	}
	f := cmd.Flags()
	f.Int64Var(&o.start, "start", 0, "number of the map's node where every path begins")
	f.StringVar(&o.at, "at", "", "longitude,latitude in degrees: begin at the nearest node")
	cmd.MarkFlagsOneRequired("start", "at")
	cmd.MarkFlagsMutuallyExclusive("start", "at")
	countVar(cmd, &o.expand.Depth, "depth", "d", 0, 2, "layers of places, 2 or more: a path makes one move less (required)")
	requireFlags(cmd, "depth")
	countVar(cmd, &o.expand.Nodes, "nodes", "", 0, 0, "keep only the N places nearest to the start by street (0: all)")
	numberVar(cmd, &o.merge, "merge", "", 10, 0, "merge crossings closer than this, in metres (0: none)")
	numberVar(cmd, &o.split, "split", "", 0, 0, "split streets longer than this between two nodes, in metres (0: none)")
	f.BoolVar(&o.directed, "directed", false, "honour one-way streets")
	f.BoolVar(&o.expand.NoWait, "no-wait", false, "no waiting at a place")
	f.BoolVar(&o.expand.Dummies, "dummies", false, "put the paper's source and two dummies before the places")
	f.BoolVar(&o.expand.All, "all", false, "keep copies of places that the start does not reach, as the paper does")
	choiceVar(cmd, &o.format, "format", "", "auto", []string{"auto", "pbf", "xml", "bz2"}, "format of the map")
	outVar(cmd, &o.out, "JSON `file` to write (default standard output)", "json")
	return cmd
}

// graphImport runs graph import.
func (a *app) graphImport(cmd *cobra.Command, path string, o *importOptions) error {
	lon, lat, err := parseAt(o.at)
	if err != nil {
		return err
	}
	if err := a.checkOut(o.out); err != nil {
		return err
	}
	formats := map[string]datasets.Format{"pbf": datasets.PBF, "xml": datasets.XML, "bz2": datasets.XMLBzip}
	read, err := datasets.ReadOSMFile(path, datasets.OSMOptions{Format: formats[o.format], Directed: o.directed})
	if err != nil {
		return err
	}
	w, err := a.tidy(read, o)
	if err != nil {
		return err
	}
	if o.expand.Start = o.start; o.at != "" {
		if o.expand.Start, err = a.startNear(w, lon, lat); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	} else {
		a.followStart(read, w, &o.expand)
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	base := filepath.Base(path)
	w.Attr["name"], w.Attr["source"] = strings.SplitN(base, ".", 2)[0], base
	w.Attr["licence"], w.Attr["attribution"] = "ODbL 1.0", "© OpenStreetMap contributors"
	g, err := datasets.Expand(w, o.expand)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if reached := g.Prune().NumVertices(); reached < g.NumVertices() {
		a.notef("%s of %s vertices are on some path", whole(reached), whole(g.NumVertices()))
	}
	return a.writeGraph(o.out, g)
}

// parseAt reads longitude,latitude; "" is 0, 0.
func parseAt(at string) (lon, lat float64, err error) {
	if at == "" {
		return 0, 0, nil
	}
	parts := strings.Split(at, ",")
	if len(parts) != 2 {
		return 0, 0, usagef("--at: %q is not longitude,latitude", at)
	}
	if lon, err = parseNumber(parts[0]); err == nil {
		lat, err = parseNumber(parts[1])
	}
	if err != nil {
		return 0, 0, usagef("--at: %w", err)
	}
	if math.Abs(lon) > 180 || math.Abs(lat) > 90 {
		return 0, 0, usagef("--at: longitude %v, latitude %v are not within ±180, ±90 degrees", lon, lat)
	}
	return lon, lat, nil
}

// tidy merges and splits, and tells what was read, left out, merged and made.
func (a *app) tidy(read *datasets.World, o *importOptions) (*datasets.World, error) {
	a.notef("read %s nodes, %s pieces of street; skipped %s with an end outside the file, %s repeated, %s loops",
		whole(len(read.Nodes)), whole(len(read.Edges)), whole(read.Skipped.Missing), whole(read.Skipped.Duplicates), whole(read.Skipped.Loops))
	merged, err := read.Merge(o.merge)
	if err != nil {
		return nil, err
	}
	if n := len(read.Nodes) - len(merged.Nodes); n > 0 {
		a.notef("merged %s nodes into crossings within %v m: %s left", whole(n), o.merge, whole(len(merged.Nodes)))
	}
	split, err := merged.Split(o.split)
	if err != nil {
		return nil, err
	}
	if n := len(split.Nodes) - len(merged.Nodes); n > 0 {
		a.notef("split streets over %v m: %s new nodes", o.split, whole(n))
	}
	return split, nil
}

// followStart moves a start that a merge took away to the node it went into, or
// nearest to it.
func (a *app) followStart(read, w *datasets.World, x *datasets.ExpandOptions) {
	i, was := read.Find(x.Start)
	if _, is := w.Find(x.Start); is || !was {
		return // Expand says so where it never was
	}
	n := read.Nodes[i]
	to := w.Nodes[w.Nearest(n.Lon, n.Lat)]
	a.notef("start %d was merged: taking %d, %.1f m away", x.Start, to.ID, datasets.Distance(n, to))
	x.Start = to.ID
}

// offMap is how far from a street, in metres, a place is no longer on the map.
const offMap = 1000

// startNear returns the node nearest to a place.
func (a *app) startNear(w *datasets.World, lon, lat float64) (int64, error) {
	n := w.Nodes[w.Nearest(lon, lat)]
	d := datasets.Distance(datasets.Node{Lon: lon, Lat: lat}, n)
	if d > offMap {
		return 0, fmt.Errorf("--at %v,%v is not on the map: the nearest street is %.1f km away", lon, lat, d/1000)
	}
	a.notef("start %d, %.0f m from the place asked for", n.ID, d)
	return n.ID, nil
}
