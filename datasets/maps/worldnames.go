package maps

import (
	"strconv"

	"github.com/ddps-go/ddps/internal/names"
)

// FindLabel returns the index of the node that the map calls label (Node.Label), or whose name is the only one that is
// the same in Unicode's normal form C, without space around it.
func (w *World) FindLabel(label string) (i int, ok bool) {
	if i, ok := w.by[label]; ok {
		return i, true
	}
	if id, err := strconv.ParseInt(label, 10, 64); err == nil {
		if i, ok = w.idx[id]; ok && w.Nodes[i].Name == "" {
			return i, true
		}
	}
	normal, found := names.Normal(label), -1
	for k, n := range w.Nodes {
		if n.Name == "" || names.Normal(n.Name) != normal {
			continue
		}
		if found >= 0 {
			return 0, false
		}
		found = k
	}
	return max(found, 0), found >= 0
}

// NearLabel returns the name of the node that label was probably to be, "" if none is like it.
func (w *World) NearLabel(label string) string {
	list := make([]string, 0, len(w.by))
	for _, n := range w.Nodes {
		if n.Name != "" {
			list = append(list, n.Name)
		}
	}
	return names.Near(label, list)
}

// caseNote is the notes on nodes whose names differ by case or by their form of Unicode alone, or are odd.
func caseNote(nodes []Node) []string {
	list := make([]string, len(nodes))
	for i, n := range nodes {
		list[i] = n.Name
	}
	return append(names.OddNote(list), names.AlikeNote(list, "nodes")...)
}
