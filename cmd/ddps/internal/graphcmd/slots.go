package graphcmd

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/ddps"
)

// slotOptions are the flags of graph import that take more than one start and a layer per move.
type slotOptions struct {
	ends          []string
	absorb, early bool
	slot          slotFlag
	speed         speedFlag
	times, from   string
}

// vars adds the flags, in groups.
func (o *slotOptions) vars(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.ends, "end", nil, "number or name of a `node` where paths end; may be repeated (by default "+
		"anywhere)")
	f.BoolVar(&o.absorb, "absorb", false, "with --end: a path ends where it first comes to one")
	f.BoolVar(&o.early, "early", false, "a path may end before the last layer")
	cmd.MarkFlagsMutuallyExclusive("absorb", "early")
	f.Var(&o.slot, "slot", "`time` from layer to layer, like 60s or 5m, or seconds; moves then take their travel times")
	f.Var(&o.speed, "speed", "with --slot: `speed` of moves without a travel time, like 5km/h or 1.4m/s")
	f.StringVar(&o.times, "travel-times", "", "with --slot: a `file` of from,to,travel_time in seconds (by default the "+
		"map's own travel_time, of a list of edges or GraphML)")
	cli.FileFlag(cmd, "travel-times", "csv", "tsv", "txt")
	f.StringVar(&o.from, "from", "", "with --slot: `time` of day of the first layer, H:MM or H:MM:SS")
	cli.GroupFlags(cmd, "Starts and ends", "start", "at", "end", "absorb", "early", "nodes")
	cli.GroupFlags(cmd, "Layers", "depth", "no-wait", "slot", "speed", "travel-times", "from", "dummies", "all")
	cli.GroupFlags(cmd, "Map", "merge", "merge-unjoined", "consolidate", "split", "directed", "undirected", "format",
		"coordinates")
}

// used reports whether the graph is one of package slots.
func (o *slotOptions) used(starts int) bool {
	return starts > 1 || len(o.ends) > 0 || o.absorb || o.early || o.slot > 0
}

// check refuses flags that do not go together.
func (o *slotOptions) check(cmd *cobra.Command, of *importOptions) error {
	switch {
	case o.absorb && len(o.ends) == 0:
		return cli.Usagef("--absorb goes with --end")
	case o.slot == 0 && (o.speed > 0 || o.times != "" || o.from != ""):
		return cli.Usagef("--speed, --travel-times and --from go with --slot")
	case o.used(len(of.start)) && of.expand.Dummies:
		return cli.Usagef("--dummies goes with one start, and with neither --end, --early nor --slot")
	}
	_, err := weighed(slices.Clone(of.start), func(string) bool { return false })
	return err
}

// weighed splits starts into names and weights: A=2 is A of weight 2, unless a node is called so. All have one, or none
// (0).
func weighed(list []string, node func(label string) bool) ([]slots.Start, error) {
	starts, with := make([]slots.Start, len(list)), 0
	for i, s := range list {
		k := strings.LastIndex(s, "=")
		if k < 0 || node(s) {
			continue
		}
		w, err := cli.ParseNumber(s[k+1:])
		if err != nil || w <= 0 {
			return nil, cli.Usagef("--start %s: the weight behind = is no number above 0", s)
		}
		starts[i].Weight, list[i] = w, s[:k]
		with++
	}
	for i := range starts {
		if with > 0 && starts[i].Weight == 0 {
			starts[i].Weight = 1
		}
	}
	return starts, nil
}

// starts returns where paths begin, on the tidied map.
func (o *importOptions) starts(a *cli.App, read, w *maps.World, lon, lat float64) ([]slots.Start, error) {
	if o.at != "" {
		i, err := startNear(a, w, lon, lat)
		return []slots.Start{{Node: i}}, err
	}
	labels := append([]string{}, o.start...)
	starts, err := weighed(labels, func(s string) bool { _, is := read.FindLabel(s); return is })
	if err != nil {
		return nil, err
	}
	for i, label := range labels {
		if starts[i].Node, err = follow(a, read, w, "start", label); err != nil {
			return nil, err
		}
	}
	return starts, nil
}

// unroll makes the graph: of one start that every path has, or as package slots does.
func (o *importOptions) unroll(a *cli.App, read, w *maps.World, starts []slots.Start) (*ddps.LayeredGraph,
	error) {
	if !o.slots.used(len(starts)) {
		o.expand.Start = w.Nodes[starts[0].Node].ID
		return maps.Expand(w, o.expand)
	}
	s := slots.Options{Starts: starts, Absorb: o.slots.absorb, Early: o.slots.early, Depth: o.expand.Depth,
		NoWait: o.expand.NoWait,
		Nodes:  o.expand.Nodes, Slot: int(o.slots.slot), Speed: float64(o.slots.speed), From: o.slots.from,
		Labels: o.expand.Labels, Memory: o.expand.Memory,
		Note: func(text string) { a.Notef("%s", text) }}
	for _, label := range o.slots.ends {
		i, err := follow(a, read, w, "end", label)
		if err != nil {
			return nil, err
		}
		s.Ends = append(s.Ends, i)
	}
	return slots.Expand(w, s)
}

// timed returns the map with the times of --travel-times.
func (o *slotOptions) timed(a *cli.App, w *maps.World) (*maps.World, error) {
	if o.times == "" {
		return w, nil
	}
	f, err := os.Open(o.times)
	if err != nil {
		return nil, fmt.Errorf("--travel-times %s: %w", o.times, cli.Reason(err))
	}
	defer f.Close()
	w, times, notes, err := slots.ReadTimes(o.times, f, w)
	if err != nil {
		return nil, err
	}
	a.Notes(notes)
	if w, err = w.WithTimes(times); err != nil {
		return nil, err
	}
	without := 0
	for _, e := range w.Edges {
		if e.Time == 0 {
			without++
		}
	}
	if without > 0 && o.speed == 0 {
		return nil, fmt.Errorf("%s: %s moves have no travel time: add --speed", o.times, cli.Whole(without))
	}
	return w, nil
}

// notes are those of a map's reader, without what --slot makes untrue, and with what it is needed for.
func (o *slotOptions) notes(notes []string) (list []string) {
	for _, n := range notes {
		switch {
		case o.slot > 0 && strings.HasPrefix(n, "lengths count for"):
			continue
		case o.times != "" && strings.HasPrefix(n, maps.TimesNote):
			n += ": not used, --travel-times is"
		case o.slot == 0 && strings.HasPrefix(n, maps.TimesNote):
			n += ": they count with --slot alone"
		}
		list = append(list, n)
	}
	return list
}
