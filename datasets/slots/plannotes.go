package slots

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Notes says it in words, a line each.
func (p *Plan) Notes() (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if p.Slot > 0 {
		span := time.Duration(p.Slot*(p.Depth-1)) * time.Second
		say("%d layers every %s: %s from the first to the last", p.Depth, time.Duration(p.Slot)*time.Second, span)
		say("moves take slots by %s, rounded: %.1f s off on average", p.by(), p.Off)
		if p.Worst > 0 {
			edge := p.w.Edges[p.WorstEdge]
			list[len(list)-1] += fmt.Sprintf(
				", %.1f s at most (%s to %s: %.1f s are %d)",
				p.Worst,
				p.w.Nodes[edge.From].Label(),
				p.w.Nodes[edge.To].Label(),
				p.o.seconds(p.w, p.WorstEdge),
				p.Slots[p.WorstEdge],
			)
		}
		if p.Short > 0 {
			say("%d of %d moves take less than half a slot: they take one", p.Short, len(p.Slots))
		}
		if p.Long > 0 {
			say("%d of %d moves take longer than all layers: they are left out", p.Long, len(p.Slots))
		}
	}
	if p.o.Ends != nil {
		var near []string
		for k, s := range p.o.Starts {
			near = append(near, fmt.Sprintf("%d from %s", p.ToEnd[k], p.w.Nodes[s.Node].Label()))
		}
		say("slots to the nearest end: %s; the layers have %d", strings.Join(near, ", "), p.Depth-1)
	}
	say("at most %d vertices and %d edges", p.Vertices, p.Edges)
	return list
}

// by says what moves take their slots from.
func (p *Plan) by() string {
	timed, speed := 0, fmt.Sprintf("lengths at %.3g m/s", p.o.Speed)
	for e, edge := range p.w.Edges {
		if p.o.Times != nil && !math.IsNaN(p.o.Times[e]) || edge.Time > 0 {
			timed++
		}
	}
	switch n := len(p.w.Edges); timed {
	case 0:
		return speed
	case n:
		return "travel times"
	default:
		return fmt.Sprintf("travel times (%d of %d), else by %s", timed, n, speed)
	}
}
