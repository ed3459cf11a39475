package graphcmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/cmd/ddps/internal/cli"
	"github.com/ddps-go/ddps/ddps"
)

// placeInfo is a place of the world.
type placeInfo struct {
	Place int    `json:"place"`
	Name  string `json:"name"`
	First int    `json:"first_layer"` // from 1, where a path may be there first
	Last  int    `json:"last_layer"`
	Size  int    `json:"vertices"` // on some path
}

// writePlaces lists the places of g that lie on some path. The error is of a graph without places.
func writePlaces(w io.Writer, g *ddps.LayeredGraph, asJSON bool) error {
	m := g.Meta()
	if m.Place == nil {
		return fmt.Errorf("the graph has no places: its vertices go by name, or as vertex N")
	}
	by, no, on := map[int]*placeInfo{}, g.NoPlaces(), g.Reachable()
	for v, a := range m.Place {
		if a < 0 || no != nil && no[v] || !on[v] {
			continue
		}
		l := g.LayerOf(v) + 1
		if by[a] == nil {
			by[a] = &placeInfo{Place: a, Name: g.Name(v), First: l}
		}
		by[a].Last, by[a].Size = l, by[a].Size+1
	}
	list := slices.SortedFunc(maps.Values(by), func(x, y *placeInfo) int { return cmp.Compare(x.Place, y.Place) })
	if asJSON {
		return cli.WriteJSON(w, list)
	}
	rows := make([][]string, len(list))
	for i, p := range list {
		rows[i] = []string{strconv.Itoa(p.Place), p.Name, fmt.Sprintf("%d..%d", p.First, p.Last), strconv.Itoa(p.Size)}
	}
	return cli.PrintTable(w, []string{"place", "name", "layers", "vertices"}, rows)
}
