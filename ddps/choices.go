package ddps

// Rows returns the vertices that a path visits and that have more than one out-edge: the rows of a PALM that carry
// anything.
func Rows(g *LayeredGraph) []int32 {
	var rows []int32
	for v, on := range g.Reachable() {
		if on && g.Degree(v) > 1 {
			rows = append(rows, int32(v))
		}
	}
	return rows
}
