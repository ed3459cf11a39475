package graphcmd

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/maps"
)

// readMap reads the map that the flags describe.
func readMap(path string, o *importOptions) (*maps.World, error) {
	var m maps.Options
	switch {
	case o.directed:
		m.Direction = maps.Directed
	case o.undirected:
		m.Direction = maps.Undirected
	}
	if o.coordinates != "" {
		f, err := os.Open(o.coordinates)
		if err != nil {
			return nil, fmt.Errorf("--coordinates %s: %w", o.coordinates, cli.Reason(err))
		}
		defer f.Close()
		m.Coordinates = f
	}
	var err error
	if m.Format, err = maps.ParseFormat(o.format); err != nil {
		return nil, err
	}
	if m.Network, err = maps.ParseNetwork(o.network); err != nil {
		return nil, err
	}
	w, err := maps.ReadFile(path, m)
	if errors.Is(err, maps.ErrUnknownFormat) {
		err = fmt.Errorf("%w, as --format edges for a list of edges", err)
	}
	return w, err
}

// parseAt reads longitude,latitude; "" is 0, 0.
func parseAt(at string) (lon, lat float64, err error) {
	if at == "" {
		return 0, 0, nil
	}
	parts := strings.Split(at, ",")
	if len(parts) != 2 {
		return 0, 0, cli.Usagef("--at: %q is not longitude,latitude", at)
	}
	if lon, err = cli.ParseNumber(parts[0]); err == nil {
		lat, err = cli.ParseNumber(parts[1])
	}
	if err != nil {
		return 0, 0, cli.Usagef("--at: %w", err)
	}
	if math.Abs(lon) > 180 || math.Abs(lat) > 90 {
		return 0, 0, cli.Usagef("--at: longitude %v, latitude %v are not within ±180, ±90 degrees", lon, lat)
	}
	return lon, lat, nil
}

// tidy merges and splits, and tells what was read, left out, merged and made.
func tidy(a *cli.App, path string, read *maps.World, o *importOptions) (*maps.World, error) {
	way := map[bool]string{true: "directed", false: "undirected"}[read.Directed]
	a.Notef("read %s nodes, %s %s edges; skipped %s with an end outside the file, %s repeated, %s loops",
		cli.Whole(len(read.Nodes)), cli.Whole(len(read.Edges)), way, cli.Whole(read.Skipped.Missing),
		cli.Whole(read.Skipped.Duplicates), cli.Whole(read.Skipped.Loops))
	a.Notes(o.slots.notes(read.Notes))
	merge, within, did := read.Merge, o.merge, "into crossings within %v m"
	switch {
	case o.unjoined && !read.Unplaced:
		merge = read.MergeUnjoined
	case o.consolidate > 0:
		merge, within, did = read.Consolidate, o.consolidate, "whose discs of %v m overlap"
	case read.Unplaced:
		if o.mergeSet && o.merge > 0 {
			return nil, fmt.Errorf("%s: merge: the nodes have no coordinates: leave out --merge, or give --coordinates",
				path)
		}
		within = 0
	}
	merged, err := merge(within)
	if err != nil {
		return nil, err
	}
	if n := len(read.Nodes) - len(merged.Nodes); n > 0 {
		a.Notef("merged %s nodes %s: %s left", cli.Whole(n), fmt.Sprintf(did, within), cli.Whole(len(merged.Nodes)))
	}
	if o.simplify {
		simple, err := merged.Simplify(o.named(read, merged)...)
		if err != nil {
			return nil, err
		}
		a.Notef("simplified: %s nodes on the way between two crossings are left out, %s left",
			cli.Whole(len(merged.Nodes)-len(simple.Nodes)), cli.Whole(len(simple.Nodes)))
		merged = simple
	}
	split, err := merged.Split(o.split)
	if err != nil {
		return nil, err
	}
	if n := len(split.Nodes) - len(merged.Nodes); n > 0 {
		a.Notef("split streets over %v m: %s new nodes", o.split, cli.Whole(n))
	}
	return split, nil
}
